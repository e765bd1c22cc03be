//! Methods that are called: what a call calls and its receiver, into two registers.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use super::handlers::{attempt, fields, inside};
use super::op::{At, Flat, Op, Reg};
use crate::interp::function::Run;
use crate::module::{Expr, ExprId, Place};
use crate::python::{Function, Instance, Value, journal};

/// What a place found last where a method is looked up: the class of the instance, the class behind which it was looked for (none
/// is 0), how often classes had changed by then, and the method. It is held weakly: forms outlast runs.
#[derive(Debug, Default)]
pub struct MethodSite(Cell<(u64, u64, u64)>, RefCell<Weak<Function>>);

impl MethodSite {
    /// The method, where nothing has changed.
    #[inline(always)]
    fn known(&self, class: u64, behind: u64) -> Option<Rc<Function>> {
        match self.0.get() == (class, behind, journal::class_changes()) {
            true => self.1.borrow().upgrade(),
            false => None,
        }
    }

    /// Puts the method into a slot where a function, or nothing, stands, and nothing has changed; whether it did.
    #[inline(always)]
    fn put(&self, class: u64, slot: &mut Value) -> bool {
        if self.0.get() != (class, 0, journal::class_changes()) {
            return false;
        }
        let method = self.1.borrow();
        match slot {
            Value::Function(held) if Rc::as_ptr(held) == method.as_ptr() => true,
            slot => match method.upgrade() {
                Some(method) => Value::put_light(slot, &Value::Function(method)),
                None => false,
            },
        }
    }

    /// Keeps it in mind.
    fn keep(&self, class: u64, behind: u64, method: &Rc<Function>) {
        self.0.set((class, behind, journal::class_changes()));
        self.1.replace(Rc::downgrade(method));
    }
}

/// Puts in the receiver alone where it has the builtin method.
pub(super) fn builtin_method<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Method { builtin, base, object, .. });
    if run.watches_writes() {
        return method(run, flat, op, at);
    }
    if !builtin.is_some_and(|builtin| builtin.is_of(run.reg(object))) {
        return method(run, flat, op, at);
    }
    if let Some(next) = run.calls_at_once(flat, object, at) {
        return next;
    }
    let receiver = run.reg(object).clone();
    Value::put(&mut run.frame.locals[base as usize], Value::Unbound);
    run.done(at, base + 1, receiver)
}

pub(super) fn method<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Method { base, object, site, expr, .. });
    // The function stands there from the last time, mostly.
    if !run.watches_writes()
        && let name = run.attribute_name(expr)
        && let Some(place) = flat.methods.get(usize::from(site))
        && let Ok([object, callee, receiver]) =
            run.frame.locals.get_disjoint_mut([usize::from(object), usize::from(base), usize::from(base) + 1])
        && let Value::Instance(instance) = &*object
        && !instance.attrs().contains_key(&name)
        && place.put(instance.class_ref().id, callee)
        && Value::put_light(receiver, object)
    {
        return at + 1;
    }
    method_put(run, flat, op, at)
}

#[inline(never)]
fn method_put<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Method { base, object, site, expr, .. });
    if run.watches_writes() {
        run.calls_on(run.reg(object), run.attribute_name(expr), run.module.span(expr));
    }
    if let Value::Instance(instance) = run.reg(object)
        && let Some(place) = flat.methods.get(usize::from(site))
        && let Some(method) = run.method_at(place, instance, expr)
    {
        let receiver = Value::Instance(instance.clone());
        run.done(at, base + 1, receiver);
        return run.done(at, base, Value::Function(method));
    }
    method_of_builtin(run, flat, op, at)
}

#[inline(never)]
fn method_of_builtin<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Method { base, object, expr, .. });
    let known = match run.reg(object) {
        value @ (Value::List(_)
        | Value::Dict(_)
        | Value::Str(_)
        | Value::Set(_)
        | Value::Iter(_)
        | Value::Int(_)
        | Value::BigInt(_)) => run.it.builtin_method(value, run.attribute_name(expr)),
        _ => None,
    };
    match known {
        Some(callee) => {
            let receiver = run.reg(object).clone();
            run.done(at, base + 1, receiver);
            run.done(at, base, callee)
        }
        None => method_other(run, flat, op, at),
    }
}

#[inline(never)]
fn method_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Method { base, object, expr, .. });
    let known = match run.reg(object) {
        Value::Class(class) => run.it.method_of_class(class, run.attribute_name(expr)),
        Value::Module(module) => match module.get(run.attribute_name(expr)) {
            Some(callee @ (Value::Native(_) | Value::Function(_))) => Some((callee, Value::Unbound)),
            _ => None,
        },
        _ => None,
    };
    if let Some((callee, receiver)) = known {
        run.done(at, base + 1, receiver);
        return run.done(at, base, callee);
    }
    inside!(run, flat, at);
    let (callee, receiver) = attempt!(run, at, run.flat_method(object, expr));
    Value::put(&mut run.frame.locals[base as usize + 1], receiver);
    run.done(at, base, callee)
}

/// The function and the receiver of a method of `super()`.
pub(super) fn super_method<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, SuperMethod { base, site, expr });
    let (callee, receiver) = match run.method_behind(flat, site, expr) {
        Some(found) if !run.watches_writes() => found,
        _ => {
            inside!(run, flat, at);
            let Expr::Attribute(object, name) = run.module.expr(expr) else { return at };
            let value = attempt!(run, at, run.eval(*object));
            if run.watches_writes() {
                run.calls_on(&value, *name, run.module.span(expr));
            }
            match run.it.load_method(&value, *name) {
                Ok((callee, receiver)) => {
                    if run.user {
                        run.saw_callee(expr, &callee, receiver.is_some());
                    }
                    (callee, receiver.unwrap_or(Value::Unbound))
                }
                Err(halt) => (attempt!(run, at, run.attribute_failed(expr, &value, *name, halt)), Value::Unbound),
            }
        }
    };
    Value::put(&mut run.frame.locals[base as usize + 1], receiver);
    run.done(at, base, callee)
}

impl<'a> Run<'a> {
    /// The function that a method call of an instance calls, where it is one of its class and the instance hides it not.
    #[inline(always)]
    fn method_at(&self, place: &MethodSite, instance: &Instance, expr: ExprId) -> Option<Rc<Function>> {
        let name = self.attribute_name(expr);
        match place.known(instance.class_ref().id, 0) {
            Some(method) => (!instance.attrs().contains_key(&name)).then_some(method),
            None => self.method_anew(place, instance, expr),
        }
    }

    #[inline(never)]
    fn method_anew(&self, place: &MethodSite, instance: &Instance, expr: ExprId) -> Option<Rc<Function>> {
        match self.it.method_of(instance, self.attribute_name(expr))? {
            Value::Function(method) => {
                place.keep(instance.class_ref().id, 0, &method);
                Some(method)
            }
            _ => None,
        }
    }

    /// Calls a builtin method without arguments on its receiver where that stands: the call follows at once.
    #[inline(always)]
    fn calls_at_once(&mut self, flat: &'a Flat, receiver: Reg, at: At) -> Option<At> {
        let Op::Call { builtin: Some(builtin), dst, count: 0, expr, .. } = flat.steps.get(at as usize + 1)?.op else {
            return None;
        };
        let receiver = usize::from(receiver);
        let value = builtin.call(self.it, &mut self.frame.locals[receiver..=receiver])?;
        if self.user && self.needs_door(&value) {
            self.saw(expr, &value);
        }
        Some(self.done(at + 1, dst, value))
    }

    /// The function that a method of `super()` is, and its receiver, where the next class that has one says so by itself.
    fn method_behind(&self, flat: &Flat, site: u16, expr: ExprId) -> Option<(Value, Value)> {
        let Expr::Attribute(object, name) = self.module.expr(expr) else { return None };
        let Expr::Call(callee, _) = self.module.expr(*object) else { return None };
        let Expr::Name(place, builtin) = self.module.expr(*callee) else { return None };
        if flat.window.is_some() && !matches!(place, Place::Global(_)) {
            return None;
        }
        match self.load(*place, *builtin) {
            Ok(Value::Class(class)) if Rc::ptr_eq(&class, &self.it.types.super_) => {}
            _ => return None,
        }
        let (this, receiver) = match &flat.window {
            None => self.super_parts(),
            Some(window) => match self.reg(window.function()) {
                Value::Function(function) => {
                    let cells = function.code().frees.iter().zip(&function.captured);
                    let mut own = cells.filter(|((name, _), _)| *name == sym!("__class__"));
                    (own.next().map(|(_, cell)| cell.read().clone()), self.frame.locals.get(window.first()).cloned())
                }
                _ => return None,
            },
        };
        let (Some(Value::Class(this)), Some(receiver)) = (this, receiver) else { return None };
        let Value::Instance(instance) = &receiver else { return None };
        let place = flat.methods.get(usize::from(site))?;
        let class = instance.class();
        if let Some(method) = place.known(class.id, this.id) {
            return Some((Value::Function(method), receiver));
        }
        let order = class.mro.borrow();
        let behind = order.iter().skip_while(|class| !Rc::ptr_eq(class, &this)).skip(1);
        for class in behind {
            match class.attrs.read().get(name) {
                Some(Value::Function(method)) if *name != self.it.types.names.new => {
                    place.keep(class.id, this.id, method);
                    return Some((Value::Function(method.clone()), receiver));
                }
                Some(_) => return None,
                None => {}
            }
        }
        None
    }
}
