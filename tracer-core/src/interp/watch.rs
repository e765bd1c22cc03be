//! Expressions whose values somebody wants as text, and whether a cache answered them: for tests.

use std::cell::{Cell, RefCell};

use rustc_hash::{FxHashMap, FxHashSet};

use super::function::Run;
use crate::array::{DType, Number, Tensor};
use crate::module::ExprId;
use crate::python::halt::Step;
use crate::python::{FileId, Value};
use crate::text::Span;

/// What a watched expression was, once.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// The numbers of an array, otherwise as `print` shows it; `None` for what has no known value.
    pub text: Option<String>,
    /// Whether functions of the user were traced for it.
    pub traced: bool,
}

/// What is watched, and what was seen.
#[derive(Default)]
pub struct Watch {
    /// Whether anything is watched.
    pub on: Cell<bool>,
    /// The ranges that are watched, in whatever file of the user's.
    pub spans: RefCell<FxHashSet<Span>>,
    /// What was seen, in order.
    pub seen: RefCell<FxHashMap<(FileId, Span), Vec<Watched>>>,
}

/// Longer arrays are not written out.
const MOST_NUMBERS: usize = 1000;

/// The numbers of a tensor in nested brackets; `None` for what is too long or no number.
fn numbers(tensor: &Tensor) -> Option<String> {
    if tensor.len() > MOST_NUMBERS || tensor.dtype.is_key() {
        return None;
    }
    let texts: Vec<String> = tensor.numbers().map(|number| number_text(tensor.dtype, number)).collect();
    let mut text = String::new();
    nested(&tensor.shape, &mut texts.iter(), &mut text);
    Some(text)
}

fn number_text(dtype: DType, number: Number) -> String {
    match dtype {
        DType::Bool => (if number.truthy() { "True" } else { "False" }).to_owned(),
        d if d.is_complex() => {
            let number = number.as_complex();
            format!("{}{:+}j", number.re, number.im)
        }
        d if d.is_integer() => number.as_int().map_or_else(|| number.as_float().to_string(), |n| n.to_string()),
        _ => number.as_float().to_string(),
    }
}

fn nested<'t>(shape: &[usize], texts: &mut impl Iterator<Item = &'t String>, out: &mut String) {
    let [size, rest @ ..] = shape else {
        out.push_str(texts.next().map_or("?", String::as_str));
        return;
    };
    out.push('[');
    for i in 0..*size {
        if i > 0 {
            out.push(' ');
        }
        nested(rest, texts, out);
    }
    out.push(']');
}

impl Run<'_> {
    /// Evaluates an expression that may be watched.
    #[cold]
    pub fn eval_watched(&mut self, expr: ExprId) -> Step<Value> {
        let span = self.module.span(expr);
        if !self.it.watch.spans.borrow().contains(&span) {
            return self.eval_plain(expr);
        }
        let before = self.it.recorder.all_runs();
        let value = self.eval_plain(expr)?;
        let traced = self.it.recorder.all_runs() > before;
        let held = match &value {
            Value::Array(array) => Some(array.clone()),
            other => self.it.hooks.borrow().as_ref().and_then(|hooks| hooks.held(other)),
        };
        let text = match held {
            Some(array) if array.is_tracer() => None,
            Some(array) => self.it.engine.force(&array).ok().and_then(|tensor| numbers(&tensor)),
            None => {
                let text = self.it.while_catching(|| self.it.str_of(&value));
                text.ok().and_then(|t| t.as_str().map(str::to_owned))
            }
        };
        self.it.watch.seen.borrow_mut().entry((self.file, span)).or_default().push(Watched { text, traced });
        Ok(value)
    }
}
