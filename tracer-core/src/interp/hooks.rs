//! What the interpreter asks of arrays without knowing any framework.

use std::rc::Rc;

use super::Interp;
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::python::{Args, Class, Step, Value};
use crate::trace::Val;

/// The operations of arrays and tracers.
pub trait ArrayHooks {
    /// The class of an array or tracer.
    fn class(&self, it: &Rc<Interp>, array: &Val) -> Rc<Class>;
    /// Calls a framework's function for code that is not the framework's own.
    ///
    /// # Errors
    /// What the call raises.
    fn call(&self, it: &Rc<Interp>, callee: &Value, args: Args) -> Step<Value> {
        it.call(callee, args)
    }
    /// Whether a function can be called to learn what it does with arguments: one of the framework's that calls nothing of the
    /// program's, and notes nothing. `first` says whether it is asked about its first argument alone.
    fn can_ask(&self, it: &Rc<Interp>, callee: &Value, first: bool) -> bool {
        let _ = (it, callee, first);
        false
    }
    /// Whether what a function makes of `None`, where that is not known, is as little use as `None` is: an array of objects.
    fn makes_objects(&self, callee: &Value) -> bool {
        let _ = callee;
        false
    }
    /// `a op b` where at least one is an array; `None` is `NotImplemented`.
    fn binary(&self, it: &Rc<Interp>, op: BinaryOp, a: &Value, b: &Value) -> Step<Option<Value>>;
    /// `a op b` where at least one is an array.
    fn compare(&self, it: &Rc<Interp>, op: CompareOp, a: &Value, b: &Value) -> Step<Option<Value>>;
    /// `op a`
    fn unary(&self, it: &Rc<Interp>, op: UnaryOp, a: &Val) -> Step<Value>;
    /// `a.name`; `None` where there is no such attribute.
    fn getattr(&self, it: &Rc<Interp>, a: &Val, name: Symbol) -> Step<Option<Value>>;
    /// `class.name` of a framework's own class, where `name` is what its instances have; `None` where there is no such attribute.
    ///
    /// # Errors
    /// Unknown where it is not modelled.
    fn member(&self, it: &Rc<Interp>, class: &Class, name: Symbol) -> Step<Option<Value>> {
        let _ = (it, class, name);
        Ok(None)
    }
    /// `number.name` of a number of Python's that knows its type; `None` where there is no such attribute.
    fn typed_number(&self, it: &Rc<Interp>, number: &Value, name: Symbol) -> Option<Value> {
        let _ = (it, number, name);
        None
    }
    /// `a[index]`
    fn getitem(&self, it: &Rc<Interp>, a: &Val, index: &Value) -> Step<Value>;
    /// `a[index] = value`: always an exception for immutable arrays.
    fn setitem(&self, it: &Rc<Interp>, a: &Val, index: &Value, value: &Value) -> Step<()>;
    /// `len(a)`
    fn len(&self, it: &Rc<Interp>, a: &Val) -> Step<usize>;
    /// The items of `iter(a)`.
    fn items(&self, it: &Rc<Interp>, a: &Val) -> Step<Vec<Value>>;
    /// `bool(a)`
    fn truth(&self, it: &Rc<Interp>, a: &Val) -> Step<bool>;
    /// `int(a)`, `float(a)`, `complex(a)`, `a.__index__()`: `kind` is `int`, `float`, `complex` or `index`.
    fn number(&self, it: &Rc<Interp>, a: &Val, kind: &str) -> Step<Value>;
    /// `repr(a)`, or `str(a)` when `plain`.
    fn repr(&self, it: &Rc<Interp>, a: &Val, plain: bool) -> Step<Value>;
    /// `format(a, spec)`
    fn format(&self, it: &Rc<Interp>, a: &Val, spec: &str) -> Step<Value>;
    /// The array in a framework's object that holds one (a NumPy array or scalar).
    fn held(&self, value: &Value) -> Option<Val>;
    /// `hash(a)`: an exception.
    fn hash(&self, it: &Rc<Interp>, a: &Val) -> Step<i64>;
}
