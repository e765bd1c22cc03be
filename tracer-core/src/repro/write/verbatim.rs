//! Functions that run on numbers (callbacks): what they do is no call of the framework, so that their own text stands for them.

use std::rc::Rc;

use super::expression::Ex;
use super::{Line, Writer};
use crate::frameworks::is_framework;
use crate::module::{Expr, Place, Symbol};
use crate::python::{Function, Site, Value};
use crate::repro::literal;
use crate::repro::names::free_name;
use crate::repro::spaces::spaced;
use crate::repro::tree::{Arg, Op};
use crate::text::Span;

/// What calls functions on numbers.
const CALLBACKS: [&str; 3] = ["pure_callback", "io_callback", "callback"];

/// Modules of Python's own whose functions do the same wherever they are called.
const PYTHONS: [&str; 12] = [
    "math",
    "cmath",
    "functools",
    "itertools",
    "operator",
    "collections",
    "json",
    "re",
    "statistics",
    "string",
    "struct",
    "textwrap",
];

/// Longer lines would be broken otherwise than they are.
const WIDTH: usize = 84;

/// So many functions that call each other stand as they are.
const MOST_DEEP: usize = 8;

/// So many bytes a short function has at most.
const SHORT: u32 = 120;

/// Whether a function is short, and has no defaults, so that its own text may stand for it.
pub fn is_short(function: &Function) -> bool {
    let span = function.code().span;
    span.end - span.start <= SHORT && function.defaults.is_empty() && function.kw_defaults.is_empty()
}

impl Writer<'_> {
    /// The text of a callback, where it needs nothing but NumPy, JAX and plain constants; `None` for others.
    pub fn verbatim(&mut self, function: &Rc<Function>) -> Option<Ex> {
        let Op::Call(Value::Function(callee)) = &self.state.statements[*self.calls.last()?].op else { return None };
        if is_callback(callee) { self.own_text(|w| w.text_within(function, &mut Vec::new())) } else { None }
    }

    /// The text of a short function that no call of the framework was seen to call (what `is_leaf` asks of parts of a tree), where it needs
    /// nothing but what callbacks may.
    pub fn short_text(&mut self, function: &Rc<Function>) -> Option<Ex> {
        let is_nameless = function.name().as_str() == "<lambda>";
        if !is_short(function) || !is_nameless && !self.is_walk() {
            return None;
        }
        self.own_text(|w| w.text_within(function, &mut Vec::new()))
    }

    /// Whether an argument is no function of the program, or one whose text is known.
    pub fn has_text(&self, arg: &Arg) -> bool {
        let Arg::Callable(Value::Function(function)) = arg else { return true };
        self.analysis.file_index(function.unit.file).is_some()
    }

    /// Whether the statement that is being written walks over a tree.
    fn is_walk(&self) -> bool {
        let Some(call) = self.calls.last().map(|call| &self.state.statements[*call]) else { return false };
        matches!(&call.op, Op::Call(Value::Function(callee)) if callee.module.name.as_str().starts_with("jax.tree"))
    }

    pub fn own_text(&mut self, write: impl FnOnce(&mut Self) -> Option<Ex>) -> Option<Ex> {
        let top = &self.scopes[0];
        let before = (top.slots.clone(), top.functions.clone(), self.given.clone(), self.imports.clone());
        let arrays = (self.tops.clone(), self.constants.clone());
        let found = write(self);
        if found.is_none() {
            // What it calls has been written, and nobody else needs it.
            (self.scopes[0].slots, self.scopes[0].functions, self.given, self.imports) = before;
            (self.tops, self.constants) = arrays;
        }
        found
    }

    /// The text of a function that those functions call of which `around` are the identities.
    fn text_within(&mut self, function: &Rc<Function>, around: &mut Vec<usize>) -> Option<Ex> {
        let file = self.analysis.files.get(self.analysis.file_index(function.unit.file)?)?;
        let span = function.code().span;
        let text = file.text.get(span.start as usize..span.end as usize)?;
        around.push(Rc::as_ptr(function) as usize);
        let constants = self.constants(function, span, around);
        around.pop();
        let constants = constants?;
        if text.starts_with("lambda") {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            return constants.is_empty().then(|| Ex::lambda(one_line(&text)));
        }
        let name = function.name();
        let lines = own_lines(function, text)?;
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
        self.give(name.to_string());
        self.given.extend(constants.iter().map(|(name, _)| name.to_string()));
        self.scopes[0].functions.insert(key, name.to_string());
        let before = file.text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let column = span.start as usize - before;
        let slot = self.scopes[0].slots.entry(0).or_default();
        slot.extend(constants.iter().map(|(name, value)| Line::new(0, format!("{name} = {value}"), None)));
        let mut depth = 0;
        for (i, (indent, text, site)) in lines.into_iter().enumerate() {
            let shown = if depth == 0 { one_line(text) } else { text.to_owned() };
            depth += depth_of(text).unwrap_or(0);
            slot.push(Line::new(indent.saturating_sub(if i == 0 { 0 } else { column }), shown, Some(site)));
        }
        Some(Ex::atom(name.to_string()))
    }

    /// The constants that a function needs of what is around it; `None` where it needs more than that, and than functions that may stand as
    /// they are.
    pub fn constants(
        &mut self,
        function: &Function,
        span: Span,
        around: &mut Vec<usize>,
    ) -> Option<Vec<(Symbol, String)>> {
        let module = &function.unit.module;
        let code = function.code();
        let mut found: Vec<(Symbol, String)> = Vec::new();
        for (name, cell) in code.frees.iter().zip(&function.captured) {
            let value = cell.read().clone();
            found.extend(self.constant(name.0, &value, around)?);
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
                Some(Value::Module(found)) if PYTHONS.contains(&&*found.name) => {
                    match found.name == *name {
                        true => self.imports.modules.insert(name.to_string()),
                        false => self.imports.aliases.insert((found.name.to_string(), name.to_string())),
                    };
                }
                Some(Value::Module(found)) if !is_framework(&found.name) => return None,
                Some(Value::Module(found)) if self.imports.spell(&found.name) == name.as_str() => {}
                Some(Value::Module(found)) => {
                    self.imports.aliases.insert((found.name.to_string(), name.to_string()));
                }
                Some(value) => found.extend(self.constant(*name, &value, around)?),
            }
        }
        Some(found)
    }

    /// What a function needs that stands for a name: a number, a text, an array of NumPy; nothing for a function that has its own name.
    pub fn constant(
        &mut self,
        name: Symbol,
        value: &Value,
        around: &mut Vec<usize>,
    ) -> Option<Option<(Symbol, String)>> {
        if let Some(text) = constant(value) {
            return Some(Some((name, text)));
        }
        let text = match value {
            Value::Function(inner) if around.contains(&(Rc::as_ptr(inner) as usize)) => return Some(None),
            Value::Function(inner) if !inner.module.unit.ours && around.len() < MOST_DEEP => {
                let has_defaults = !inner.defaults.is_empty() || !inner.kw_defaults.is_empty();
                let is_own = inner.name() == name && !has_defaults;
                if !is_own && inner.name().as_str() != "<lambda>" {
                    return None;
                }
                self.text_within(inner, around)?.text
            }
            Value::Object(_) if self.it.hooks.borrow().as_ref().is_some_and(|hooks| hooks.held(value).is_some()) => {
                self.plain(value).text
            }
            _ => return None,
        };
        Some((text != name.as_str()).then_some((name, text)))
    }
}

/// Whether this is a function of the framework that calls functions on numbers.
pub fn is_callback(callee: &Function) -> bool {
    callee.module.unit.ours && CALLBACKS.contains(&callee.name().as_str())
}

/// The lines of a function's text, without its docstring, where they may stand as they are: with their indentation and their places.
pub fn own_lines<'a>(function: &Function, text: &'a str) -> Option<Vec<(usize, &'a str, Site)>> {
    let span = function.code().span;
    let mut said = function.code().docstring.as_ref().map(|_| Docstring::Ahead);
    let mut lines: Vec<(usize, &str, Site)> = Vec::new();
    let (mut at, mut depth) = (span.start, 0);
    for line in text.split('\n') {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        let site = Site { file: function.unit.file, span: Span { start: at, end: at + line.len() as u32 } };
        at += line.len() as u32 + 1;
        let is_behind_head = depth == 0 && lines.last().is_some_and(|(_, text, _)| text.ends_with(':'));
        let is_said = said.as_mut().is_some_and(|said| said.takes(trimmed.trim_end(), is_behind_head));
        if trimmed.trim_end().is_empty() || is_said {
            continue;
        }
        let deeper = depth_of(trimmed);
        // A long line that is no part of a statement of several is broken like any other.
        if line.len() > WIDTH && (depth > 0 || deeper != Some(0)) {
            return None;
        }
        depth += deeper.unwrap_or(0);
        lines.push((indent, trimmed.trim_end(), site));
    }
    let is_plain = |text: &str| !text.contains("\"\"\"") && !text.contains("'''");
    if lines.last().is_some_and(|(_, text, _)| text.ends_with(':')) {
        // There is nothing but the docstring.
        return None;
    }
    if !text.starts_with("def ") || !lines.iter().all(|(_, text, _)| is_plain(text)) {
        return None;
    }
    Some(lines)
}

/// A statement with the spaces that formatters give it, where it is one of one line.
fn one_line(text: &str) -> String {
    match spaced(text).as_deref() {
        Some([(_, line)]) => line.clone(),
        _ => text.to_owned(),
    }
}

/// A docstring while the lines of a function are read.
enum Docstring {
    Ahead,
    /// It ends where this stands.
    Within(&'static str),
    Behind,
}

impl Docstring {
    /// Whether a line is of it.
    fn takes(&mut self, line: &str, is_behind_head: bool) -> bool {
        match *self {
            Docstring::Ahead if is_behind_head => {
                let text = line.trim_start_matches(['r', 'R', 'u', 'U']);
                let quote = ["\"\"\"", "'''"].into_iter().find(|quote| text.starts_with(quote));
                *self = match quote {
                    Some(quote) if !text[3..].contains(quote) => Docstring::Within(quote),
                    _ => Docstring::Behind,
                };
                text.starts_with(['"', '\''])
            }
            Docstring::Ahead | Docstring::Behind => false,
            Docstring::Within(quote) => {
                if line.contains(quote) {
                    *self = Docstring::Behind;
                }
                true
            }
        }
    }
}

/// How many brackets more a line opens than it closes; `None` where texts or comments are in it.
fn depth_of(line: &str) -> Option<i32> {
    if line.contains(['"', '\'', '#', '\\']) {
        return None;
    }
    let opened = line.matches(['(', '[', '{']).count();
    let closed = line.matches([')', ']', '}']).count();
    Some(opened as i32 - closed as i32)
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
