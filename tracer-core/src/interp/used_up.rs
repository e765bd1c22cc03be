//! Generator expressions that are used up where they stand: `tuple(f(x) for x in xs)`, `any(…)`, `sum(…)`.
//!
//! Nobody else ever sees such a generator, so its clauses run as those of a comprehension do, and hand each element on as it
//! comes: no generator with a stack of its own is made, and none is unwound where `any` has heard enough.

use std::rc::Rc;

use super::Interp;
use super::function::Run;
use crate::module::{Arg, BinaryOp, CodeId, CodeKind, Expr, ExprId};
use crate::python::halt::{Step, Why};
use crate::python::{Guess, Value};

/// What becomes of the elements.
pub enum Use {
    /// They are kept.
    Items(Vec<Value>),
    /// `any` (true) or `all` (false): whether an element was what is looked for, and why one may have been.
    Quantified { wanted: bool, found: bool, maybe: Option<Why> },
    /// They are added up.
    Sum(Value),
}

impl Use {
    /// Takes an element: whether that is enough, or may be where none before it might have been.
    ///
    /// # Errors
    /// What adding it or asking for its truth raises.
    pub fn take(&mut self, it: &Rc<Interp>, element: Value) -> Step<bool> {
        match self {
            Use::Items(items) => items.push(element),
            Use::Quantified { wanted, found, maybe } => match it.truth_or_unknown(&element)? {
                Ok(truth) => *found = truth == *wanted,
                Err(why) => return Ok(maybe.replace(why).is_none()),
            },
            Use::Sum(total) => match (&mut *total, &element) {
                (Value::Int(sum), Value::Int(number)) if let Some(all) = sum.checked_add(*number) => *sum = all,
                (Value::Float(sum), Value::Float(number)) => *sum += number,
                _ => *total = it.binary(BinaryOp::Add, total, &element)?,
            },
        }
        Ok(matches!(self, Use::Quantified { found: true, .. }))
    }
    /// Takes an element that is not known: whether it may be enough where none before it might have been; `None` where each
    /// element is needed.
    pub fn take_unknown(&mut self, why: &Why) -> Option<bool> {
        match self {
            Use::Quantified { maybe, .. } => Some(maybe.replace(why.clone()).is_none()),
            _ => None,
        }
    }
    /// Why it is not known whether the elements taken are enough.
    pub fn why_maybe(&self) -> Option<&Why> {
        match self {
            Use::Quantified { found: false, maybe, .. } => maybe.as_ref(),
            _ => None,
        }
    }
    /// The result of `any`, `all` and `sum`; a list of what was kept.
    pub fn result(self) -> Value {
        match self {
            Use::Items(items) => Value::list(items),
            Use::Quantified { wanted, found: true, .. } => Value::Bool(wanted),
            Use::Quantified { maybe: Some(maybe), .. } => Value::unknown_of(Guess::Bool, maybe.0.clone()),
            Use::Quantified { wanted, .. } => Value::Bool(!wanted),
            Use::Sum(total) => total,
        }
    }
}

impl Run<'_> {
    /// The code and first iterable of a generator expression that is the only argument of a call.
    #[inline]
    pub(super) fn only_generator(&self, args: &[Arg]) -> Option<(CodeId, ExprId)> {
        let [Arg::Positional(argument)] = args else { return None };
        match self.module.expr(*argument) {
            Expr::Comprehension(code, first) => {
                let plain = self.module.code(*code);
                (plain.kind == CodeKind::GeneratorExp && !plain.is_async).then_some((*code, *first))
            }
            _ => None,
        }
    }

    /// What a builtin that is called with a generator expression alone does with its elements; `None` for other callables.
    pub(super) fn use_of_elements(&self, callee: &Value) -> Option<Use> {
        let t = &self.it.types;
        match callee {
            Value::Class(class) => [&t.tuple, &t.list, &t.set, &t.frozenset]
                .iter()
                .any(|builtin| Rc::ptr_eq(builtin, class))
                .then(|| Use::Items(Vec::new())),
            Value::Native(native) if self.it.is_builtin(native.name, callee) => match native.name.as_str() {
                "any" | "all" => {
                    let wanted = native.name.as_str() == "any";
                    Some(Use::Quantified { wanted, found: false, maybe: None })
                }
                "sum" => Some(Use::Sum(Value::Int(0))),
                "sorted" | "min" | "max" => Some(Use::Items(Vec::new())),
                _ => None,
            },
            _ => None,
        }
    }

    /// Calls a builtin with the elements of a generator expression.
    ///
    /// # Errors
    /// What the elements, and the builtin, raise.
    pub(super) fn call_with_elements(
        &mut self,
        call: ExprId,
        callee: &Value,
        (code, first): (CodeId, ExprId),
        taker: Use,
    ) -> Step<Value> {
        self.it.spend()?;
        let iterator = self.first_iterator(first)?;
        self.call_with_iterator(call, callee, code, iterator, taker)
    }

    /// As [`Run::call_with_elements`], with the first iterator.
    ///
    /// # Errors
    /// What the elements, and the builtin, raise.
    pub(super) fn call_with_iterator(
        &mut self,
        call: ExprId,
        callee: &Value,
        code: CodeId,
        iterator: Value,
        taker: Use,
    ) -> Step<Value> {
        let result = self.marked(call, |run| run.run_elements(code, iterator, taker))?;
        match (result, callee) {
            (Use::Items(items), Value::Class(class)) if Rc::ptr_eq(class, &self.it.types.tuple) => {
                Ok(Value::tuple(items))
            }
            (items @ Use::Items(_), _) => {
                let items = items.result();
                if let Some(value) = self.it.made_of_plain(callee, std::slice::from_ref(&items)) {
                    return Ok(value);
                }
                self.marked(call, |run| run.it.call_with(callee, [items]))
            }
            (other, _) => Ok(other.result()),
        }
    }
}
