//! Bodies of functions: what is written where, and under which name.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Style;
use super::names::free_name;
use super::tree::{Access, Arg, Def, Key, Op, Origin, ParamKind, Source};
use super::write::{Ex, POSTFIX, Writer};
use crate::python::{Function, Site, Value};

/// A line of the text, before it is broken.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub indent: usize,
    pub text: String,
    pub site: Option<Site>,
    /// The contexts around it, by their numbers, with their texts.
    pub inside: Vec<(usize, String)>,
}

impl Line {
    /// One that stands in no context.
    pub fn new(indent: usize, text: impl Into<String>, site: Option<Site>) -> Line {
        Line { indent, text: text.into(), site, inside: Vec::new() }
    }
}

/// What was computed on the way has seldom numbers that matter: so many are written out.
const MOST_GIVEN: usize = 12;

/// Arrays that more operations lead to are given as numbers.
const MOST_STEPS: usize = 8;

/// Expressions are nested no deeper than this.
const MOST_NESTED: usize = 40;

/// A body that is being written.
#[derive(Default)]
pub(super) struct Scope {
    pub def: usize,
    /// Lines by the statement that they belong to.
    slots: BTreeMap<usize, Vec<Line>>,
    /// What stands behind all statements.
    pub last: Vec<Line>,
    written: FxHashSet<usize>,
    names: FxHashMap<(Source, usize), String>,
    pub taken: BTreeSet<String>,
    /// The statement that is being written.
    pub current: usize,
    /// Functions that stand here, by their text.
    functions: FxHashMap<String, String>,
    /// The statements before which they stand.
    placed: FxHashMap<String, usize>,
    /// Bodies around it that it needs something of.
    outer: BTreeSet<usize>,
}

impl Scope {
    /// Whether a parameter stands in it.
    pub fn has(&self, param: Source) -> bool {
        self.names.contains_key(&(param, 0))
    }
    /// Its lines in order, those of a context under its `with`.
    pub fn lines(self) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut open: Vec<(usize, String)> = Vec::new();
        for mut line in self.slots.into_values().flatten().chain(self.last) {
            let inside = std::mem::take(&mut line.inside);
            let same = open.iter().zip(&inside).take_while(|(a, b)| a.0 == b.0).count();
            open.truncate(same);
            for (i, (context, text)) in inside.iter().enumerate().skip(same) {
                lines.push(Line::new(4 * i, format!("with {text}:"), line.site));
                open.push((*context, text.clone()));
            }
            lines.push(Line { indent: line.indent + 4 * inside.len(), ..line });
        }
        lines
    }
}

/// The import that raises an `ImportError`.
fn import_of(error: &super::tree::Raised) -> Option<String> {
    let rest = error.message.strip_prefix("cannot import name '").filter(|_| error.class == "ImportError")?;
    let (name, rest) = rest.split_once("' from '")?;
    let (module, _) = rest.split_once('\'')?;
    module.starts_with("jax").then(|| format!("from {module} import {name}"))
}

/// The default of a parameter.
fn default_of(function: &Function, slot: usize) -> Option<Value> {
    let params = &function.code().params;
    let positional = params.positional as usize;
    match slot < positional {
        true => function.defaults.get((slot + function.defaults.len()).checked_sub(positional)?).cloned(),
        false => function.kw_defaults.get(slot - positional).filter(|default| !default.is_unbound()).cloned(),
    }
}

/// An expression that is read where it is computed is this long at most.
const MOST_INLINE: usize = 52;

/// Whether a value is there to be called: what a transformation returns.
fn is_callable(value: &Value) -> bool {
    match value {
        Value::Instance(instance) => instance.class().lookup(sym!("__call__")).is_some(),
        value => matches!(value, Value::Function(_) | Value::Method(_) | Value::Native(_) | Value::Object(_)),
    }
}

impl Writer<'_> {
    /// The value behind an access of the body at `level`.
    pub fn access(&mut self, level: usize, access: &Access, value: &Value) -> Ex {
        let here = self.scopes.len() - 1;
        for inner in &mut self.scopes[level + 1..] {
            inner.outer.insert(level);
        }
        let Source::Statement(id) = access.from else {
            let base = self.scopes[level].names.get(&(access.from, 0)).cloned().unwrap_or_else(|| "None".into());
            return self.along(Ex::atom(base), &access.path);
        };
        let statement = &self.state.statements[id];
        if let Op::Items = statement.op {
            let base = self.within(level, id, |w| w.arg(&statement.args[0]));
            return self.along(base, &access.path);
        }
        // What a transformation returns is written where it is called.
        if access.path.is_empty() && is_callable(value) && !self.effects.contains_key(&id) {
            return self.statement(id);
        }
        if let Value::Array(array) = value
            && self.is_given(level, id, array.is_tracer())
        {
            return self.number(array, self.most_literal.min(MOST_GIVEN));
        }
        self.prepare(level, id);
        let def = self.scopes[level].def;
        let (element, rest) = match &statement.result {
            Some((_, Arg::Tuple(_))) => match access.path.split_first() {
                Some((Key::Index(i), rest)) => (*i, rest),
                _ => (0, &access.path[..]),
            },
            _ => (0, &access.path[..]),
        };
        *self.uses.entry((def, id, element)).or_default() += 1;
        let once =
            self.is_inline(def, id, element) && self.contexts_of(self.scopes[level].current) == self.contexts_of(id);
        if once && level == here && self.calls.len() < MOST_NESTED && !self.scopes[level].written.contains(&id) {
            let ex = self.within(level, id, |w| w.statement(id));
            if ex.text.len() <= MOST_INLINE {
                return ex;
            }
        }
        self.write_statement(level, id);
        let base = self.scopes[level].names.get(&(access.from, element)).cloned().unwrap_or_else(|| "None".into());
        self.along(Ex::atom(base), rest)
    }

    /// Whether an array of the program's top level is written as numbers: it takes functions of the program, or many steps.
    fn is_given(&mut self, level: usize, id: usize, is_tracer: bool) -> bool {
        if self.state.style != Style::Given || self.is_function || is_tracer || self.scopes[level].def != 0 {
            return false;
        }
        if let Some(known) = self.long.get(&id) {
            return *known;
        }
        let (mut wanted, mut seen) = (vec![id], FxHashSet::default());
        let mut is_long = false;
        while let Some(next) = wanted.pop().filter(|_| !is_long) {
            if !seen.insert(next) {
                continue;
            }
            let statement = &self.state.statements[next];
            is_long = seen.len() > MOST_STEPS || !statement.children.is_empty();
            self.made_of(0, next, &mut wanted);
        }
        self.long.insert(id, is_long);
        is_long
    }

    /// The statements of a body that another one of it is made of.
    fn made_of(&self, def: usize, id: usize, found: &mut Vec<usize>) {
        let statement = &self.state.statements[id];
        for arg in statement.args.iter().chain(statement.keywords.iter().map(|(_, arg)| arg)) {
            arg.leaves(&mut Vec::new(), &mut |value, _| {
                if let Some(Access { from: Source::Statement(from), .. }) =
                    self.state.defs[def].bound.get(&value.identity())
                {
                    found.push(*from);
                }
            });
        }
    }

    fn along(&mut self, base: Ex, path: &[Key]) -> Ex {
        let mut text = base.within(POSTFIX);
        for key in path {
            match key {
                Key::Index(i) => text.push_str(&format!("[{i}]")),
                Key::Of(key) => {
                    let key = self.arg(key);
                    text.push_str(&format!("[{}]", key.text));
                }
            }
        }
        Ex::atom(text)
    }

    /// Runs `body` as in the body at `level`, for one of its statements.
    fn within<T>(&mut self, level: usize, id: usize, body: impl FnOnce(&mut Self) -> T) -> T {
        let inner = self.scopes.split_off(level + 1);
        let calls = if inner.is_empty() { Vec::new() } else { std::mem::take(&mut self.calls) };
        let before = std::mem::replace(&mut self.scopes[level].current, id);
        let result = body(self);
        self.scopes[level].current = before;
        if !inner.is_empty() {
            self.calls = calls;
        }
        self.scopes.extend(inner);
        result
    }

    /// Whether a result needs no name: it is used once, and the program has none for it.
    fn is_inline(&self, def: usize, id: usize, element: usize) -> bool {
        let once = self.seen_uses.as_ref().is_some_and(|uses| uses.get(&(def, id, element)) == Some(&1));
        let Some((of, result)) = &self.state.statements[id].result else { return false };
        once && matches!(result, Arg::Leaf(_)) && !self.state.names.contains_key(of)
    }

    /// Writes what a statement of the body at `level` is made of and gets a name, first things first: what is asked for backwards
    /// alone is as deep as the program is long.
    fn prepare(&mut self, level: usize, id: usize) {
        let def = self.scopes[level].def;
        let (mut wanted, mut found) = (vec![id], BTreeSet::new());
        while let Some(next) = wanted.pop() {
            let is_new = !self.scopes[level].written.contains(&next) && !self.calls.contains(&next);
            if !is_new || !found.insert(next) {
                continue;
            }
            self.made_of(def, next, &mut wanted);
        }
        found.remove(&id);
        for id in found {
            let statement = &self.state.statements[id];
            let is_array = statement.result.as_ref().is_some_and(|(_, result)| result.holds_array());
            if is_array && !matches!(statement.op, Op::Items) && !self.is_inline(def, id, 0) {
                self.write_statement(level, id);
            }
        }
    }

    /// Writes a statement of the body at `level`, once.
    pub fn write_statement(&mut self, level: usize, id: usize) {
        if !self.scopes[level].written.insert(id) {
            return;
        }
        let statement = &self.state.statements[id];
        let def = self.scopes[level].def;
        let ex = self.within(level, id, |w| w.statement(id));
        let hint = self.hint(&statement.op);
        let nothing = matches!(&statement.result, Some((_, Arg::Plain(Value::None))));
        let target = match &statement.result {
            Some(_) if nothing => String::new(),
            Some((_, Arg::Tuple(items))) if !items.is_empty() => {
                let mut names = Vec::new();
                for (i, item) in items.iter().enumerate() {
                    let used = self.seen_uses.as_ref().is_none_or(|uses| uses.contains_key(&(def, id, i)));
                    let name = match item {
                        _ if !used => "_".to_owned(),
                        Arg::Leaf(value) => self.name(level, (Source::Statement(id), i), Some(value), &hint),
                        Arg::Plain(_) | Arg::Lost => "_".to_owned(),
                        _ => self.name(level, (Source::Statement(id), i), None, &hint),
                    };
                    names.push(name);
                }
                match &names[..] {
                    [one] => format!("({one},) = "),
                    many => format!("{} = ", many.join(", ")),
                }
            }
            Some((of, _)) => {
                let named = self.state.names.get(of).map(|name| name.to_string());
                let hint = named.unwrap_or(hint);
                format!("{} = ", self.name(level, (Source::Statement(id), 0), None, &hint))
            }
            None => String::new(),
        };
        self.put(level, id, format!("{target}{}", ex.text), statement.site);
        if let Some(effects) = self.effects.get(&id).cloned() {
            for effect in effects {
                self.scopes[level].written.insert(effect);
                let ex = self.within(level, id, |w| w.statement(effect));
                self.put(level, id, ex.text, self.state.statements[effect].site);
            }
        }
    }

    /// Puts a line in the body at `level`.
    pub fn put(&mut self, level: usize, at: usize, text: String, site: Option<Site>) {
        let contexts = self.contexts_of(at).to_vec();
        let inside = self.contexts(level, at, &contexts);
        self.scopes[level].slots.entry(at).or_default().push(Line { inside, ..Line::new(0, text, site) });
    }

    /// The contexts of a statement.
    fn contexts_of(&self, id: usize) -> &[usize] {
        self.state.statements.get(id).map_or(&[], |statement| &statement.contexts)
    }

    /// Contexts with their texts, as a statement of the body at `level` sees them.
    pub fn contexts(&mut self, level: usize, id: usize, contexts: &[usize]) -> Vec<(usize, String)> {
        let all = &self.state.contexts;
        contexts.iter().map(|at| (*at, self.within(level, id, |w| w.arg(&all[*at])).text)).collect()
    }

    fn name(&mut self, level: usize, key: (Source, usize), value: Option<&Value>, hint: &str) -> String {
        let named = value.and_then(|value| self.state.names.get(&value.identity())).map(|name| name.to_string());
        let hint = named.as_deref().unwrap_or(hint);
        // Functions keep their names.
        let hint = match self.functions.contains(hint) {
            true => format!("{hint}_value"),
            false => hint.to_owned(),
        };
        let hint = hint.as_str();
        let from = self.seen_from(level);
        let name = free_name(hint, |name| {
            self.functions.contains(name) || self.scopes[from..].iter().any(|scope| scope.taken.contains(name))
        });
        self.scopes[level].taken.insert(name.clone());
        self.scopes[level].names.insert(key, name.clone());
        name
    }

    /// The outermost body whose names a body sees that is not alone.
    fn seen_from(&self, level: usize) -> usize {
        (0..=level).rev().find(|at| self.seen_alone.contains(&self.scopes[*at].def)).unwrap_or(0)
    }

    /// Writes a function of the program, and gives its name.
    pub fn function(&mut self, id: usize, left_out: &dyn Fn(usize, &super::tree::Param) -> bool) -> Ex {
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

    fn with_default(&mut self, name: String, default: Option<Value>) -> String {
        match default {
            Some(default) => {
                let default = super::normalize::arg(self.it, &default);
                format!("{name}={}", self.arg(&default).text)
            }
            None => name,
        }
    }

    /// A function that nobody called: its name and its parameters are all that matters.
    pub fn stub(&mut self, function: &Rc<Function>, given: usize, named: &[crate::module::Symbol]) -> Ex {
        let code = function.code().clone();
        let all = &code.params;
        let mut params = Vec::new();
        for (slot, param) in all.names.iter().enumerate() {
            let at = Some(slot as u32);
            if at == all.var_positional || at == all.var_keyword || slot < given || named.contains(&param.name) {
                continue;
            }
            if slot == all.positional as usize {
                params.push(match all.var_positional {
                    Some(rest) => format!("*{}", all.names[rest as usize].name),
                    None => "*".into(),
                });
            }
            params.push(self.with_default(param.name.to_string(), default_of(function, slot)));
        }
        if let Some(rest) = all.var_positional.filter(|_| all.keyword_only == 0) {
            params.push(format!("*{}", all.names[rest as usize].name));
        }
        params.extend(all.var_keyword.map(|rest| format!("**{}", all.names[rest as usize].name)));
        let params = params.join(", ");
        if function.name().as_str() == "<lambda>" {
            let space = if params.is_empty() { "" } else { " " };
            return Ex::lambda(format!("lambda{space}{params}: None"));
        }
        let hint = function.name().to_string();
        let key = format!("{hint}({params}) pass");
        if let Some(name) = self.scopes[0].functions.get(&key) {
            return Ex::atom(name.clone());
        }
        let name = free_name(&hint, |name| self.given.contains(name));
        self.given.insert(name.clone());
        self.scopes[0].functions.insert(key, name.clone());
        let site = Some(Site { file: function.module.unit.file, span: code.name_span });
        let slot = self.scopes[0].slots.entry(0).or_default();
        slot.push(Line::new(0, format!("def {name}({params}):"), site));
        slot.push(Line::new(4, "pass", site));
        Ex::atom(name)
    }

    /// An instance of a class of the program's that the framework does not look into.
    pub fn class(&mut self, class: &str, bases: &str) -> String {
        let key = format!("class {class}");
        match self.scopes[0].functions.get(&key) {
            Some(name) => name.clone(),
            None => {
                let name = free_name(class, |name| self.given.contains(name));
                self.given.insert(name.clone());
                self.scopes[0].functions.insert(key, name.clone());
                let slot = self.scopes[0].slots.entry(0).or_default();
                slot.push(Line::new(0, format!("class {name}{bases}:"), None));
                slot.push(Line::new(4, "pass", None));
                name
            }
        }
    }

    /// Writes what changes something: in a body that is written, before what fails.
    fn changes(&mut self, level: usize, before: Option<usize>) {
        let def = self.scopes[level].def;
        for id in self.state.defs[def].statements.clone() {
            if before.is_some_and(|before| id >= before) {
                break;
            }
            if self.is_change(level, id) {
                self.write_statement(level, id);
            }
        }
    }

    fn is_change(&self, level: usize, id: usize) -> bool {
        let statement = &self.state.statements[id];
        if statement.error.is_some() {
            return false;
        }
        let nothing = matches!(&statement.result, Some((_, Arg::Plain(Value::None))));
        let of_value = |callee: &Value| {
            matches!(self.state.origins.get(&callee.identity()), Some(Origin::Attribute(Value::Array(_), _)))
        };
        let whole = self.state.style == Style::Whole;
        let on_value = matches!(statement.args.first(), Some(Arg::Leaf(_)))
            || matches!(&statement.op, Op::Call(callee) if of_value(callee));
        match &statement.op {
            Op::SetItem => on_value,
            Op::Call(callee) => {
                let name = match callee {
                    Value::Function(function) => function.name(),
                    Value::Native(native) => native.name,
                    _ => sym!("call"),
                };
                let name = self.state.methods.get(&callee.identity()).copied().unwrap_or(name);
                let silent = name.starts_with("def") || name.starts_with("__") && name.as_str() != "__setitem__";
                let told =
                    matches!(name.as_str(), "print" | "callback" | "breakpoint" | "update" | "block_until_ready");
                match &statement.result {
                    // What it has done to the framework may be what matters.
                    Some((_, Arg::Leaf(value))) if whole => !silent && !is_callable(value),
                    Some(_) if whole => !silent,
                    _ => nothing && on_value && !silent && !told || self.donates(level, callee),
                }
            }
            Op::Binary(_) | Op::Item => whole,
            _ => false,
        }
    }

    /// Whether a compiled function takes its arguments for itself, and the error is about that.
    fn donates(&self, level: usize, callee: &Value) -> bool {
        if !self
            .state
            .reported
            .as_ref()
            .is_some_and(|raised| ["deleted", "donated"].iter().any(|word| raised.message.contains(word)))
        {
            return false;
        }
        let access = self.state.defs[self.scopes[level].def].bound.get(&callee.identity());
        let Some(Access { from: Source::Statement(made), .. }) = access else { return false };
        self.state.statements[*made].keywords.iter().any(|(name, _)| name.starts_with("donate"))
    }

    /// Writes what a body gives, or how it fails.
    fn body(&mut self, level: usize, id: usize) {
        let def = &self.state.defs[id];
        if let Some(error) = &def.error {
            let failed = def.statements.iter().rev().find(|s| self.state.statements[**s].error.as_ref() == Some(error));
            self.calls.clear();
            self.failure(level, failed.copied(), error.clone(), def.site);
            return;
        }
        self.changes(level, None);
        self.leaked_from(level);
        let site = def.statements.last().and_then(|s| self.state.statements[*s].site).or(def.site);
        let result = def.result.clone().unwrap_or(Arg::Plain(Value::None));
        self.scopes[level].current = usize::MAX - 1;
        let ex = self.arg(&result);
        self.scopes[level].last.push(Line::new(0, format!("return {}", ex.bare(&result)), site));
    }

    /// Keeps what leaves a body by another way than its result.
    fn leaked_from(&mut self, level: usize) {
        let def = self.scopes[level].def;
        for (i, (from, value)) in self.seen_leaks.clone().into_iter().enumerate() {
            if from == def && level > 0 {
                let Some(access) = self.state.defs[def].bound.get(&value.identity()).cloned() else { continue };
                let before = std::mem::replace(&mut self.scopes[level].current, usize::MAX - 1);
                let ex = self.access(level, &access, &value);
                self.scopes[level].current = before;
                let text = format!("leaked[{i}] = {}", ex.text);
                self.scopes[level].last.push(Line::new(0, text, None));
            }
        }
    }

    /// A tracer that has left the body that made it.
    pub fn leaked(&mut self, value: &Value) -> Option<Ex> {
        let id = value.identity();
        let from = (1..self.state.defs.len()).find(|def| self.state.defs[*def].bound.contains_key(&id))?;
        // What called that body has to be written before.
        let mut call = self.state.defs[from].parent?;
        let level = loop {
            let of = self.state.statements[call].parent;
            if let Some(level) = self.scopes.iter().position(|scope| scope.def == of) {
                break level;
            }
            call = self.state.defs[of].parent?;
        };
        if self.calls.contains(&call) || level == 0 && self.is_function {
            return None;
        }
        let at = match self.leaks.iter().position(|(_, v)| v.is(value)) {
            Some(at) => at,
            None => {
                self.leaks.push((from, value.clone()));
                self.leaks.len() - 1
            }
        };
        self.write_statement(level, call);
        Some(Ex::atom(format!("leaked[{at}]")))
    }

    /// Writes the statement that fails, as the last one.
    pub fn failure(&mut self, level: usize, failed: Option<usize>, error: super::tree::Raised, site: Option<Site>) {
        self.changes(level, failed);
        self.leaked_from(level);
        match failed {
            Some(id) => {
                let ex = self.within(level, id, |w| w.statement(id));
                // What fails when it runs, not when it is traced, has to be part of the result.
                let runs = level > 0
                    && self.state.style == Style::Whole
                    && !matches!(
                        self.state.statements[id].op,
                        Op::SetItem | Op::SetAttribute(_) | Op::DeleteItem | Op::Unpack(..)
                    );
                let text = if runs { format!("return {}", ex.text) } else { ex.text };
                self.put(level, id, text, self.state.statements[id].site);
            }
            None => {
                let class = error.class.as_str();
                let text = match class.starts_with(|c: char| c.is_uppercase()) && !class.contains('.') {
                    _ if import_of(&error).is_some() => import_of(&error).unwrap_or_default(),
                    true if class == "KeyError" => format!("raise KeyError({})", error.message),
                    true => format!("raise {class}({})", super::literal::text(&error.message)),
                    false => {
                        let name = class.rsplit('.').next().unwrap_or(class);
                        let name = self.class(name, "(Exception)");
                        format!("raise {name}({})", super::literal::text(&error.message))
                    }
                };
                self.scopes[level].last.push(Line::new(0, text, site));
            }
        }
    }

    /// The call of a function of the program that stands for it: under the statements that are being written, or anywhere.
    pub fn find_def(&self, function: &Rc<Function>) -> Option<usize> {
        let is = |id: &&usize| self.state.defs[**id].function.as_ref().is_some_and(|f| Rc::ptr_eq(f, function));
        for call in self.calls.iter().rev() {
            let children = &self.state.statements[*call].children;
            let failing = children.iter().filter(is).find(|id| self.state.defs[**id].error.is_some());
            if let Some(found) = failing.or_else(|| children.iter().find(is)) {
                return Some(*found);
            }
        }
        let open = |id: &usize| self.scopes.iter().any(|scope| scope.def == *id);
        let all: Vec<usize> = (0..self.state.defs.len()).filter(|id| is(&id) && !open(id)).collect();
        all.iter().find(|id| self.state.defs[**id].error.is_none()).or(all.first()).copied()
    }
}
