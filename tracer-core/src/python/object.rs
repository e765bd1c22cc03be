//! Objects that frameworks bring: dtypes, NumPy arrays, tree definitions, compiled functions.

use std::any::Any;
use std::rc::Rc;

use super::class::Class;
use super::function::Args;
use super::halt::{Halt, Step, Why};
use super::value::Value;
use crate::interp::Interp;
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::trace::Val;

/// What the recorder shows of an object: a type such as `np:f32[3]`.
pub type Shown = Rc<str>;

/// An object of a framework. Every default says "not supported" in Python's words.
#[allow(unused_variables)]
pub trait Object: Any {
    /// `type(x).__name__`
    fn type_name(&self) -> String;
    /// The type's name as Python's own messages print it: with its module, for types written in C.
    fn qualified_type_name(&self) -> String {
        self.type_name()
    }
    /// The class, for `type`, `isinstance` and method lookup.
    fn class(&self, it: &Rc<Interp>) -> Rc<Class>;
    /// When it was made and what it is called, if its items can be written: `a NumPy array from outside`.
    fn written(&self) -> Option<(u32, &'static str)> {
        None
    }
    /// The numbers that it holds now, if its items can be written.
    fn numbers_now(&self) -> Option<Val> {
        None
    }
    /// Somebody unknown may have written its items.
    fn forget_numbers(&self, why: &Why) {
        let _ = why;
    }
    /// Values that it holds and may call.
    fn holds(&self) -> Vec<Value> {
        Vec::new()
    }
    /// For downcasts.
    fn as_any(&self) -> &dyn Any;
    /// An attribute; `None` lets the class answer.
    fn getattr(self: Rc<Self>, it: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        Ok(None)
    }
    /// Sets an attribute; `false` where the class has to.
    fn setattr(&self, it: &Rc<Interp>, name: Symbol, value: Value) -> Step<bool> {
        Ok(false)
    }
    /// `x(*args)`
    fn call(self: Rc<Self>, it: &Rc<Interp>, args: Args) -> Step<Value> {
        Err(Halt::type_error(format!("'{}' object is not callable", self.qualified_type_name())))
    }
    /// Whether it can be called.
    fn callable(&self) -> bool {
        false
    }
    /// `x op y` (or `y op x` when `reflected`); `None` where it does not know how.
    fn binary(self: Rc<Self>, it: &Rc<Interp>, op: BinaryOp, other: &Value, reflected: bool) -> Step<Option<Value>> {
        Ok(None)
    }
    /// `op x`
    fn unary(self: Rc<Self>, it: &Rc<Interp>, op: UnaryOp) -> Step<Option<Value>> {
        Ok(None)
    }
    /// `x op y` (or `y op x` when `reflected`)
    fn compare(self: Rc<Self>, it: &Rc<Interp>, op: CompareOp, other: &Value, reflected: bool) -> Step<Option<Value>> {
        Ok(None)
    }
    /// `x[index]`; `None` where it has no items.
    fn getitem(self: Rc<Self>, it: &Rc<Interp>, index: &Value) -> Step<Option<Value>> {
        Ok(None)
    }
    /// `x[index] = value`; `false` where it cannot.
    fn setitem(self: Rc<Self>, it: &Rc<Interp>, index: &Value, value: Value) -> Step<bool> {
        Ok(false)
    }
    /// `len(x)`
    fn len(&self, it: &Rc<Interp>) -> Step<Option<usize>> {
        Ok(None)
    }
    /// `iter(x)` as a list of items.
    fn items(self: Rc<Self>, it: &Rc<Interp>) -> Step<Option<Vec<Value>>> {
        Ok(None)
    }
    /// Whether it is written from now on, where its items would be others then.
    fn is_written(self: Rc<Self>) -> Option<Box<dyn Fn() -> bool>> {
        None
    }
    /// `bool(x)`
    fn truth(self: Rc<Self>, it: &Rc<Interp>) -> Step<Option<bool>> {
        Ok(None)
    }
    /// `int(x)`, `float(x)`, `x.__index__()`: a Python number of the kind asked for (`int`, `float`, `index`, `complex`).
    fn number(self: Rc<Self>, it: &Rc<Interp>, kind: &str) -> Step<Option<Value>> {
        Ok(None)
    }
    /// `repr(x)` (`str(x)` when `plain`).
    fn repr(self: Rc<Self>, it: &Rc<Interp>, plain: bool) -> Step<Option<String>> {
        Ok(None)
    }
    /// A hash, for keys; `None` is unhashable.
    fn hash(&self) -> Option<u64> {
        Some(std::ptr::from_ref(self).cast::<()>() as u64)
    }
    /// Equality without running code, for keys; `None` for identity.
    fn equals(&self, other: &Value) -> Option<bool> {
        None
    }
    /// Finds out the number that it equals and hashes as, where it has one that was not asked for yet.
    fn settle(&self, it: &Rc<Interp>) -> Step<()> {
        Ok(())
    }
    /// The Python number that it equals and hashes as, if it is known to be one.
    fn plain(&self) -> Option<Value> {
        None
    }
    /// What the recorder shows.
    fn shown(&self) -> Option<Shown> {
        None
    }
    /// What is known of a value that may be either this or the other; `None` where nothing is.
    fn joined(&self, other: &dyn Object) -> Option<Value> {
        None
    }
    /// The same kind of object with its numbers forgotten; `None` where it has none.
    fn forgotten(&self, why: &Why) -> Option<Value> {
        None
    }
    /// What two objects have equal that cannot be told apart without their numbers.
    fn signature(&self) -> String {
        self.type_name()
    }
    /// Whether both are the same object.
    fn identity(&self, other: &dyn Object) -> bool {
        std::ptr::from_ref(self).cast::<()>() == std::ptr::from_ref(other).cast::<()>()
    }
}

impl dyn Object {
    /// The object as this type.
    pub fn downcast<T: 'static>(&self) -> Option<&T> {
        self.as_any().downcast_ref()
    }
}
