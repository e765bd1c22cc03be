//! Functions of the program that the framework calls.

use super::access::MOST_INLINE;
use super::callables::default_of;
use super::expression::Ex;
use super::{Line, Scope, Writer};
use crate::repro::names::free_name;
use crate::repro::tree::{Arg, Def, Param, ParamKind, Source};

impl Writer<'_> {
    /// Writes a function of the program, and gives its name.
    pub fn function(&mut self, id: usize, left_out: &dyn Fn(usize, &Param) -> bool) -> Ex {
        let def: &Def = &self.state.defs[id];
        let hint = def.function.as_ref().map_or("f".to_owned(), |f| match f.name().as_str() {
            "<lambda>" => "fn".to_owned(),
            name => name.to_owned(),
        });
        self.scopes.push(Scope { def: id, ..Scope::default() });
        let level = self.scopes.len() - 1;
        let mut params = Vec::new();
        let mut starred = false;
        for (i, param) in def.params.iter().enumerate() {
            if left_out(i, param) {
                continue;
            }
            let name = self.name(level, (Source::Param(i), 0), None, &param.name);
            match param.kind {
                ParamKind::Rest => {
                    starred = true;
                    params.push(format!("*{name}"));
                }
                ParamKind::RestKeywords => params.push(format!("**{name}")),
                ParamKind::KeywordOnly if !starred && !def.params.iter().any(|p| p.kind == ParamKind::Rest) => {
                    starred = true;
                    params.push("*".into());
                    let default = def.function.as_ref().and_then(|f| default_of(f, i));
                    // It is evaluated where the function is defined.
                    let inner = self.scopes.pop();
                    params.push(self.with_default(name, default));
                    self.scopes.extend(inner);
                }
                _ => {
                    let default = def.function.as_ref().and_then(|f| default_of(f, i));
                    // It is evaluated where the function is defined.
                    let inner = self.scopes.pop();
                    params.push(self.with_default(name, default));
                    self.scopes.extend(inner);
                }
            }
        }
        // `*rest` stands before what is given by keyword.
        if let Some(rest) = params.iter().position(|p| p.len() > 1 && p.starts_with('*') && !p.starts_with("**")) {
            let keyword = def.params.iter().filter(|p| p.kind == ParamKind::KeywordOnly).count();
            if keyword > 0 && rest >= keyword {
                let rest_param = params.remove(rest);
                params.insert(rest - keyword, rest_param);
            }
        }
        let calls = self.calls.clone();
        self.body(level, id);
        self.calls = calls;
        let Some(scope) = self.scopes.pop() else { return Ex::atom(hint) };
        let outer = scope.outer.clone();
        let site = def.site;
        let body = scope.lines();
        let target = outer.iter().next_back().copied().unwrap_or(0);
        if outer.is_empty() {
            self.alone.insert(id);
        }
        let is_lambda = def.function.as_ref().is_some_and(|f| f.name().as_str() == "<lambda>");
        if is_lambda
            && let [line] = &body[..]
            && let Some(result) = line.text.strip_prefix("return ")
            && result.len() <= MOST_INLINE
            && !params.iter().any(|param| param == "*")
        {
            let params = params.join(", ");
            let space = if params.is_empty() { "" } else { " " };
            let tuple = matches!(&def.result, Some(Arg::Tuple(items)) if items.len() > 1);
            let result = if tuple { format!("({result})") } else { result.to_owned() };
            return Ex::lambda(format!("lambda{space}{params}: {result}"));
        }
        let texts: Vec<String> = body.iter().map(|line| format!("{}{}", " ".repeat(line.indent), line.text)).collect();
        let key = format!("{hint}({})\n{}", params.join(", "), texts.join("\n"));
        let at = if outer.is_empty() { 0 } else { self.scopes[target].current };
        if !outer.is_empty() {
            for scope in &mut self.scopes[target + 1..] {
                scope.outer.insert(target);
            }
        }
        if let Some(name) = self.scopes[target].functions.get(&key)
            && self.scopes[target].placed.get(name).is_some_and(|placed| *placed <= at)
        {
            return Ex::atom(name.clone());
        }
        let name = free_name(&hint, |name| {
            self.given.contains(name) || self.scopes.iter().any(|scope| scope.taken.contains(name))
        });
        self.given.insert(name.clone());
        self.scopes[target].functions.insert(key, name.clone());
        self.scopes[target].placed.insert(name.clone(), at);
        let slot = self.scopes[target].slots.entry(at).or_default();
        slot.push(Line::new(0, format!("def {name}({}):", params.join(", ")), site));
        slot.extend(body.into_iter().map(|line| Line { indent: line.indent + 4, ..line }));
        Ex::atom(name)
    }
}
