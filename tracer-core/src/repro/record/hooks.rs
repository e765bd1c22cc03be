//! What arrays can do, recorded.

use std::rc::Rc;

use crate::interp::{ArrayHooks, Interp};
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::python::halt::Step;
use crate::python::{Args, Class, Value};
use crate::repro::tree::{Level, Op, Origin};
use crate::trace::Val;

/// What arrays can do, recorded.
pub struct RecordingHooks(pub Rc<dyn ArrayHooks>);

impl ArrayHooks for RecordingHooks {
    fn class(&self, it: &Rc<Interp>, array: &Val) -> Rc<Class> {
        self.0.class(it, array)
    }
    fn member(&self, it: &Rc<Interp>, class: &Class, name: Symbol) -> Step<Option<Value>> {
        self.0.member(it, class, name)
    }
    fn call(&self, it: &Rc<Interp>, callee: &Value, args: Args) -> Step<Value> {
        // What calls of it have given before says nothing of the operations that it is made of.
        it.recorded_call(callee, args, |args| match it.repro.follows() {
            true => it.call_now(callee, args),
            false => self.0.call(it, callee, args),
        })
    }
    fn binary(&self, it: &Rc<Interp>, op: BinaryOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        it.recorded(Op::Binary(op), &[a.clone(), b.clone()], &[], || self.0.binary(it, op, a, b), Clone::clone)
    }
    fn compare(&self, it: &Rc<Interp>, op: CompareOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        it.recorded(Op::Compare(op), &[a.clone(), b.clone()], &[], || self.0.compare(it, op, a, b), Clone::clone)
    }
    fn unary(&self, it: &Rc<Interp>, op: UnaryOp, a: &Val) -> Step<Value> {
        it.recorded(Op::Unary(op), &[a.clone().into()], &[], || self.0.unary(it, op, a), |v| Some(v.clone()))
    }
    fn getattr(&self, it: &Rc<Interp>, a: &Val, name: Symbol) -> Step<Option<Value>> {
        let kept = |value: &Option<Value>| match value {
            Some(Value::Method(_) | Value::Native(_) | Value::Function(_)) => None,
            other => other.clone(),
        };
        let run = || {
            let found = self.0.getattr(it, a, name)?;
            let mut state = it.repro.state.borrow_mut();
            match &found {
                Some(Value::Method(method)) => {
                    state.methods.insert(method.function.identity(), name);
                    state.alive.push(method.function.clone());
                }
                Some(function @ (Value::Native(_) | Value::Function(_))) => {
                    state.origins.insert(function.identity(), Origin::Attribute(a.clone().into(), name));
                    state.alive.push(function.clone());
                }
                _ => {}
            }
            drop(state);
            Ok(found)
        };
        it.recorded(Op::Attribute(name), &[a.clone().into()], &[], run, kept)
    }
    fn getitem(&self, it: &Rc<Interp>, a: &Val, index: &Value) -> Step<Value> {
        let args = [a.clone().into(), index.clone()];
        it.recorded(Op::Item, &args, &[], || self.0.getitem(it, a, index), |v| Some(v.clone()))
    }
    fn setitem(&self, it: &Rc<Interp>, a: &Val, index: &Value, value: &Value) -> Step<()> {
        let args = [a.clone().into(), index.clone(), value.clone()];
        it.recorded(Op::SetItem, &args, &[], || self.0.setitem(it, a, index, value), |_| None)
    }
    fn len(&self, it: &Rc<Interp>, a: &Val) -> Step<usize> {
        it.recorded(Op::Builtin("len"), &[a.clone().into()], &[], || self.0.len(it, a), |_| None)
    }
    fn items(&self, it: &Rc<Interp>, a: &Val) -> Step<Vec<Value>> {
        // What a walk over a tree makes of an array that it was given (`tree.unflatten(treedef, keys)`), the program's own code might as well.
        let walked = if it.repro.listens() { None } else { it.repro.walked_by(&a.clone().into()) };
        if let Some(def) = walked {
            it.repro.state.borrow_mut().stack.push(Level::Def(def));
        }
        let run = || self.0.items(it, a);
        let items = it.recorded(Op::Items, &[a.clone().into()], &[], run, |v| Some(Value::tuple(v.clone())));
        if let Some(def) = walked {
            it.repro.pop(Level::Def(def));
        }
        items
    }
    fn truth(&self, it: &Rc<Interp>, a: &Val) -> Step<bool> {
        it.recorded(Op::Builtin("bool"), &[a.clone().into()], &[], || self.0.truth(it, a), |_| None)
    }
    fn number(&self, it: &Rc<Interp>, a: &Val, kind: &str) -> Step<Value> {
        let name = match kind {
            "int" => "int",
            "float" => "float",
            "complex" => "complex",
            _ => "range",
        };
        it.recorded(Op::Builtin(name), &[a.clone().into()], &[], || self.0.number(it, a, kind), |_| None)
    }
    fn repr(&self, it: &Rc<Interp>, a: &Val, plain: bool) -> Step<Value> {
        it.recorded(Op::Builtin("repr"), &[a.clone().into()], &[], || self.0.repr(it, a, plain), |_| None)
    }
    fn format(&self, it: &Rc<Interp>, a: &Val, spec: &str) -> Step<Value> {
        let args = [a.clone().into(), Value::str(spec)];
        it.recorded(Op::Builtin("format"), &args, &[], || self.0.format(it, a, spec), |_| None)
    }
    fn held(&self, value: &Value) -> Option<Val> {
        self.0.held(value)
    }
    fn hash(&self, it: &Rc<Interp>, a: &Val) -> Step<i64> {
        it.recorded(Op::Builtin("hash"), &[a.clone().into()], &[], || self.0.hash(it, a), |_| None)
    }
}
