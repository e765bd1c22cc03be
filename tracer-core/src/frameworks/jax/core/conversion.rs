//! Python scalars and NumPy arrays as arrays.

use std::rc::Rc;

use num_traits::ToPrimitive;

use super::Members;
use super::types::known;
use crate::array::{Aval, DType, Tensor};
use crate::frameworks::jax::prims::dim_in;
use crate::frameworks::{dtypes, numpy};
use crate::interp::Interp;
use crate::interp::number::Number;
use crate::primitives::like::Like;
use crate::primitives::{DimAsValue, ParamValue};
use crate::python::halt::{Halt, Step};
use crate::python::{Guess, Value};
use crate::trace::{Array, Scalar, Val, scalar_tensor};

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    for name in ["asarray", "stage"] {
        members.function(name, move |it, args| {
            let [x] = args.exactly(name)?;
            known(&x)?;
            match to_array(it, &x)? {
                Some(array) if matches!(x, Value::Array(_)) => Ok(Value::Array(array)),
                // What is made of NumPy's array is one of its own: it may be donated alone.
                Some(array) if name == "stage" && it.engine.is_top_level() && !array.is_literal() => {
                    Ok(Value::Array(array.another()))
                }
                Some(array) => Ok(Value::Array(in_trace(it, array))),
                None => {
                    let text = it.repr(&x)?;
                    let text = text.as_str().unwrap_or("…").to_owned();
                    Err(Halt::type_error(format!(
                        "{name}: expected ArrayLike, got {text} of type {}.",
                        class_text(it, &x)
                    )))
                }
            }
        });
    }
    // `convert(x, dtype=None, weak=False)`: `convert_element_type` of an array-like to a canonical dtype and weak type
    // (by default its own dtype and strong). No equation when nothing changes or when `x` is a known scalar; warns
    // `ComplexWarning` when an imaginary part is dropped.
    members.function("convert", |it, args| {
        let [x, dtype, weak] = args.bind("convert", ["x", "dtype", "weak"], 1)?;
        convert_args(it, &x, &dtype, &weak)
    });
    // `convert_quietly(x, dtype, weak=False)`: `convert` without the ComplexWarning.
    members.function("convert_quietly", |it, args| {
        let [x, dtype, weak] = args.bind("convert_quietly", ["x", "dtype", "weak"], 2)?;
        convert_args(it, &x, &dtype, &weak)
    });
    // `convert_element_type(x, dtype)`: `lax.convert_element_type` of an array-like: like `convert`, but an eager Python
    // scalar becomes an array.
    members.function("convert_element_type", |it, args| {
        let [x, dtype] = args.exactly("convert_element_type")?;
        convert_args(it, &x, &dtype, &Value::Unbound)
    });
    // `scalar_like(x, value)`: The scalar `value` as an array of `x`'s dtype (a literal under a trace); used for `x + 1`
    // inside of helpers.
    members.function("scalar_like", |it, args| {
        let [x, value] = args.exactly("scalar_like")?;
        has_type(&x)?;
        let aval = aval_of(it, &x)?;
        match to_array(it, &value)? {
            // Beside a weak scalar of a default type it is a Python number.
            Some(array) => {
                let weak = aval.weak && aval.rank() == 0 && aval.dtype == aval.dtype.default_of(it.engine.x64());
                Ok(Value::Array(convert(it, &array, aval.dtype, weak)?))
            }
            None => Err(Halt::unknown("a constant that is no number")),
        }
    });
    // `check_arraylike(name, *xs)`: Raises `TypeError: {name} requires ndarray or scalar arguments, got {type} at
    // position {i}.` for the first of `xs` that is not array-like.
    members.function("check_arraylike", |it, args| check_arraylike(it, &args.positional, false));
    // `check_arraylike_or_none(name, *xs)`: Like `check_arraylike` but lets None pass (`… requires ndarray, scalar, or
    // None arguments, …`).
    members.function("check_arraylike_or_none", |it, args| check_arraylike(it, &args.positional, true));
    // `arraylike(name, *xs)`: `check_arraylike`, then `asarray` each (calling `__jax_array__` where there is one). One
    // array for one argument, a tuple otherwise.
    members.function("arraylike", |it, args| {
        check_arraylike(it, &args.positional, false)?;
        let mut arrays = Vec::new();
        for x in &args.positional[1..] {
            let x = arraylike_value(it, x)?;
            arrays.push(Value::Array(to_array(it, &x)?.ok_or_else(|| Halt::type_error("not array-like"))?));
        }
        Ok(if arrays.len() == 1 { arrays.swap_remove(0) } else { Value::tuple(arrays) })
    });
    // `arraylike_value(x)`: `x.__jax_array__()` where there is one, else `x`.
    members.function("arraylike_value", |it, args| {
        let [x] = args.exactly("arraylike_value")?;
        arraylike_value(it, &x)
    });
    // `full(shape, value, dtype=None)`: `lax.full`: the array-like scalar `value`, converted to `dtype` (or to its own),
    // broadcast to `shape`; one `broadcast_in_dim` equation of a literal, or just the literal for rank 0.
    members.function("full", |it, args| {
        let [shape, value, dtype] = args.bind("full", ["shape", "value", "dtype"], 2)?;
        let shape = super::shapes::canonical_shape(it, &shape, "")?;
        let dtype = optional_dtype(it, &dtype)?;
        let value = to_array_as(it, &value, dtype.unwrap_or(DType::I64), dtype.is_none())?
            .ok_or_else(|| Halt::type_error("full: not a scalar"))?;
        Ok(Value::Array(in_trace(it, full(it, &shape, &value, dtype)?)))
    });
    // `full_like(x, value, dtype=None, shape=None)`: `lax.full_like`: like `full` with the shape and dtype (and weak
    // type) of `x` where they are not given.
    members.function("full_like", |it, args| {
        let [x, value, dtype, shape] = args.bind("full_like", ["x", "value", "dtype", "shape"], 2)?;
        has_type(&x)?;
        let like = aval_of(it, &x)?;
        let shape = match &shape {
            Value::Unbound | Value::None => like.shape.clone(),
            shape => super::shapes::canonical_shape(it, shape, "")?,
        };
        let given = optional_dtype(it, &dtype)?;
        let (dtype, weak) = (given.unwrap_or(like.dtype), given.is_none() && like.weak);
        let value = to_array_as(it, &value, dtype, weak)?.ok_or_else(|| Halt::type_error("full_like: not a scalar"))?;
        let value = convert(it, &value, dtype, weak)?;
        let made = in_trace(it, broadcast_scalar(it, &value, &shape)?);
        Ok(Value::Array(match &x {
            Value::Array(x) if it.engine.tells_varying() && x.is_tracer() => {
                it.engine.bind1(Like, &[made, x.clone()])?
            }
            _ => made,
        }))
    });
    // `zeros_like(x)`: A zero array of the type of `x`, strong or weak as it is.
    members.function("zeros_like", |it, args| {
        let [x] = args.exactly("zeros_like")?;
        let aval = aval_of(it, &x)?;
        Ok(Value::Array(in_trace(it, crate::transforms::zeros(&it.engine, &aval)?)))
    });
    // `constant(x, dtype=None)`: A strong array from a NumPy array or (nested list of) Python scalars that is known now,
    // of `dtype` when given (canonicalized). Under a trace: a literal when it is a scalar, else a constant of the jaxpr.
    members.function("constant", |it, args| {
        let [x, dtype] = args.bind("constant", ["x", "dtype"], 1)?;
        let dtype = optional_dtype(it, &dtype)?;
        constant(it, &x, dtype)
    });
}

/// `str(type(x))`
pub fn class_text(it: &Rc<Interp>, value: &Value) -> String {
    match value {
        Value::Array(array) => format!("<class '{}'>", array.qualified_class_name()),
        Value::Object(object) if object.downcast::<numpy::array::NdArray>().is_some() => {
            "<class 'numpy.ndarray'>".into()
        }
        other => {
            let class = it.class_of(other);
            // A metaclass may print its classes in its own way, as that of enumerations does.
            if class.metaclass.is_some()
                && let Ok(text) = it.while_catching(|| it.repr(&Value::Class(class.clone())))
                && let Some(text) = text.as_str()
            {
                return text.to_owned();
            }
            match class.module.as_str() {
                "builtins" => format!("<class '{}'>", class.qualname),
                module => format!("<class '{module}.{}'>", class.qualname),
            }
        }
    }
}

fn optional_dtype(it: &Rc<Interp>, value: &Value) -> Step<Option<DType>> {
    match value {
        Value::Unbound | Value::None => Ok(None),
        value => match dtypes::of(it, value)? {
            Some(dtype) => Ok(Some(dtype.canonical(it.engine.x64()))),
            None => Err(Halt::type_error(format!("{value:?} is not a dtype"))),
        },
    }
}

fn convert_args(it: &Rc<Interp>, x: &Value, dtype: &Value, weak: &Value) -> Step<Value> {
    let dtype = optional_dtype(it, dtype)?;
    let array = match dtype {
        Some(dtype) => to_array_as(it, x, dtype, false)?,
        None => to_array(it, x)?,
    };
    let Some(array) = array else {
        has_type(x)?;
        return Err(Halt::type_error(format!("convert_element_type: not array-like: {}", class_text(it, x))));
    };
    let weak = !weak.is_unbound() && it.truth(weak)?;
    let dtype = dtype.unwrap_or(array.aval.dtype);
    let converted = convert(it, &array, dtype, weak)?;
    if matches!(x, Value::Array(_)) && Rc::ptr_eq(&converted, &array) {
        return Ok(Value::Array(converted));
    }
    Ok(Value::Array(in_trace(it, converted)))
}

/// What is to have an element type: not None.
///
/// # Errors
/// `ValueError`.
pub fn has_type(x: &Value) -> Step<()> {
    match x {
        Value::None => Err(Halt::value_error("Invalid argument to dtype: None.")),
        _ => Ok(()),
    }
}

/// `core.convert(x, dtype)`: an array-like as a strong array of this type, as the trace sees it.
///
/// # Errors
/// As [`convert`]; `TypeError` for what is not array-like.
pub fn convert_value(it: &Rc<Interp>, x: &Value, dtype: DType) -> Step<Val> {
    match convert_args(it, x, &dtypes::value(dtype), &Value::Unbound)? {
        Value::Array(array) => Ok(array),
        _ => Err(Halt::unknown("a conversion that gave no array")),
    }
}

/// A constant that was just made, as the trace sees it: in a graph being built it is one of its values.
pub fn in_trace(it: &Rc<Interp>, array: Val) -> Val {
    if array.is_tracer() {
        return array;
    }
    let mut trace = it.engine.trace();
    loop {
        if trace.staging().is_some() {
            return crate::trace::staging::lift(&trace, &array);
        }
        let Some(parent) = trace.parent().cloned() else { return array };
        trace = parent;
    }
}

/// An array of this type: no equation where nothing changes, and none for a known scalar.
///
/// # Errors
/// What `convert_element_type` raises.
pub fn convert(it: &Rc<Interp>, array: &Val, dtype: DType, weak: bool) -> Step<Val> {
    let weak = weak && dtype != DType::Bool;
    if array.aval.dtype == dtype && array.aval.weak == weak {
        return Ok(array.clone());
    }
    if array.aval.rank() == 0
        && let (true, Some(tensor)) = (array.is_literal(), array.tensor())
        && !dtype.is_key()
    {
        return Ok(Array::literal(tensor.convert(dtype), weak, None));
    }
    let params = [
        ("new_dtype".into(), ParamValue::DType(dtype)),
        ("weak_type".into(), ParamValue::Bool(weak)),
        ("sharding".into(), ParamValue::None),
    ];
    let primitive = crate::primitives::from_params("convert_element_type", params)?;
    it.array_work.set(it.array_work.get() + 1);
    Ok(it.engine.bind(primitive, std::slice::from_ref(array))?.swap_remove(0))
}

/// A scalar in all elements of a shape.
///
/// # Errors
/// What `broadcast_in_dim` raises.
pub fn broadcast_scalar(it: &Rc<Interp>, value: &Val, shape: &[crate::array::Dim]) -> Step<Val> {
    if shape.is_empty() && value.aval.rank() == 0 {
        return Ok(value.clone());
    }
    it.array_work.set(it.array_work.get() + 1);
    crate::transforms::broadcast(&it.engine, value, shape, &[])
}

fn full(it: &Rc<Interp>, shape: &[crate::array::Dim], value: &Val, dtype: Option<DType>) -> Step<Val> {
    if value.aval.rank() != 0 {
        return Err(Halt::type_error(format!(
            "full must be called with scalar fill_value, got fill_value.shape {}.",
            value.aval.shape_tuple()
        )));
    }
    let weak = dtype.is_none() && value.aval.weak;
    let value = convert(it, value, dtype.unwrap_or(value.aval.dtype), weak)?;
    broadcast_scalar(it, &value, shape)
}

/// `x.__jax_array__()` where there is one.
///
/// # Errors
/// What the method raises.
pub fn arraylike_value(it: &Rc<Interp>, value: &Value) -> Step<Value> {
    if let Value::Instance(_) = value
        && let Some(array) = it.call_special(value, sym!("__jax_array__"), [])?
    {
        return Ok(array);
    }
    Ok(value.clone())
}

/// Whether a value is array-like.
///
/// # Errors
/// None but stops.
pub fn is_arraylike(it: &Rc<Interp>, value: &Value) -> Step<bool> {
    Ok(match value {
        Value::Array(_) | Value::Bool(_) | Value::Int(_) | Value::BigInt(_) | Value::Float(_) | Value::Complex(_) => {
            true
        }
        Value::Unknown(unknown) => match unknown.guess {
            Guess::Any => return Err(Halt::Unknown(unknown.why.clone())),
            Guess::Str => false,
            _ => true,
        },
        Value::Instance(instance) => {
            instance.class().lookup(sym!("__jax_array__")).is_some()
                || Number::of(value).is_some() && instance.payload().is_some()
        }
        other => {
            let _ = it;
            numpy::array::numbers_of(other).is_some() || dim_in(other).is_some()
        }
    })
}

fn check_arraylike(it: &Rc<Interp>, args: &[Value], or_none: bool) -> Step<Value> {
    let (name, values) = args.split_first().ok_or_else(|| Halt::unknown("check_arraylike of nothing"))?;
    for (i, value) in values.iter().enumerate() {
        if or_none && value.is_none() {
            continue;
        }
        if !is_arraylike(it, value)? {
            if let Some(halt) = super::refused::refused(it, name.as_str().unwrap_or_default(), value, i) {
                return Err(halt);
            }
            let what = if or_none { "ndarray, scalar, or None arguments" } else { "ndarray or scalar arguments" };
            return Err(Halt::type_error(format!(
                "{} requires {what}, got {} at position {i}.",
                name.as_str().unwrap_or_default(),
                class_text(it, value)
            )));
        }
    }
    Ok(Value::None)
}

/// A Python scalar or NumPy array as an array; `None` where it is not array-like.
///
/// # Errors
/// `OverflowError` for integers that do not fit; unknown for unknown values.
pub fn to_array(it: &Rc<Interp>, value: &Value) -> Step<Option<Val>> {
    let x64 = it.engine.x64();
    Ok(Some(match value {
        Value::Array(array) => array.clone(),
        Value::Bool(x) => Array::literal(Tensor::scalar(*x), false, Some(Scalar::Bool(*x))),
        Value::Int(x) => int_literal(*x, x64)?,
        Value::BigInt(x) => match x.to_i64() {
            Some(small) => int_literal(small, x64)?,
            None => return Err(too_large(&x.to_string(), x64)),
        },
        Value::Float(x) => {
            let dtype = DType::F64.canonical(x64);
            let tensor = scalar_tensor(dtype, *x).ok_or_else(|| Halt::unknown("a float constant"))?;
            Array::literal(tensor, true, Some(Scalar::Float(*x)))
        }
        Value::Complex(z) => {
            let tensor = match x64 {
                true => Tensor::scalar(**z),
                false => Tensor::scalar(num_complex::Complex::new(z.re as f32, z.im as f32)),
            };
            Array::literal(tensor, true, Some(Scalar::Complex(z.re, z.im)))
        }
        Value::Unknown(unknown) => {
            let dtype = match unknown.guess {
                Guess::Bool => DType::Bool,
                Guess::Int => DType::I64,
                Guess::Float => DType::F64,
                Guess::Complex => DType::C128,
                Guess::Any | Guess::Str => return Err(Halt::Unknown(unknown.why.clone())),
            };
            let aval = Aval::scalar(dtype.canonical(x64), dtype != DType::Bool);
            Array::opaque(aval, unknown.why.0.to_string())
        }
        Value::Object(_) => match (numpy::array::numbers_of(value), dim_in(value)) {
            (Some(array), _) => from_numpy(it, value, &array)?,
            (None, Some(dim)) => it.engine.bind(Rc::new(DimAsValue { dim }), &[])?.remove(0),
            (None, None) => return Ok(None),
        },
        Value::Instance(instance) => {
            let converted = arraylike_value(it, value)?;
            if !converted.is(value) {
                return to_array(it, &converted);
            }
            match instance.payload() {
                Some(payload) if Number::of(payload).is_some() => return to_array(it, &payload.clone()),
                _ => return Ok(None),
            }
        }
        _ => return Ok(None),
    }))
}

/// A NumPy array or scalar as JAX takes it: 64-bit types become 32-bit ones; what has no axes is shown in place.
fn from_numpy(it: &Rc<Interp>, value: &Value, array: &Val) -> Step<Val> {
    let dtype = array.aval.dtype.canonical(it.engine.x64());
    let scalar = matches!(value, Value::Object(o) if o.downcast::<numpy::scalar::NpScalar>().is_some());
    if (scalar || array.aval.rank() == 0)
        && let Some(tensor) = array.tensor()
    {
        let shown = Scalar::of(tensor);
        return Ok(Array::literal(tensor.convert(dtype), false, shown));
    }
    if dtype == array.aval.dtype && !array.aval.weak {
        return Ok(array.clone());
    }
    // The numbers are converted outside of any trace.
    it.engine.within(&it.engine.eval_trace(), || convert(it, array, dtype, false))
}

fn int_literal(x: i64, x64: bool) -> Step<Val> {
    if x64 {
        return Ok(Array::literal(Tensor::scalar(x), true, Some(Scalar::Int(x.into()))));
    }
    match i32::try_from(x) {
        Ok(small) => Ok(Array::literal(Tensor::scalar(small), true, Some(Scalar::Int(x.into())))),
        Err(_) => Err(too_large(&x.to_string(), x64)),
    }
}

/// [`to_array`] of what becomes of this type at once. An integer that the default type does not hold is converted as NumPy
/// does it: it wraps around in an integer type, and is rounded to a floating one.
///
/// # Errors
/// As [`to_array`]; `OverflowError` and `TypeError` for integers that NumPy refuses.
fn to_array_as(it: &Rc<Interp>, value: &Value, dtype: DType, weak: bool) -> Step<Option<Val>> {
    let x64 = it.engine.x64();
    let dtype = dtype.canonical(x64);
    let whole = match value {
        Value::Int(x) if !x64 && i32::try_from(*x).is_err() => Tensor::scalar(*x),
        Value::BigInt(x) => match (x.to_i64(), x.to_u64()) {
            (Some(_), _) if x64 => return to_array(it, value),
            (Some(x), _) => Tensor::scalar(x),
            (_, Some(x)) => Tensor::scalar(x),
            // More bits than NumPy's integers have.
            _ if dtype == DType::Bool => Tensor::scalar(true),
            _ if dtype.is_integer() => {
                return Err(Halt::raise("OverflowError", "Python int too large to convert to C long"));
            }
            _ if dtype.is_extension() => return Err(Halt::type_error("expected number, got int")),
            _ => match x.to_f64().filter(|x| x.is_finite()) {
                Some(x) => Tensor::scalar(x),
                None => return Err(Halt::raise("OverflowError", "int too large to convert to float")),
            },
        },
        _ => return to_array(it, value),
    };
    if dtype.is_key() {
        return to_array(it, value);
    }
    let tensor = whole.convert(dtype);
    let shown = Scalar::of(&tensor);
    Ok(Some(Array::literal(tensor, weak, shown)))
}

/// What JAX says of a number that is the argument of a compiled function at a path, and that no type of its holds.
#[cold]
pub fn overflowing_argument(it: &Rc<Interp>, path: &str, value: &Value) -> Halt {
    let (class, shown) = (class_text(it, value), super::introspection::shown(it, value));
    Halt::raise(
        "OverflowError",
        format!(
            "An overflow was encountered while parsing an argument to a jitted computation, whose argument path is {path}. Got {class} with \
             value {shown}"
        ),
    )
}

fn too_large(text: &str, x64: bool) -> Halt {
    let dtype = if x64 { "int64" } else { "int32" };
    Halt::raise("OverflowError", format!("Python int {text} too large to convert to {dtype}"))
}

/// The abstract value of an array-like.
///
/// # Errors
/// `TypeError` for what is not array-like; unknown for an unknown value.
pub fn aval_of(it: &Rc<Interp>, value: &Value) -> Step<Aval> {
    match value {
        Value::Array(array) => Ok(array.aval.clone()),
        Value::Int(_) => Ok(Aval::scalar(DType::I64.canonical(it.engine.x64()), true)),
        Value::Object(object) => {
            if dim_in(value).is_some() {
                return Ok(Aval::scalar(DType::I32, true));
            }
            if let Some(array) = numpy::array::numbers_of(value) {
                let dtype = array.aval.dtype.canonical(it.engine.x64());
                return Ok(Aval { dtype, weak: false, ..array.aval.clone() });
            }
            if let Some(aval) = super::types::aval_in(value) {
                return Ok(aval);
            }
            shaped(it, value).and_then(|a| a.ok_or_else(|| not_a_type(it, object.type_name(), value)))
        }
        Value::Instance(_) => match to_array(it, value)? {
            Some(array) => Ok(array.aval.clone()),
            None if numpy::from_python::holds_no_numbers(value) => Err(super::refused::no_type(it, value)),
            None => shaped(it, value)?.ok_or_else(|| not_a_type(it, it.type_name(value), value)),
        },
        other => match to_array(it, other)? {
            Some(array) => Ok(array.aval.clone()),
            None => Err(not_a_type(it, it.type_name(other), other)),
        },
    }
}

/// Something with `shape` and `dtype`.
fn shaped(it: &Rc<Interp>, value: &Value) -> Step<Option<Aval>> {
    let (Some(shape), Some(dtype)) = (it.find_attr(value, sym!("shape"))?, it.find_attr(value, sym!("dtype"))?) else {
        return Ok(None);
    };
    let Some(dtype) = dtypes::of(it, &dtype)? else { return Ok(None) };
    let weak = match it.find_attr(value, sym!("weak_type"))? {
        Some(weak) => it.truth(&weak)?,
        None => false,
    };
    let shape = super::types::shape_of_value(it, &shape)?;
    Ok(Some(Aval { dtype: dtype.canonical(it.engine.x64()), shape, weak }))
}

fn not_a_type(it: &Rc<Interp>, _: String, value: &Value) -> Halt {
    let text =
        it.while_catching(|| it.repr(value)).ok().and_then(|t| t.as_str().map(str::to_owned)).unwrap_or("…".into());
    let text = text.trim_matches('\'').to_owned();
    Halt::type_error(format!("Argument '{text}' of type {} is not a valid JAX type.", class_text(it, value)))
}

/// The dtype (canonical) and weak type of an array-like, scalar type or dtype.
///
/// # Errors
/// `TypeError` for anything else.
pub fn dtype_of(it: &Rc<Interp>, value: &Value) -> Step<(DType, bool)> {
    let x64 = it.engine.x64();
    match value {
        Value::Array(array) => Ok((array.aval.dtype, array.aval.weak)),
        Value::Class(class) => {
            let weak = class.is_builtin() && !Rc::ptr_eq(class, &it.types.bool_);
            match dtypes::of(it, value)? {
                Some(dtype) => Ok((dtype.canonical(x64), weak)),
                None => Err(Halt::type_error(format!("Value '{}' cannot be interpreted as a dtype", class.name))),
            }
        }
        Value::Str(name) => {
            match dtypes::by_name(name) {
                Some(dtype) => Ok((dtype.canonical(x64), false)),
                None => Err(dtypes::why_not(name)
                    .unwrap_or_else(|| Halt::unknown(format!("the dtype `{name}` is not modelled")))),
            }
        }
        Value::Object(object) if object.downcast::<dtypes::DTypeObject>().is_some() => {
            let dtype = dtypes::of(it, value)?.ok_or_else(|| Halt::unknown("a dtype"))?;
            Ok((dtype.canonical(x64), false))
        }
        Value::Object(_) if numpy::array::numbers_of(value).is_none() && super::types::aval_in(value).is_none() => {
            match dtypes::of(it, value)? {
                Some(dtype) => Ok((dtype.canonical(x64), false)),
                None => aval_of(it, value).map(|a| (a.dtype, a.weak)),
            }
        }
        Value::Instance(_) if !is_arraylike(it, value)? => match dtypes::of(it, value)? {
            Some(dtype) => Ok((dtype.canonical(x64), false)),
            None => aval_of(it, value).map(|a| (a.dtype, a.weak)),
        },
        other => aval_of(it, other).map(|a| (a.dtype, a.weak)),
    }
}

/// A strong array of known numbers: a scalar, a NumPy array, or nested lists of scalars.
fn constant(it: &Rc<Interp>, value: &Value, dtype: Option<DType>) -> Step<Value> {
    // A number is one of that type at once: the largest of 32 bits without a sign is no int32.
    let found = match (value, dtype) {
        (Value::Int(_), Some(dtype)) => to_array_as(it, value, dtype, false)?,
        _ => to_array(it, value)?,
    };
    if let Some(array) = found {
        let dtype = dtype.unwrap_or(array.aval.dtype);
        return Ok(Value::Array(convert(it, &array, dtype, false)?));
    }
    let tensor = crate::frameworks::numpy::from_python::tensor_of(it, value, dtype)?;
    let canonical = tensor.dtype.canonical(it.engine.x64());
    Ok(Value::Array(Array::known(tensor.convert(canonical), false)))
}
