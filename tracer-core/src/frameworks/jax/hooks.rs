//! What arrays can do, for the interpreter: attributes and operators come from the prelude (`jax/_array.py`), the
//! commonest ones are answered here.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::core::promotion::{To, promote_args};
use super::prelude_member;
use super::prims::shape_value;
use crate::array::Dim;
use crate::frameworks::dtypes;
use crate::interp::{ArrayHooks, Interp};
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::primitives::{Slice, Squeeze};
use crate::python::halt::{Halt, Origin, Step};
use crate::python::{Args, Class, Method, Value};
use crate::trace::Val;

/// Arrays of JAX.
#[derive(Default)]
pub struct Hooks {
    operators: RefCell<FxHashMap<Symbol, Value>>,
    methods: RefCell<FxHashMap<Symbol, Value>>,
    properties: RefCell<FxHashMap<Symbol, Value>>,
}

impl Hooks {
    /// An entry of one of the tables of `jax/_array.py`.
    fn entry(&self, it: &Rc<Interp>, table: &str, name: Symbol) -> Step<Option<Value>> {
        let cache = match table {
            "OPERATORS" => &self.operators,
            "METHODS" => &self.methods,
            _ => &self.properties,
        };
        if cache.borrow().is_empty() {
            let Value::Dict(dict) = prelude_member(it, "jax._array", table)? else {
                return Err(Halt::unknown("the prelude has no table of array members"));
            };
            let all =
                dict.read().iter().filter_map(|(k, v)| Some((Symbol::from(k.value.as_str()?), v.clone()))).collect();
            *cache.borrow_mut() = all;
        }
        Ok(cache.borrow().get(&name).cloned())
    }

    fn operator(&self, it: &Rc<Interp>, name: &str, args: [Value; 2]) -> Step<Option<Value>> {
        let Some(function) = self.entry(it, "OPERATORS", Symbol::from(name))? else { return Ok(None) };
        match super::recipes::call(it, &function, Args::of(args))? {
            Value::NotImplemented => Ok(None),
            value => Ok(Some(value)),
        }
    }
}

/// What an operation of arrays raises is what JAX raises, whoever calls it.
pub(super) fn of_model<T>(result: Step<T>) -> Step<T> {
    result.map_err(|mut halt| {
        if let Halt::Raise(exception) = &mut halt {
            exception.origin.get_or_insert(Origin::Model);
        }
        halt
    })
}

/// An operator whose row in `jax/numpy/_ufuncs.py` (name, promotion, primitive) does no more than to promote and bind, on
/// arrays and Python's numbers: what that file would do, without running it. `None` where it has to.
fn plain(it: &Rc<Interp>, row: (&str, To, &str), a: &Value, b: &Value) -> Step<Option<Value>> {
    let simple = |value: &Value| match value {
        // Other types have rules of their own in that file.
        Value::Array(array) => array.aval.dtype.is_float() || array.aval.dtype.is_integer(),
        Value::Int(_) | Value::Float(_) => true,
        _ => false,
    };
    if !simple(a) || !simple(b) {
        return Ok(None);
    }
    let (name, to, primitive) = row;
    let arrays = promote_args(it, name, &[a.clone(), b.clone()], to)?;
    super::prims::bind(it, crate::primitives::from_params(primitive, [])?, &arrays).map(Some)
}

/// The array's concrete tensor, computed if need be.
///
/// # Errors
/// Unknown where its numbers are.
pub fn numbers(it: &Rc<Interp>, array: &Val) -> Step<crate::array::Tensor> {
    it.engine.force(array)
}

/// Functions that functions hold are looked at so deep.
const DEEPEST: u32 = 6;

/// Whether a function is one of ours, and holds none of other people's.
fn is_all_ours(value: &Value, depth: u32) -> bool {
    match value {
        Value::Function(function) => {
            depth > 0
                && function.module.unit.ours
                && function.captured.iter().all(|cell| is_all_ours(&cell.read(), depth - 1))
        }
        Value::Method(_) | Value::Instance(_) | Value::Object(_) | Value::Unknown(_) | Value::Iter(_) => false,
        Value::Tuple(items) => items.iter().all(|item| is_all_ours(item, depth)),
        Value::List(list) => list.read().iter().all(|item| is_all_ours(item, depth)),
        Value::Dict(dict) => dict.read().values().all(|item| is_all_ours(item, depth)),
        _ => true,
    }
}

/// Whether the functions of a module of NumPy's do nothing but compute.
fn computes(module: &str) -> bool {
    const NOT: [&str; 6] = ["random", "_files", "_writing", "_settings", "testing", "ctypeslib"];
    module.strip_prefix("numpy.").is_some_and(|rest| !NOT.contains(&rest.split('.').next().unwrap_or(rest)))
}

fn is_ufunc(callee: &Value) -> bool {
    matches!(callee, Value::Instance(instance) if instance.class_ref().name.as_str() == "ufunc")
}

impl ArrayHooks for Hooks {
    fn member(&self, it: &Rc<Interp>, class: &Class, name: Symbol) -> Step<Option<Value>> {
        crate::frameworks::numpy::class::of_class(it, class, name)
    }
    fn typed_number(&self, it: &Rc<Interp>, number: &Value, name: Symbol) -> Option<Value> {
        super::core::custom::typed_number(it, number, name)
    }
    fn call(&self, it: &Rc<Interp>, callee: &Value, args: Args) -> Step<Value> {
        super::recipes::call(it, callee, args)
    }

    fn can_ask(&self, it: &Rc<Interp>, callee: &Value, first: bool) -> bool {
        match callee {
            Value::Function(function) => {
                let name = function.module.name.as_str();
                // Without a key nothing is drawn, and nothing noted.
                let asks =
                    if name.starts_with("jax.random") { first } else { name.starts_with("jax.") || computes(name) };
                asks && is_all_ours(callee, DEEPEST)
            }
            // A compiled one.
            Value::Object(object) => match object.clone().getattr(it, sym!("__wrapped__")) {
                Ok(Some(function @ Value::Function(_))) => self.can_ask(it, &function, first),
                _ => false,
            },
            Value::Instance(_) => is_ufunc(callee),
            // `x.at[i].set`
            Value::Method(method) => match &method.function {
                Value::Function(function) if function.module.name.as_str() == "jax._indexing" => {
                    is_all_ours(&method.function, DEEPEST)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn makes_objects(&self, callee: &Value) -> bool {
        match callee {
            Value::Function(function) => computes(function.module.name.as_str()),
            _ => is_ufunc(callee),
        }
    }

    fn class(&self, it: &Rc<Interp>, array: &Val) -> Rc<Class> {
        let name = match array.aval.dtype.is_key() && !array.is_tracer() {
            true => "PRNGKeyArray",
            false => array.class_name(),
        };
        it.named_class(Symbol::from(name)).unwrap_or_else(|_| it.types.object.clone())
    }

    fn binary(&self, it: &Rc<Interp>, op: BinaryOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        let row = match op {
            BinaryOp::Add => Some(("add", To::Any, "add")),
            BinaryOp::Sub => Some(("subtract", To::Any, "sub")),
            BinaryOp::Mul => Some(("multiply", To::Any, "mul")),
            BinaryOp::Div => Some(("true_divide", To::Inexact, "div")),
            _ => None,
        };
        if let Some(row) = row
            && let Some(value) = of_model(plain(it, row, a, b))?
        {
            return Ok(Some(value));
        }
        let (plain, reflected) = match op {
            BinaryOp::Add => ("__add__", "__radd__"),
            BinaryOp::Sub => ("__sub__", "__rsub__"),
            BinaryOp::Mul => ("__mul__", "__rmul__"),
            BinaryOp::MatMul => ("__matmul__", "__rmatmul__"),
            BinaryOp::Div => ("__truediv__", "__rtruediv__"),
            BinaryOp::FloorDiv => ("__floordiv__", "__rfloordiv__"),
            BinaryOp::Mod => ("__mod__", "__rmod__"),
            BinaryOp::Pow => ("__pow__", "__rpow__"),
            BinaryOp::LShift => ("__lshift__", "__rlshift__"),
            BinaryOp::RShift => ("__rshift__", "__rrshift__"),
            BinaryOp::BitAnd => ("__and__", "__rand__"),
            BinaryOp::BitOr => ("__or__", "__ror__"),
            BinaryOp::BitXor => ("__xor__", "__rxor__"),
        };
        if let Value::Array(_) = a {
            return self.operator(it, plain, [a.clone(), b.clone()]);
        }
        self.operator(it, reflected, [b.clone(), a.clone()])
    }

    fn compare(&self, it: &Rc<Interp>, op: CompareOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        let row = match op {
            CompareOp::Eq => Some(("equal", To::Any, "eq")),
            CompareOp::NotEq => Some(("not_equal", To::Any, "ne")),
            CompareOp::Lt => Some(("less", To::Any, "lt")),
            CompareOp::LtE => Some(("less_equal", To::Any, "le")),
            CompareOp::Gt => Some(("greater", To::Any, "gt")),
            CompareOp::GtE => Some(("greater_equal", To::Any, "ge")),
            _ => None,
        };
        if let Some(row) = row
            && let Some(value) = of_model(plain(it, row, a, b))?
        {
            return Ok(Some(value));
        }
        let (plain, mirrored) = match op {
            CompareOp::Eq => ("__eq__", "__eq__"),
            CompareOp::NotEq => ("__ne__", "__ne__"),
            CompareOp::Lt => ("__lt__", "__gt__"),
            CompareOp::LtE => ("__le__", "__ge__"),
            CompareOp::Gt => ("__gt__", "__lt__"),
            _ => ("__ge__", "__le__"),
        };
        let found = match a {
            Value::Array(_) => self.operator(it, plain, [a.clone(), b.clone()])?,
            _ => self.operator(it, mirrored, [b.clone(), a.clone()])?,
        };
        Ok(match (found, op) {
            (Some(found), _) => Some(found),
            // Python's own fallback: identity.
            (None, CompareOp::Eq) => Some(Value::Bool(a.is(b))),
            (None, CompareOp::NotEq) => Some(Value::Bool(!a.is(b))),
            (None, _) => None,
        })
    }

    fn unary(&self, it: &Rc<Interp>, op: UnaryOp, a: &Val) -> Step<Value> {
        let name = match op {
            UnaryOp::Neg => "__neg__",
            UnaryOp::Pos => "__pos__",
            _ => "__invert__",
        };
        match self.entry(it, "OPERATORS", Symbol::from(name))? {
            Some(function) => super::recipes::call(it, &function, Args::of([Value::Array(a.clone())])),
            None => Err(Halt::unknown(format!("`{name}` of arrays"))),
        }
    }

    fn getattr(&self, it: &Rc<Interp>, a: &Val, name: Symbol) -> Step<Option<Value>> {
        match name.as_str() {
            "shape" => return Ok(Some(shape_value(&a.aval.shape))),
            "dtype" => return Ok(Some(dtypes::value(a.aval.dtype))),
            "ndim" => return Ok(Some(Value::size(a.aval.rank()))),
            "size" => return Ok(Some(super::prims::dim_value(a.aval.count()))),
            "weak_type" => return Ok(Some(Value::Bool(a.aval.weak))),
            "aval" => return super::core::types::aval_value(it, &a.aval).map(Some),
            "__class__" => return Ok(Some(Value::Class(self.class(it, a)))),
            "__hash__" => return Ok(Some(Value::None)),
            _ => {}
        }
        let value = Value::Array(a.clone());
        if let Some(method) = self.entry(it, "METHODS", name)? {
            return Ok(Some(Value::Method(Rc::new(Method { receiver: value, function: method }))));
        }
        if let Some(property) = self.entry(it, "PROPERTIES", name)? {
            return super::recipes::call(it, &property, Args::of([value])).map(Some);
        }
        if let Some(operator) = self.entry(it, "OPERATORS", name)? {
            return Ok(Some(Value::Method(Rc::new(Method { receiver: value, function: operator }))));
        }
        Ok(None)
    }

    fn getitem(&self, it: &Rc<Interp>, a: &Val, index: &Value) -> Step<Value> {
        if let Some(value) = of_model(super::indexing::take(it, a, index))? {
            return Ok(Value::Array(value));
        }
        match self.operator(it, "__getitem__", [Value::Array(a.clone()), index.clone()])? {
            Some(value) => Ok(value),
            None => Err(Halt::unknown("indexing of arrays")),
        }
    }

    fn setitem(&self, it: &Rc<Interp>, a: &Val, index: &Value, value: &Value) -> Step<()> {
        let Some(function) = self.entry(it, "OPERATORS", sym!("__setitem__"))? else {
            return Err(Halt::unknown("assignment to items of arrays"));
        };
        it.call_with(&function, [Value::Array(a.clone()), index.clone(), value.clone()]).map(drop)
    }

    fn len(&self, _: &Rc<Interp>, a: &Val) -> Step<usize> {
        match a.aval.shape.first() {
            Some(size) if size.is_general() => {
                Err(Halt::type_error("'_DimExpr' object cannot be interpreted as an integer"))
            }
            Some(size) => size.get(),
            None => Err(Halt::type_error("len() of unsized object")),
        }
    }

    fn items(&self, it: &Rc<Interp>, a: &Val) -> Step<Vec<Value>> {
        let Some(size) = a.aval.shape.first() else {
            return Err(Halt::type_error("iteration over a 0-d array"));
        };
        if size.is_general() {
            return Err(super::prims::no_constant(*size));
        }
        let size = size.get()?;
        it.spend_many(size)?;
        if a.aval.dtype.is_key() && a.is_tracer() {
            return (0..size).map(|i| rows_of_keys(it, a, i).map(Value::Array)).collect();
        }
        if a.aval.dtype.is_key() && it.engine.config().debug_key_reuse {
            // Each has its own account of what it was used for.
            let items = it.call_with(&prelude_member(it, "jax.random._keys", "items")?, [Value::Array(a.clone())])?;
            return it.to_vec(&items);
        }
        let unstack = prelude_member(it, "jax.numpy", "unstack")?;
        let items = it.call_with(&unstack, [Value::Array(a.clone())])?;
        it.to_vec(&items)
    }

    fn truth(&self, it: &Rc<Interp>, a: &Val) -> Step<bool> {
        of_model(super::core::concretize::truth(it, a))
    }

    fn number(&self, it: &Rc<Interp>, a: &Val, kind: &str) -> Step<Value> {
        of_model(super::core::concretize::number(it, a, kind))
    }

    fn repr(&self, it: &Rc<Interp>, a: &Val, plain: bool) -> Step<Value> {
        super::core::concretize::text(it, a, plain)
    }

    fn format(&self, it: &Rc<Interp>, a: &Val, spec: &str) -> Step<Value> {
        super::core::concretize::format(it, a, spec)
    }

    fn held(&self, value: &Value) -> Option<Val> {
        crate::frameworks::numpy::array::numbers_of(value)
    }

    fn hash(&self, _: &Rc<Interp>, a: &Val) -> Step<i64> {
        Err(Halt::type_error(format!("unhashable type: '{}'", a.qualified_type_name())))
    }
}

/// One of the keys that a tracer of keys is unpacked to: JAX slices them one by one.
fn rows_of_keys(it: &Rc<Interp>, keys: &Val, at: usize) -> Step<Val> {
    let shape = &keys.aval.shape;
    let starts = shape.iter().enumerate().map(|(axis, _)| Dim::from(if axis == 0 { at } else { 0 })).collect();
    let limits = shape.iter().enumerate().map(|(axis, d)| if axis == 0 { Dim::from(at + 1) } else { *d }).collect();
    let strides = Some(shape.iter().map(|_| 1).collect());
    let row = it.engine.bind1(Slice { starts, limits, strides }, std::slice::from_ref(keys))?;
    it.engine.bind1(Squeeze { axes: [0].into_iter().collect() }, &[row])
}
