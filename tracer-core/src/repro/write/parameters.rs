//! Parameters that the program takes apart (`x, r = state`): their parts have the names that it gives them.

use super::access::MOST_UNPACKED;
use super::expression::Ex;
use super::{Line, Writer};
use crate::module::{Expr, ExprId, Module, Stmt, Symbol, Target};
use crate::python::Site;
use crate::repro::tree::{Arg, Key, Source};
use crate::text::Span;

impl Writer<'_> {
    /// A part of a parameter of the body at `level` by its name, where the body's function takes the parameter apart.
    pub fn part_of_parameter(&mut self, level: usize, param: usize, path: &[Key]) -> Option<Ex> {
        let index = |key: &Key| match key {
            Key::Index(at) => Some(*at),
            Key::Of(_) | Key::Field(_) => None,
        };
        let steps: Vec<usize> = path.iter().map_while(index).collect();
        if steps.is_empty() || self.into_rest.contains_key(&self.scopes[level].def) {
            return None;
        }
        if self.scopes[level].parts.insert(param) {
            self.take_apart(level, param);
        }
        let names = &self.scopes[level].inner_names;
        let found = (1..=steps.len()).rev().find_map(|depth| {
            let name = names.get(&(Source::Param(param), steps[..depth].to_vec()))?;
            Some((Ex::atom(name.clone()), depth))
        });
        found.map(|(name, depth)| self.along(name, &path[depth..]))
    }

    /// Notes what the body at `level` asks of a parameter.
    pub fn reads_parameter(&mut self, level: usize, param: usize, path: &[Key]) {
        let key = match path.first() {
            Some(Key::Of(Arg::Plain(key))) => key.as_str().map(Symbol::from),
            _ => None,
        };
        self.reads.insert((self.scopes[level].def, param, key));
    }

    /// What of an argument the body of a function asks for, where that is known; `None` where it is nothing.
    pub fn asked_of(&self, def: usize, param: usize, given: &Arg) -> Option<Arg> {
        if self.seen_uses.is_none() {
            return Some(given.clone());
        }
        let is_read = |key: Option<Symbol>| self.seen_reads.contains(&(def, param, key));
        let Arg::Dict(items) = given else {
            let is_asked = self.seen_reads.iter().any(|(of, at, _)| (*of, *at) == (def, param));
            return is_asked.then(|| given.clone());
        };
        let is_asked = |(key, _): &&(Arg, Arg)| match key {
            Arg::Plain(key) => key.as_str().is_none_or(|key| is_read(Some(Symbol::from(key)))),
            _ => true,
        };
        let asked = match is_read(None) {
            true => given.clone(),
            false => Arg::Dict(items.iter().filter(is_asked).cloned().collect()),
        };
        asked.holds_array().then_some(asked)
    }

    /// Writes how the function takes a parameter apart, as the first thing that it does.
    fn take_apart(&mut self, level: usize, param: usize) {
        let state = self.state;
        let def = &state.defs[self.scopes[level].def];
        let Some(function) = &def.function else { return };
        let given = match &def.params[param].given {
            Arg::Tree(_, tree) => tree,
            given => given,
        };
        let (Arg::Tuple(items) | Arg::List(items)) = given else { return };
        let analysis = self.analysis;
        let file = function.unit.file;
        let Some(facts) = analysis.file_index(file).and_then(|index| analysis.files.get(index)) else { return };
        let name = def.params[param].name;
        let Some((targets, span)) = unpacking(&facts.module, function.code().span, name.as_str()) else { return };
        let Some(whole) = self.scopes[level].names.get(&(Source::Param(param), 0)).cloned() else { return };
        if targets.len() != items.len() || !targets.iter().zip(items).all(|(target, item)| fits(target, item)) {
            return;
        }
        let names = self.named_parts(level, (param, &mut Vec::new()), targets, items);
        let text = match &names[..] {
            [one] => format!("({one},) = {whole}"),
            many => format!("{} = {whole}", many.join(", ")),
        };
        let line = Line::new(0, text, Some(Site { file, span }));
        // Parameters are taken apart in their order.
        let scope = &mut self.scopes[level];
        let is_taken = |of: &usize| scope.inner_names.keys().any(|(from, _)| *from == Source::Param(*of));
        let before = (0..param).filter(is_taken).count();
        scope.slots.entry(0).or_default().insert(before, line);
    }

    fn named_parts(
        &mut self,
        level: usize,
        (param, path): (usize, &mut Vec<usize>),
        targets: &[Target],
        items: &[Arg],
    ) -> Vec<String> {
        let mut names = Vec::new();
        for (at, (target, item)) in targets.iter().zip(items).enumerate() {
            path.push(at);
            names.push(match (target, item) {
                (Target::Tuple(targets, _), Arg::Tuple(items) | Arg::List(items)) => {
                    let inner = self.named_parts(level, (param, path), targets, items);
                    match &inner[..] {
                        [one] => format!("({one},)"),
                        many => format!("({})", many.join(", ")),
                    }
                }
                (Target::Name(_, name, _), _) if name.as_str() != "_" => {
                    let name = self.fresh(level, Some(*name), name.as_str());
                    self.scopes[level].inner_names.insert((Source::Param(param), path.clone()), name.clone());
                    name
                }
                _ => "_".to_owned(),
            });
            path.pop();
        }
        names
    }
}

/// Whether a target takes an argument apart, or names it.
fn fits(target: &Target, item: &Arg) -> bool {
    match (target, item) {
        (Target::Name(..), _) => true,
        (Target::Tuple(targets, _), Arg::Tuple(items) | Arg::List(items)) => {
            targets.len() == items.len() && targets.iter().zip(items).all(|(target, item)| fits(target, item))
        }
        _ => false,
    }
}

/// The first statement of a function's own body that takes what has this name apart, and its place.
fn unpacking<'a>(module: &'a Module, function: Span, name: &str) -> Option<(&'a [Target], Span)> {
    let is_in = |span: Span, around: Span| around.start <= span.start && span.end <= around.end;
    let inner = |span: Span| {
        let codes = module.codes.iter().filter(|code| code.span != function && is_in(code.span, function));
        codes.into_iter().any(|code| is_in(span, code.span))
    };
    let is_it = |value: &ExprId| matches!(module.expr(*value), Expr::Name(_, read) if read.as_str() == name);
    let taken = |target: &'a Target, value: &ExprId| match (target, module.expr(*value)) {
        (Target::Tuple(targets, _), _) if is_it(value) => Some(&targets[..]),
        // One of several that a statement takes apart: `(x,), (dx,) = primals, tangents`.
        (Target::Tuple(targets, _), Expr::Tuple(values)) if targets.len() == values.len() => {
            targets.iter().zip(values.iter()).find_map(|(target, value)| match target {
                Target::Tuple(targets, _) if is_it(value) => Some(&targets[..]),
                _ => None,
            })
        }
        _ => None,
    };
    let found = module.stmts.iter().zip(&module.stmt_spans).filter_map(|(statement, span)| match statement {
        Stmt::Assign(targets, value) if is_in(*span, function) && !inner(*span) => match &targets[..] {
            [target] => Some((taken(target, value).filter(|targets| targets.len() <= MOST_UNPACKED)?, *span)),
            _ => None,
        },
        _ => None,
    });
    found.min_by_key(|(_, span)| span.start)
}
