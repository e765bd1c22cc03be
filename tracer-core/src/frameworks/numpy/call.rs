//! Functions of NumPy by those of `jax.numpy`: NumPy's arrays go in as 64-bit eager arrays and come out as NumPy's.

use std::rc::Rc;

use super::array::{NdArray, numbers_of};
use super::scalar::NpScalar;
use super::view::Layout;
use crate::array::promotion::{NumpyOperand, numpy_result_type};
use crate::array::{DType, Dim, Kind, Shape};
use crate::frameworks::jax::recipes;
use crate::interp::Interp;
use crate::python::halt::{Halt, Raised, Step};
use crate::python::{Args, Value};
use crate::trace::{Config, Val};

/// Runs `body` outside of every trace with 64-bit types.
///
/// # Errors
/// What `body` raises.
pub fn in_numpy<T>(it: &Rc<Interp>, body: impl FnOnce() -> Step<T>) -> Step<T> {
    // How NumPy does it is no call of the program's.
    let _quiet = it.repro.quiet(it.repro.listens());
    let before = it.engine.config();
    let wide = Config { enable_x64: true, numpy_promotion: true, disable_jit: false, ..(*before).clone() };
    it.engine.set_config(wide);
    let result = {
        let _aside = it.engine.enter_aside();
        body()
    };
    it.engine.set_config((*before).clone());
    result
}

/// `function(*args, **kwargs)` on NumPy's arrays.
///
/// # Errors
/// `TracerArrayConversionError` for tracers; what the function raises, as NumPy says it; unknown where NumPy's types would
/// differ.
pub fn call(it: &Rc<Interp>, function: &Value, args: Args) -> Step<Value> {
    let mut rows = true;
    for value in args.positional.iter().chain(args.keyword.iter().map(|(_, v)| v)) {
        if let Some(array) = super::methods::array_of(value) {
            rows &= array.layout == Layout::Rows || array.array().aval.rank() < 2;
        }
    }
    in_numpy(it, || {
        if lacks(function, &args) {
            return it.call(function, args.clone());
        }
        let mut inner = Args::none();
        for value in &args.positional {
            inner.positional.push(inward(it, value)?);
        }
        for (name, value) in &args.keyword {
            inner.keyword.push((*name, inward(it, value)?));
        }
        let result = recipes::call(it, function, inner)
            .map_err(|halt| wrong_axis(it, &args, &halt).unwrap_or_else(|| as_numpys(it, halt)))?;
        outward(it, &result, rows)
    })
}

/// Whether a function is not given all that it needs: Python says so before NumPy looks at what it is given.
fn lacks(function: &Value, args: &Args) -> bool {
    let Value::Function(function) = function else { return false };
    let params = &function.code().params;
    let needed = (params.positional as usize).saturating_sub(function.defaults.len());
    let is_named = |slot: usize| args.keyword.iter().any(|(name, _)| *name == params.names[slot].name);
    (args.positional.len()..needed).any(|slot| !is_named(slot))
}

/// What `body` gives, as NumPy's: it computes with JAX's arrays.
///
/// # Errors
/// What it raises, as NumPy says it.
pub fn result(it: &Rc<Interp>, rows: bool, body: impl FnOnce() -> Step<Option<Val>>) -> Step<Option<Value>> {
    in_numpy(it, || match body().map_err(|halt| as_numpys(it, halt))? {
        Some(array) => outward(it, &Value::Array(array), rows).map(Some),
        None => Ok(None),
    })
}

/// The error of a tracer that NumPy wants the numbers of.
#[cold]
pub fn not_numpy(tracer: &Val) -> Halt {
    Halt::raise(
        "jax.errors.TracerArrayConversionError",
        format!(
            "The numpy.ndarray conversion method __array__() was called on traced array with shape {}",
            tracer.aval.long()
        ),
    )
    .help("use the function of jax.numpy in place of NumPy's")
}

/// Why an exception of JAX's is none of NumPy's.
const JAX_ALONE: &str = "JAX refuses this, and NumPy may not";

/// What NumPy says of an axis that an array does not have, where JAX asks for its size and finds none.
#[cold]
fn wrong_axis(it: &Rc<Interp>, args: &Args, halt: &Halt) -> Option<Halt> {
    let Halt::Raise(exception) = halt else { return None };
    let of_sizes = matches!(&exception.what, Raised::Native(class, message)
        if **class == *"IndexError" && **message == *"tuple index out of range");
    let rank = shape_of(args.positional.first().filter(|_| of_sizes)?)?.len() as i64;
    let given = args.keyword.iter().find(|(name, _)| name.as_str() == "axis").map(|(_, value)| value);
    let axes = match given.or_else(|| args.positional.get(1))? {
        Value::Tuple(axes) => axes.to_vec(),
        axis => vec![axis.clone()],
    };
    let axes = axes.iter().map_while(|axis| it.index(axis).ok());
    let axis = axes.into_iter().find(|axis| !(-rank..rank).contains(axis))?;
    let message = format!("axis {axis} is out of bounds for array of dimension {rank}");
    Some(Halt::raise("numpy.exceptions.AxisError", message))
}

/// An exception of a function of JAX's as NumPy raises it; not known where NumPy may have none.
fn as_numpys(it: &Rc<Interp>, halt: Halt) -> Halt {
    let Halt::Raise(exception) = halt else { return halt };
    let (class, message) = match &exception.what {
        Raised::Native(class, message) => (class.to_string(), message.to_string()),
        Raised::Instance(instance) => {
            let class = instance.class();
            let message = match it.exception_args(instance) {
                Value::Tuple(args) => args.first().and_then(|m| m.as_str().map(str::to_owned)).unwrap_or_default(),
                _ => String::new(),
            };
            (format!("{}.{}", class.module, class.name).trim_start_matches("builtins.").to_owned(), message)
        }
    };
    if class.starts_with("numpy") || class.ends_with("TracerArrayConversionError") {
        return Halt::Raise(exception);
    }
    if message.starts_with("axis ") && message.contains("is out of bounds for array of dimension") {
        return Halt::raise("numpy.exceptions.AxisError", message);
    }
    if message.starts_with("duplicate value in 'axis'") {
        return Halt::value_error("duplicate value in 'axis'");
    }
    let shapes = message
        .split_once(" got incompatible shapes for broadcasting: ")
        .map(|(_, shapes)| shapes.trim_end_matches('.'))
        .or_else(|| {
            message.strip_prefix("Incompatible shapes for broadcasting: shapes=[").map(|s| s.trim_end_matches(']'))
        });
    if let Some(shapes) = shapes {
        let shapes = shapes.replace("), ", ") ").replace(", ", ",");
        return Halt::value_error(format!("operands could not be broadcast together with shapes {shapes} "));
    }
    if message == "Invalid argument to dtype: None." {
        return Halt::type_error("unsupported operand type(s): 'NoneType'");
    }
    let plain =
        ["ValueError", "IndexError", "ZeroDivisionError", "OverflowError", "KeyError"].contains(&class.as_str());
    let of_jax = ["jax", "JAX", "jnp", "ndarray or scalar", "Array", "array-like", "lax"];
    if !plain || of_jax.iter().any(|word| message.contains(word)) {
        return match class.as_str() {
            "TypeError" if message.contains("cannot be interpreted as an integer") => Halt::Raise(exception),
            "TypeError" if message.contains("argument") && message.contains("()") => Halt::Raise(exception),
            _ => Halt::unknown(format!("{JAX_ALONE}: {message}")),
        };
    }
    Halt::Raise(exception)
}

/// A shape as NumPy's messages write it: `(3,4)`.
pub fn tight(shape: &[Dim]) -> String {
    crate::array::shape_tuple(shape).replace(' ', "")
}

/// The broadcast of shapes by NumPy's rule; `None` where there is none.
pub fn broadcast_shape(shapes: &[Shape]) -> Option<Shape> {
    crate::frameworks::jax::core::shapes::broadcast(shapes).ok()
}

/// An array in a shape that it broadcasts to; axes of size 1 that lead may be too many.
///
/// # Errors
/// What the primitives raise.
pub fn spread(it: &Rc<Interp>, array: &Val, shape: &Shape) -> Step<Val> {
    use crate::primitives::build;
    let own = &array.aval.shape;
    let padded: Shape = match own.len() > shape.len() {
        true => own[own.len() - shape.len()..].iter().copied().collect(),
        false => std::iter::repeat_n(Dim::from(1usize), shape.len() - own.len()).chain(own.iter().copied()).collect(),
    };
    let array = if padded == *own { array.clone() } else { build::reshape(&it.engine, array, &padded)? };
    build::broadcast_like(&it.engine, &array, shape)
}

fn shape_of(value: &Value) -> Option<Shape> {
    match value {
        Value::Array(array) => Some(array.aval.shape.clone()),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Complex(_) => Some(Shape::new()),
        value => numbers_of(value).map(|array| array.aval.shape.clone()),
    }
}

fn dtype_of(value: &Value) -> Option<DType> {
    match value {
        Value::Bool(_) => Some(DType::Bool),
        Value::Array(array) => Some(array.aval.dtype),
        value => numbers_of(value).map(|array| array.aval.dtype),
    }
}

/// Ufuncs without loops for complex numbers.
const REAL: &[&str] = &[
    "arctan2",
    "bitwise_and",
    "bitwise_count",
    "bitwise_or",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "copysign",
    "deg2rad",
    "degrees",
    "divmod",
    "fabs",
    "floor",
    "floor_divide",
    "fmod",
    "frexp",
    "gcd",
    "heaviside",
    "hypot",
    "invert",
    "lcm",
    "ldexp",
    "left_shift",
    "logaddexp",
    "logaddexp2",
    "modf",
    "nextafter",
    "rad2deg",
    "radians",
    "remainder",
    "right_shift",
    "signbit",
    "spacing",
    "trunc",
];
/// Ufuncs with loops for integers alone (and bools, where they say so).
const WHOLE: &[&str] =
    &["bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "invert", "lcm", "left_shift", "right_shift", "bitwise_count"];
/// Ufuncs that compute bools as 8-bit integers.
const BOOL_AS_INT8: &[&str] = &[
    "conjugate",
    "divmod",
    "floor_divide",
    "fmod",
    "left_shift",
    "power",
    "reciprocal",
    "remainder",
    "right_shift",
    "square",
];
/// Ufuncs of two numbers, and others, that compute integers in the narrowest float that holds them.
const NARROW_FLOAT: &[&str] =
    &["arctan2", "copysign", "heaviside", "hypot", "logaddexp", "logaddexp2", "nextafter", "rint"];

/// The operands of a ufunc in the types that NumPy's loops have, where JAX's functions would choose others.
///
/// # Errors
/// Those of conversions.
pub fn prepared(it: &Rc<Interp>, name: &str, args: Vec<Value>) -> Step<Vec<Value>> {
    let as_int8 = BOOL_AS_INT8.contains(&name);
    let narrow = NARROW_FLOAT.contains(&name);
    if !as_int8 && !narrow {
        return Ok(args);
    }
    let mut operands = Vec::new();
    for value in &args {
        operands.push(match value {
            Value::Bool(_) => NumpyOperand::Python(Kind::Bool),
            Value::Int(_) => NumpyOperand::Python(Kind::Signed),
            Value::Float(_) => NumpyOperand::Python(Kind::Float),
            value => match dtype_of(value) {
                Some(dtype) => NumpyOperand::Typed(dtype),
                None => return Ok(args),
            },
        });
    }
    // Powers of arrays are computed in the type of both: an exponent of rank 0 has one as well.
    let is_other = |dtype: DType| move |one: &NumpyOperand| matches!(one, NumpyOperand::Typed(own) if *own != dtype);
    let all_typed = operands.iter().all(|one| matches!(one, NumpyOperand::Typed(_)));
    let squared = name == "power" && matches!(args.get(1), Some(Value::Int(2)));
    let dtype = match numpy_result_type(&operands)? {
        DType::Bool if as_int8 => DType::I8,
        // `x ** 2` is `np.square(x)`.
        _ if squared && operands[0] == NumpyOperand::Typed(DType::Bool) => DType::I8,
        dtype if name == "power" && all_typed && operands.iter().any(is_other(dtype)) => dtype,
        dtype if narrow && (dtype.is_integer() || dtype == DType::Bool) => dtype.numpy_unary_inexact(),
        _ => return Ok(args),
    };
    args.into_iter()
        .map(|value| {
            let tensor_of = || super::from_python::tensor_of(it, &value, None);
            let array = match (numbers_of(&value), &value) {
                (Some(array), _) => array,
                (None, Value::Array(array)) if array.is_tracer() => return Ok(value),
                (None, Value::Array(array)) => array.clone(),
                (None, _) => crate::trace::Array::known(tensor_of()?, false),
            };
            let array = in_numpy(it, || crate::frameworks::jax::core::conversion::convert(it, &array, dtype, false))?;
            Ok(if array.aval.rank() == 0 { NpScalar::value(array) } else { NdArray::value(array) })
        })
        .collect()
}

/// The error of a ufunc that has no loop for such types at all.
fn no_loop(name: &str) -> Halt {
    Halt::raise(
        "numpy._core._exceptions._UFuncNoLoopError",
        format!("ufunc '{name}' did not contain a loop with signature matching types"),
    )
}

/// What a ufunc refuses: shapes that do not fit, and types that have no loop.
///
/// # Errors
/// As NumPy words them.
pub fn check_operands(it: &Rc<Interp>, name: &str, args: &[&Value]) -> Step<()> {
    let _ = it;
    let types: Vec<Option<DType>> = args.iter().map(|a| dtype_of(a)).collect();
    let all_bool = types.iter().all(|t| *t == Some(DType::Bool));
    let floats = types.iter().flatten().any(|t| t.is_inexact());
    match name {
        "gcd" | "lcm" if floats || all_bool => return Err(no_loop(name)),
        "sign" | "positive" if all_bool => return Err(no_loop(name)),
        _ if REAL.contains(&name) && types.iter().flatten().any(|t| t.is_complex())
            || WHOLE.contains(&name) && types.iter().flatten().any(|t| t.is_inexact())
            || WHOLE.contains(&name) && args.iter().any(|a| matches!(a, Value::Float(_)))
            || REAL.contains(&name) && args.iter().any(|a| matches!(a, Value::Complex(_))) =>
        {
            return Err(Halt::type_error(format!(
                "ufunc '{name}' not supported for the input types, and the inputs could not be safely coerced to any supported \
                 types according to the casting rule ''safe''"
            )));
        }
        "subtract" if all_bool => {
            return Err(Halt::type_error(
                "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the \
                 logical_xor function instead.",
            ));
        }
        "negative" if all_bool => {
            return Err(Halt::type_error(
                "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not \
                 function instead.",
            ));
        }
        "power" if types[0].is_some_and(DType::is_integer) && matches!(args.get(1), Some(Value::Int(..0))) => {
            return Err(Halt::value_error("Integers to negative integer powers are not allowed."));
        }
        _ => {}
    }
    check_python_integer(name, args, &types)?;
    let Some(shapes) = args.iter().map(|a| shape_of(a)).collect::<Option<Vec<Shape>>>() else { return Ok(()) };
    if name == "matmul" {
        return check_matmul(&shapes);
    }
    let known = shapes.iter().flatten().all(|d| d.known().is_some());
    if known && !["vecdot", "matvec", "vecmat"].contains(&name) && broadcast_shape(&shapes).is_none() {
        let shapes: Vec<String> = shapes.iter().map(|s| tight(s)).collect();
        return Err(Halt::value_error(format!(
            "operands could not be broadcast together with shapes {} ",
            shapes.join(" ")
        )));
    }
    Ok(())
}

/// Binary functions that compute on integers of the type of the operand that has one.
const KEEPS_INTEGERS: &[&str] = &[
    "add",
    "subtract",
    "multiply",
    "floor_divide",
    "remainder",
    "mod",
    "fmod",
    "divmod",
    "power",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "right_shift",
    "gcd",
    "lcm",
];

/// A Python integer takes the type of the other operand, and has to fit into it.
fn check_python_integer(name: &str, args: &[&Value], types: &[Option<DType>]) -> Step<()> {
    let ([a, b], [ta, tb]) = (args, types) else { return Ok(()) };
    let (number, dtype) = match (a, b, ta, tb) {
        (number @ (Value::Int(_) | Value::BigInt(_)), _, _, Some(dtype)) => (number, *dtype),
        (_, number @ (Value::Int(_) | Value::BigInt(_)), Some(dtype), _) => (number, *dtype),
        _ => return Ok(()),
    };
    if !dtype.is_integer() || !KEEPS_INTEGERS.contains(&name) {
        return Ok(());
    }
    let (least, most) = crate::array::convert::int_range(dtype);
    let message = match number {
        Value::Int(x) if (least..=most).contains(&i128::from(*x)) => return Ok(()),
        Value::Int(x) => format!("Python integer {x} out of bounds for {}", dtype.name()),
        Value::BigInt(x) if num_traits::ToPrimitive::to_i128(&**x).is_some_and(|x| (least..=most).contains(&x)) => {
            return Err(Halt::unknown("an unsigned integer of 64 bits that is no signed one"));
        }
        _ => "Python int too large to convert to C long".to_owned(),
    };
    Err(Halt::raise("OverflowError", message))
}

fn check_matmul(shapes: &[Shape]) -> Step<()> {
    let [a, b] = shapes else { return Ok(()) };
    for (i, shape) in [a, b].into_iter().enumerate() {
        if shape.is_empty() {
            return Err(Halt::value_error(format!(
                "matmul: Input operand {i} does not have enough dimensions (has 0, gufunc core with signature \
                 (n?,k),(k,m?)->(n?,m?) requires 1)"
            )));
        }
    }
    let inner = if b.len() == 1 { b[0] } else { b[b.len() - 2] };
    let outer = a[a.len() - 1];
    if let (Some(k), Some(own)) = (outer.known(), inner.known())
        && k != own
    {
        return Err(Halt::value_error(format!(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) \
             (size {own} is different from {k})"
        )));
    }
    Ok(())
}

/// A NumPy value as an eager array, inside of containers too.
fn inward(it: &Rc<Interp>, value: &Value) -> Step<Value> {
    Ok(match value {
        Value::Array(array) if array.is_tracer() => return Err(not_numpy(array)),
        Value::Array(array) => {
            crate::frameworks::jax::jit::check_alive(it, std::slice::from_ref(array))?;
            it.note_waited();
            // NumPy knows no weak types.
            match array.aval.weak {
                true => {
                    Value::Array(crate::frameworks::jax::core::conversion::convert(it, array, array.aval.dtype, false)?)
                }
                false => value.clone(),
            }
        }
        Value::Tuple(items) => Value::tuple(items.iter().map(|i| inward(it, i)).collect::<Step<Vec<_>>>()?),
        Value::List(items) if items.why_vague().is_none() => {
            let items = items.read().clone();
            if items
                .iter()
                .any(|i| numbers_of(i).is_some() || matches!(i, Value::Array(_) | Value::List(_) | Value::Tuple(_)))
                && !items.is_empty()
            {
                return Ok(Value::list(items.iter().map(|i| inward(it, i)).collect::<Step<Vec<_>>>()?));
            }
            // A list of numbers is an array to NumPy.
            let plain = items.iter().all(|i| i.as_int().is_some() || matches!(i, Value::Float(_) | Value::Complex(_)));
            if plain && !items.is_empty() {
                let tensor = super::from_python::tensor_of(it, value, None)?;
                return Ok(Value::Array(crate::trace::Array::known(tensor, false)));
            }
            value.clone()
        }
        other => match numbers_of(other) {
            Some(array) => Value::Array(array),
            None => other.clone(),
        },
    })
}

/// An index as JAX takes it: lists are arrays.
///
/// # Errors
/// Unknown where an item is.
pub fn inward_index(it: &Rc<Interp>, index: &Value) -> Step<Value> {
    Ok(match index {
        Value::Tuple(items) => Value::tuple(items.iter().map(|i| inward_index(it, i)).collect::<Step<Vec<_>>>()?),
        Value::List(_) => {
            let tensor = super::from_python::tensor_of(it, index, None)?;
            let tensor = if tensor.is_empty() { tensor.convert(DType::I64) } else { tensor };
            Value::Array(crate::trace::Array::known(tensor, false))
        }
        Value::Slice(_) => index.clone(),
        other => inward(it, other)?,
    })
}

/// An eager array as NumPy's: rank 0 as a scalar.
fn outward(it: &Rc<Interp>, value: &Value, rows: bool) -> Step<Value> {
    Ok(match value {
        Value::Array(array) => {
            let array = match array.aval.weak {
                true => crate::frameworks::jax::core::conversion::convert(it, array, array.aval.dtype, false)?,
                false => array.clone(),
            };
            match array.aval.rank() {
                0 => NpScalar::value(array),
                1 => NdArray::value(array),
                _ if rows => NdArray::value(array),
                // The order of the axes in memory follows the arguments'.
                _ => Value::Object(NdArray::laid_out(array, Layout::Unknown)),
            }
        }
        Value::Tuple(items) => Value::tuple(items.iter().map(|i| outward(it, i, rows)).collect::<Step<Vec<_>>>()?),
        Value::List(items) => {
            let items = items.read().clone();
            Value::list(items.iter().map(|i| outward(it, i, rows)).collect::<Step<Vec<_>>>()?)
        }
        Value::Instance(instance) if matches!(instance.payload(), Some(Value::Tuple(_))) => {
            outward(it, &instance.payload().cloned().unwrap_or(Value::None), rows)?
        }
        other => other.clone(),
    })
}

/// `dict` of keyword arguments as [`Args`].
///
/// # Errors
/// Unknown where the dict is not known.
pub fn args_of(it: &Rc<Interp>, args: &Value, kwargs: &Value) -> Step<Args> {
    let mut call = Args::of(it.to_vec(args)?);
    for (key, value) in it.mapping_items(kwargs)?.unwrap_or_default() {
        call.keyword.push((key.as_str().unwrap_or_default().into(), value));
    }
    Ok(call)
}
