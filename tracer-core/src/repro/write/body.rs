//! What stands in a body: what changes something, and what it gives or how it fails.

use super::access::is_callable;
use super::{Line, Writer};
use crate::module::{Stmt, Symbol};
use crate::python::{Site, Value};
use crate::repro::tree::{Access, Arg, Op, Origin, Raised, Source};
use crate::repro::{Style, literal};
use crate::text::Span;

/// Calls that tell of an array, or wait for it, and leave it as it is.
const TOLD: [&str; 7] = [
    "print",
    "callback",
    "breakpoint",
    "update",
    "block_until_ready",
    "inspect_array_sharding",
    "visualize_array_sharding",
];

/// The import that raises an `ImportError`.
fn import_of(error: &Raised) -> Option<String> {
    let rest = error.message.strip_prefix("cannot import name '").filter(|_| error.class == "ImportError")?;
    let (name, rest) = rest.split_once("' from '")?;
    let (module, _) = rest.split_once('\'')?;
    let package = module.split('.').next();
    (package == Some("jax")).then(|| format!("from {module} import {name}"))
}

/// A text that stands in single quotes, in double ones, as formatters like them.
fn quoted(text: &str) -> String {
    let inner = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    match inner.filter(|inner| !inner.contains(['"', '\'', '\\'])) {
        Some(inner) => format!("\"{inner}\""),
        None => text.to_owned(),
    }
}

impl Writer<'_> {
    /// Writes what changes something: in a body that is written, before what fails.
    pub fn changes(&mut self, level: usize, before: Option<usize>) {
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

    pub fn is_change(&self, level: usize, id: usize) -> bool {
        let statement = &self.state.statements[id];
        if !statement.errors.is_empty() {
            return false;
        }
        let whole = self.state.style == Style::Whole;
        match &statement.op {
            Op::Call(callee) => {
                match &statement.result {
                    // What it has done to the framework may be what matters.
                    Some((_, Arg::Leaf(value))) if whole => !self.is_silent(callee) && !is_callable(value),
                    Some(_) if whole => !self.is_silent(callee),
                    _ => self.changes_arrays(id) || self.donates(level, callee),
                }
            }
            Op::Binary(_) | Op::Item => whole,
            _ => self.changes_arrays(id),
        }
    }

    /// The name that the program calls something by.
    fn name_called(&self, callee: &Value) -> Symbol {
        let name = match callee {
            Value::Function(function) => function.name(),
            Value::Native(native) => native.name,
            _ => sym!("call"),
        };
        self.state.methods.get(&callee.identity()).copied().unwrap_or(name)
    }

    /// Whether calling it only tells the framework of a rule.
    fn is_silent(&self, callee: &Value) -> bool {
        let name = self.name_called(callee);
        name.starts_with("def") || name.starts_with("__") && name.as_str() != "__setitem__"
    }

    /// Whether a statement gives nothing and changes an array, by itself or in what it calls (`pl.when(c)(f)`, a loop that carries nothing).
    fn changes_arrays(&self, id: usize) -> bool {
        let statement = &self.state.statements[id];
        let is_value = matches!(statement.args.first(), Some(Arg::Leaf(_)));
        match &statement.op {
            Op::SetItem => is_value,
            _ if !matches!(&statement.result, Some((_, Arg::Plain(Value::None)))) => false,
            Op::Call(callee) => {
                let origin = self.state.origins.get(&callee.identity());
                let on_value = is_value || matches!(origin, Some(Origin::Attribute(Value::Array(_), _)));
                let name = self.name_called(callee);
                let is_told = TOLD.contains(&name.as_str()) || name.starts_with("assert");
                on_value && !self.is_silent(callee) && !is_told || self.changes_inside(id)
            }
            Op::Apply => self.changes_inside(id),
            _ => false,
        }
    }

    fn changes_inside(&self, id: usize) -> bool {
        let defs = self.state.statements[id].children.iter().map(|def| &self.state.defs[*def]);
        defs.flat_map(|def| &def.statements).any(|inner| self.changes_arrays(*inner))
    }

    /// Whether a compiled function takes its arguments for itself, and the error is about that.
    pub fn donates(&self, level: usize, callee: &Value) -> bool {
        let about_that = |raised: &Raised| ["deleted", "donated"].iter().any(|word| raised.message.contains(word));
        if !self.wanted.as_ref().is_some_and(about_that) {
            return false;
        }
        let access = self.state.defs[self.scopes[level].def].bound.get(&callee.identity());
        let Some(Access { from: Source::Statement(made), .. }) = access else { return false };
        self.state.statements[*made].keywords.iter().any(|(name, _)| name.starts_with("donate"))
    }

    /// Writes what a body gives, or how it fails.
    pub fn body(&mut self, level: usize, id: usize) {
        let def = &self.state.defs[id];
        self.approximate |= def.lacks_rounds;
        let wanted = self.wanted.as_ref().filter(|wanted| def.errors.contains(wanted));
        if let Some(error) = wanted.or(def.errors.first()) {
            let failed = def.statements.iter().rev().find(|s| self.state.statements[**s].failed_with(error));
            self.calls.clear();
            self.failure(level, failed.copied(), error.clone(), def.site);
            return;
        }
        self.changes(level, None);
        self.leaked_from(level);
        let last = def.statements.last().and_then(|s| self.state.statements[*s].site);
        let site = self.returns_at(id, last).or(last).or(def.site);
        let result = def.result.clone().unwrap_or(Arg::Plain(Value::None));
        self.scopes[level].current = usize::MAX - 1;
        let (ex, pieces) = self.noted(|w| w.arg(&result));
        let is_empty = self.scopes[level].last.is_empty() && self.scopes[level].slots.values().all(Vec::is_empty);
        if is_empty || !matches!(result, Arg::Plain(Value::None)) {
            let line = Line::new(0, format!("return {}", ex.bare(&result)), site).of(&pieces);
            self.scopes[level].last.push(line);
        }
    }

    /// The `return` that a body has ended with, as far as its text tells: the first one that does not end before the last thing that it did.
    fn returns_at(&self, id: usize, last: Option<Site>) -> Option<Site> {
        // Of a part of a function that is wanted, it is not what is given.
        if self.state.keeps_frames && self.state.wanted_def == Some(id) {
            return None;
        }
        let def = &self.state.defs[id];
        let function = def.function.as_ref()?;
        let file = function.unit.file;
        let module = &self.analysis.files.get(self.analysis.file_index(file)?)?.module;
        let own = function.code().span;
        let is_in = |span: Span, around: Span| around.start <= span.start && span.end <= around.end;
        let inner = |span: Span| {
            module.codes.iter().any(|code| code.span != own && is_in(code.span, own) && is_in(span, code.span))
        };
        let from =
            last.filter(|last| last.file == file && is_in(last.span, own)).map_or(own.start, |last| last.span.end);
        let returns = module.stmts.iter().zip(&module.stmt_spans).filter_map(|(statement, span)| match statement {
            Stmt::Return(Some(_)) if is_in(*span, own) && span.end >= from && !inner(*span) => Some(*span),
            _ => None,
        });
        returns.min_by_key(|span| span.start).map(|span| Site { file, span })
    }

    /// Writes the statement that fails, as the last one.
    pub fn failure(&mut self, level: usize, failed: Option<usize>, error: Raised, site: Option<Site>) {
        self.changes(level, failed);
        self.leaked_from(level);
        match failed {
            Some(id) => {
                let (ex, pieces) = self.noted(|w| w.within(level, id, |w| w.statement(id)));
                // What fails when it runs, not when it is traced, has to be part of the result.
                let runs = level > 0
                    && self.state.style == Style::Whole
                    && !matches!(
                        self.state.statements[id].op,
                        Op::SetItem | Op::SetAttribute(_) | Op::DeleteItem | Op::Unpack(..)
                    );
                let text = if runs { format!("return {}", ex.text) } else { ex.text };
                self.put_pieces(level, id, (text, &pieces), self.state.statements[id].site);
            }
            None => {
                let reported = self.state.reported.iter().find(|(other, _)| *other == error);
                let site = reported.and_then(|(_, sites)| sites.first().copied()).or(site);
                let class = error.class.as_str();
                let text = match class.starts_with(|c: char| c.is_uppercase()) && !class.contains('.') {
                    _ if import_of(&error).is_some() => import_of(&error).unwrap_or_default(),
                    true if class == "KeyError" => format!("raise KeyError({})", quoted(&error.message)),
                    true => format!("raise {class}({})", literal::text(&error.message)),
                    false => {
                        let name = class.rsplit('.').next().unwrap_or(class);
                        let name = self.class(name, "(Exception)");
                        format!("raise {name}({})", literal::text(&error.message))
                    }
                };
                self.scopes[level].last.push(Line::new(0, text, site));
            }
        }
    }
}
