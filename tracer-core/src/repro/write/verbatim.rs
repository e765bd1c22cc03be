//! Functions that run on numbers (callbacks): what they do is no call of the framework, so that their own text stands for them.

use std::rc::Rc;

use super::expression::Ex;
use super::{Line, Writer};
use crate::frameworks::is_framework;
use crate::module::{Expr, Place, Symbol};
use crate::python::{Function, Site, Value};
use crate::repro::literal;
use crate::repro::names::free_name;
use crate::repro::tree::Op;
use crate::text::Span;

/// What calls functions on numbers.
const CALLBACKS: [&str; 3] = ["pure_callback", "io_callback", "callback"];

/// Longer lines would be broken otherwise than they are.
const WIDTH: usize = 84;

/// So many bytes a short function has at most.
const SHORT: u32 = 120;

impl Writer<'_> {
    /// The text of a callback, where it needs nothing but NumPy, JAX and plain constants; `None` for others.
    pub fn verbatim(&mut self, function: &Rc<Function>) -> Option<Ex> {
        let Op::Call(Value::Function(callee)) = &self.state.statements[*self.calls.last()?].op else { return None };
        let is_callback = callee.module.unit.ours && CALLBACKS.contains(&callee.name().as_str());
        if is_callback { self.own_text(function) } else { None }
    }

    /// The text of a short function that no call of the framework was seen to call (what `is_leaf` asks of parts of a tree), where it needs
    /// nothing but what callbacks may.
    pub fn short_text(&mut self, function: &Rc<Function>) -> Option<Ex> {
        let span = function.code().span;
        let has_defaults = !function.defaults.is_empty() || !function.kw_defaults.is_empty();
        let is_nameless = function.name().as_str() == "<lambda>";
        if has_defaults || span.end - span.start > SHORT || !is_nameless && !self.is_walk() {
            return None;
        }
        self.own_text(function)
    }

    /// Whether the statement that is being written walks over a tree.
    fn is_walk(&self) -> bool {
        let Some(call) = self.calls.last().map(|call| &self.state.statements[*call]) else { return false };
        matches!(&call.op, Op::Call(Value::Function(callee)) if callee.module.name.as_str().starts_with("jax.tree"))
    }

    fn own_text(&mut self, function: &Rc<Function>) -> Option<Ex> {
        let file = self.analysis.files.get(self.analysis.file_index(function.unit.file)?)?;
        let span = function.code().span;
        let text = file.text.get(span.start as usize..span.end as usize)?;
        let constants = self.constants(function, span)?;
        if text.starts_with("lambda") {
            return constants.is_empty().then(|| Ex::lambda(text.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
        let name = function.name();
        let is_plain = text.starts_with("def ") && !text.contains("\"\"\"") && !text.contains("'''");
        if !is_plain || text.lines().any(|line| line.len() > WIDTH) {
            return None;
        }
        let key = format!("{text}{constants:?}");
        if let Some(name) = self.scopes[0].functions.get(&key) {
            return Some(Ex::atom(name.clone()));
        }
        let is_free = |name: &str, given: &std::collections::BTreeSet<String>| {
            free_name(name, |name| given.contains(name)) == name
        };
        let all_free = is_free(&name, &self.given) && constants.iter().all(|(name, _)| is_free(name, &self.given));
        if !all_free {
            return None;
        }
        self.given.insert(name.to_string());
        self.given.extend(constants.iter().map(|(name, _)| name.to_string()));
        self.scopes[0].functions.insert(key, name.to_string());
        let before = file.text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let column = span.start as usize - before;
        let slot = self.scopes[0].slots.entry(0).or_default();
        slot.extend(constants.iter().map(|(name, value)| Line::new(0, format!("{name} = {value}"), None)));
        let mut at = span.start;
        for (i, line) in text.split('\n').enumerate() {
            let trimmed = line.trim_start();
            let indent = (line.len() - trimmed.len()).saturating_sub(if i == 0 { 0 } else { column });
            let site = Site { file: function.unit.file, span: Span { start: at, end: at + line.len() as u32 } };
            at += line.len() as u32 + 1;
            if !trimmed.trim_end().is_empty() {
                slot.push(Line::new(indent, trimmed.trim_end(), Some(site)));
            }
        }
        Some(Ex::atom(name.to_string()))
    }

    /// The constants that a function needs of what is around it; `None` where it needs more than that.
    fn constants(&mut self, function: &Function, span: Span) -> Option<Vec<(Symbol, String)>> {
        let module = &function.unit.module;
        let code = function.code();
        let mut found: Vec<(Symbol, String)> = Vec::new();
        for (name, cell) in code.frees.iter().zip(&function.captured) {
            found.push((name.0, constant(&cell.read())?));
        }
        for (i, expr) in module.exprs.iter().enumerate() {
            let at = module.span(crate::module::ExprId(i as u32));
            let Expr::Name(Place::Global(_), name) = expr else { continue };
            if at.start < span.start || span.end < at.end || found.iter().any(|(other, _)| other == name) {
                continue;
            }
            match function.module.get(*name) {
                None => {}
                // Names of modules are spelt as they are here.
                Some(Value::Module(found)) if self.imports.spell(&found.name) == name.as_str() => {}
                Some(Value::Module(found)) if is_framework(&found.name) => {
                    self.imports.aliases.insert((found.name.to_string(), name.to_string()));
                }
                Some(Value::Module(_)) => return None,
                Some(value) => found.push((*name, constant(&value)?)),
            }
        }
        Some(found)
    }
}

/// A number or a text as it is written.
fn constant(value: &Value) -> Option<String> {
    Some(match value {
        Value::None => "None".into(),
        Value::Bool(value) => if *value { "True" } else { "False" }.into(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => literal::float(*value),
        Value::Str(value) => literal::text(value),
        _ => return None,
    })
}
