//! Operators and methods of NumPy's arrays and scalars: those of the framework's arrays, outside of traces, in 64 bits.

use std::rc::Rc;

use super::array::{NdArray, numbers_of};
use super::call;
use crate::frameworks::jax::prelude_member;
use crate::interp::Interp;
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Guess, NativeFn, Value};

fn operator(it: &Rc<Interp>, name: &str, args: impl IntoIterator<Item = Value>) -> Step<Option<Value>> {
    let Value::Dict(table) = prelude_member(it, "jax._array", "OPERATORS")? else { return Ok(None) };
    let function = table.read().get(&crate::python::Key::str(name)).cloned();
    match function {
        Some(function) => match call::call(it, &function, Args::of(args))? {
            Value::NotImplemented => Ok(None),
            value => Ok(Some(value)),
        },
        None => Ok(None),
    }
}

/// Whether NumPy combines with a value under operators.
fn is_operand(value: &Value) -> bool {
    matches!(
        value,
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Complex(_) | Value::List(_) | Value::Tuple(_)
    ) || numbers_of(value).is_some()
        || matches!(value, Value::Unknown(unknown) if !matches!(unknown.guess, Guess::Any | Guess::Str))
}

/// `a op b`
///
/// # Errors
/// What the operation raises.
pub fn binary(it: &Rc<Interp>, a: Value, op: BinaryOp, b: &Value, reflected: bool) -> Step<Option<Value>> {
    if !is_operand(b) {
        return Ok(None);
    }
    let (_, plain, mirrored, _) = crate::interp::operator::spelling(op);
    operator(it, if reflected { mirrored } else { plain }, [a, b.clone()])
}

/// `op a`
///
/// # Errors
/// What the operation raises.
pub fn unary(it: &Rc<Interp>, a: Value, op: UnaryOp) -> Step<Value> {
    let name = match op {
        UnaryOp::Neg => "__neg__",
        UnaryOp::Pos => "__pos__",
        _ => "__invert__",
    };
    operator(it, name, [a])?.ok_or_else(|| Halt::unknown(format!("`{name}` of NumPy arrays")))
}

/// `a op b`
///
/// # Errors
/// What the comparison raises.
pub fn compare(it: &Rc<Interp>, a: Value, op: CompareOp, b: &Value, reflected: bool) -> Step<Option<Value>> {
    if !is_operand(b) {
        return Ok(match op {
            CompareOp::Eq if b.is_none() => Some(Value::Bool(false)),
            CompareOp::NotEq if b.is_none() => Some(Value::Bool(true)),
            _ => None,
        });
    }
    let name = match (op, reflected) {
        (CompareOp::Eq, _) => "__eq__",
        (CompareOp::NotEq, _) => "__ne__",
        (CompareOp::Lt, false) | (CompareOp::Gt, true) => "__lt__",
        (CompareOp::LtE, false) | (CompareOp::GtE, true) => "__le__",
        (CompareOp::Gt, _) | (CompareOp::Lt, true) => "__gt__",
        _ => "__ge__",
    };
    operator(it, name, [a, b.clone()])
}

/// `a[index]`
///
/// # Errors
/// What the subscript raises.
pub fn getitem(it: &Rc<Interp>, a: Value, index: &Value) -> Step<Value> {
    if let (Some(array), Value::Int(at)) = (numbers_of(&a), index)
        && let Some(size) = array.aval.shape.first().and_then(|d| d.known())
        && (*at >= size as i64 || *at < -(size as i64))
    {
        return Err(Halt::raise("IndexError", format!("index {at} is out of bounds for axis 0 with size {size}")));
    }
    operator(it, "__getitem__", [a, index.clone()])?.ok_or_else(|| Halt::unknown("indexing of NumPy arrays"))
}

/// `a[index] = value`
///
/// # Errors
/// What the assignment raises.
pub fn setitem(it: &Rc<Interp>, a: &Rc<NdArray>, index: &Value, value: &Value) -> Step<()> {
    if let Value::Array(array) = value
        && array.concrete().is_none()
    {
        return Err(Halt::value_error("setting an array element with a sequence."));
    }
    let put = prelude_member(it, "jax._indexing", "At")?;
    let dtype = a.array().aval.dtype;
    let result = call::in_numpy(it, || {
        let at = it.call_with(&put, [Value::Array(a.array())])?;
        let place = it.getitem(&at, index)?;
        let value = match numbers_of(value) {
            Some(array) => Value::Array(array),
            None => match value {
                Value::List(_) | Value::Tuple(_) => {
                    let tensor = super::from_python::tensor_of(it, value, None)?;
                    Value::Array(crate::trace::Array::known(tensor, false))
                }
                other => other.clone(),
            },
        };
        let value = match crate::frameworks::jax::core::conversion::to_array(it, &value)? {
            Some(array) => Value::Array(crate::frameworks::jax::core::conversion::convert(it, &array, dtype, false)?),
            None => value,
        };
        it.call_method(&place, "set", [value])
    });
    match result {
        Ok(Value::Array(new)) => a.contents.write().array = new,
        Ok(_) | Err(Halt::Unknown(_)) => {
            let aval = a.array().aval.clone();
            a.contents.write().array = crate::trace::Array::opaque(aval, "written in a way that is not known");
        }
        Err(halt) => return Err(halt),
    }
    Ok(())
}

/// A method or property.
///
/// # Errors
/// What a property raises.
pub fn method(it: &Rc<Interp>, a: Value, name: Symbol) -> Step<Option<Value>> {
    for table in ["METHODS", "OPERATORS"] {
        let Value::Dict(table) = prelude_member(it, "jax._array", table)? else { continue };
        let function = table.read().get(&crate::python::Key::str(&name)).cloned();
        if let Some(function) = function {
            return Ok(Some(NativeFn::value(&name, move |it, mut args| {
                args.positional.insert(0, a.clone());
                call::call(it, &function, args)
            })));
        }
    }
    let Value::Dict(table) = prelude_member(it, "jax._array", "PROPERTIES")? else { return Ok(None) };
    let function = table.read().get(&crate::python::Key::str(&name)).cloned();
    match function {
        Some(function) if name.as_str() != "at" => call::call(it, &function, Args::of([a])).map(Some),
        _ => Ok(None),
    }
}
