//! Values that are `None` or something known ([`Unknown::or_none`]).
//!
//! What `None` cannot do raises, so that on the way on from it the value is the other one; that it raises is not told. What takes
//! `None` as well gives something that is not known. Branches that ask for `None` tell their sides which it is.

use std::rc::Rc;

use smallvec::SmallVec;

use super::Interp;
use super::function::Run;
use crate::module::{CodeKind, CompareOp, Const, Expr, ExprId, Place, UnaryOp};
use crate::python::halt::{Halt, Step};
use crate::python::value::Unknown;
use crate::python::{Args, Value};

/// Variables of which a branch tells what they are.
pub(super) type Narrowed = SmallVec<[(Place, Value); 1]>;

/// So many arguments may be `None` or not.
const MOST_ARGUMENTS: usize = 3;

impl Interp {
    /// What an unknown value is where `None` would raise.
    pub(super) fn meant(&self, unknown: &Unknown) -> Option<Value> {
        let held = unknown.or_none.clone()?;
        // Where the program catches what is raised, it may go on from there.
        self.unsure.set(self.unsure.get() + 1);
        Some(held)
    }

    /// What an operation gives for the value that is meant: that it raises is not known, as is nothing of a value that is not known.
    ///
    /// # Errors
    /// Not knowing.
    pub(super) fn of_meant<T>(&self, unknown: &Unknown, operation: impl FnOnce(&Value) -> Step<T>) -> Step<T> {
        let Some(held) = self.meant(unknown) else { return Err(Halt::Unknown(unknown.why.clone())) };
        match operation(&held) {
            Err(Halt::Raise(_)) => Err(Halt::Unknown(unknown.why.clone())),
            result => result,
        }
    }

    /// The arguments of a call of a framework's function with what is meant by those that may be `None`, and what it gives for `None`
    /// where it takes that. None where there are no such arguments.
    pub(super) fn meant_arguments(self: &Rc<Self>, callee: &Value, args: &Args) -> Option<Step<(Args, Option<Value>)>> {
        let given = || args.positional.iter().chain(args.keyword.iter().map(|(_, value)| value));
        let count = given().filter(|value| holds_maybe(value)).count();
        let first = count == 1 && args.positional.first().is_some_and(holds_maybe);
        let hooks = self.array_hooks().ok()?;
        if count == 0 || count > MOST_ARGUMENTS || self.repro.on.get() || !hooks.can_ask(self, callee, first) {
            return None;
        }
        let mut taken = None;
        let mut meant = args.clone();
        for at in 0..args.positional.len() + args.keyword.len() {
            let old = argument(&mut meant, at).clone();
            let (Some(held), Some(none)) = (replaced(&old, false), replaced(&old, true)) else { continue };
            let mut without = meant.clone();
            *argument(&mut without, at) = none;
            *argument(&mut meant, at) = held;
            match self.while_catching(|| self.call(callee, without)) {
                Err(Halt::Raise(_)) => {}
                Ok(Value::Unknown(_)) | Err(Halt::Unknown(_)) if count == 1 && hooks.makes_objects(callee) => {
                    taken = Some(Value::None);
                }
                Ok(value) if count == 1 => taken = Some(value),
                Ok(_) => return None,
                Err(halt) => return Some(Err(halt)),
            }
        }
        Some(Ok((meant, taken)))
    }
}

/// An argument by its place; those by name come last.
pub(super) fn argument(args: &mut Args, at: usize) -> &mut Value {
    let places = args.positional.len();
    if at < places { &mut args.positional[at] } else { &mut args.keyword[at - places].1 }
}

/// Whether a value, or an item of a sequence, may be `None`.
fn holds_maybe(value: &Value) -> bool {
    let may_be = |value: &Value| value.unless_none().is_some();
    match value {
        Value::Tuple(items) => items.iter().any(may_be),
        Value::List(list) if list.why_vague().is_none() => list.read().iter().any(may_be),
        value => may_be(value),
    }
}

/// A value with what is meant, or with `None`, for what may be `None`; none where nothing may be.
fn replaced(value: &Value, by_none: bool) -> Option<Value> {
    let one = |value: &Value| value.unless_none().map(|held| if by_none { Value::None } else { held.clone() });
    let all = |items: &[Value]| -> Option<Vec<Value>> {
        let found = items.iter().any(|item| item.unless_none().is_some());
        found.then(|| items.iter().map(|item| one(item).unwrap_or_else(|| item.clone())).collect())
    };
    match value {
        Value::Tuple(items) => all(items).map(Value::tuple),
        Value::List(list) if list.why_vague().is_none() => all(&list.read()).map(Value::list),
        value => one(value),
    }
}

impl Run<'_> {
    /// What the sides of a branch may suppose of variables that may be `None`: where the condition holds, and where not.
    pub(super) fn narrowed(&self, test: ExprId) -> [Narrowed; 2] {
        let mut sides = [Narrowed::new(), Narrowed::new()];
        if self.user {
            self.narrow(test, &mut sides);
        }
        sides
    }

    fn narrow(&self, test: ExprId, [yes, no]: &mut [Narrowed; 2]) {
        match self.module.expr(test) {
            Expr::Name(..) => {
                if let Some((place, held)) = self.may_be_none(test) {
                    yes.push((place, held));
                }
            }
            Expr::Compare(left, rest) => {
                let [(op @ (CompareOp::Is | CompareOp::IsNot), right)] = &rest[..] else { return };
                let name = match (self.is_none(*left), self.is_none(*right)) {
                    (false, true) => *left,
                    (true, false) => *right,
                    _ => return,
                };
                if let Some((place, held)) = self.may_be_none(name) {
                    let (none, other) = if *op == CompareOp::Is { (yes, no) } else { (no, yes) };
                    none.push((place, Value::None));
                    other.push((place, held));
                }
            }
            Expr::Unary(UnaryOp::Not, inner) => {
                let mut sides = [Narrowed::new(), Narrowed::new()];
                self.narrow(*inner, &mut sides);
                let [inner_yes, inner_no] = sides;
                yes.extend(inner_no);
                no.extend(inner_yes);
            }
            // All of them hold; where they do not, it is not known which.
            Expr::And(values) => {
                let mut sides = [Narrowed::new(), Narrowed::new()];
                values.iter().for_each(|value| self.narrow(*value, &mut sides));
                yes.extend(std::mem::take(&mut sides[0]));
            }
            Expr::Or(values) => {
                let mut sides = [Narrowed::new(), Narrowed::new()];
                values.iter().for_each(|value| self.narrow(*value, &mut sides));
                no.extend(std::mem::take(&mut sides[1]));
            }
            _ => {}
        }
    }

    fn is_none(&self, expr: ExprId) -> bool {
        matches!(self.module.expr(expr), Expr::Constant(Const::None))
    }

    /// The variable that an expression reads, and what it is if not `None`.
    fn may_be_none(&self, expr: ExprId) -> Option<(Place, Value)> {
        let Expr::Name(place, name) = self.module.expr(expr) else { return None };
        let is_own = match place {
            Place::Local(_) => true,
            // Elsewhere it would be a write that the function does not do.
            Place::Global(_) => matches!(self.code.kind, CodeKind::Module) && self.home.names.get().is_none(),
            _ => false,
        };
        let value = is_own.then(|| self.load(*place, *name).ok())??;
        Some((*place, value.unless_none()?.clone()))
    }

    /// Runs `body` with variables taken for what a branch tells of them.
    pub(super) fn supposing<T>(&mut self, narrowed: &Narrowed, body: impl FnOnce(&mut Self) -> T) -> T {
        let now = |run: &Self, place: Place| match place {
            Place::Global(slot) => run.home.slots.read()[slot as usize].clone(),
            Place::Local(slot) => run.frame.locals[slot as usize].clone(),
            _ => Value::Unbound,
        };
        let before: Narrowed = narrowed.iter().map(|(place, _)| (*place, now(self, *place))).collect();
        self.suppose(narrowed);
        let result = body(self);
        for ((place, supposed), (_, before)) in narrowed.iter().zip(before) {
            // What has been bound meanwhile stays.
            if now(self, *place).is(supposed) {
                self.store(*place, before);
            }
        }
        result
    }

    /// Takes variables for what a branch tells of them.
    pub(super) fn suppose(&mut self, narrowed: &Narrowed) {
        for (place, value) in narrowed {
            self.store(*place, value.clone());
        }
    }
}
