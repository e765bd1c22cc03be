//! Reading numbers out of arrays: `bool`, `int`, `float`, `repr`, and the errors of tracers.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::Members;
use super::types::known;
use crate::array::{DType, Tensor, number as numbers, print};
use crate::frameworks::numpy::array::{NdArray, numbers_of};
use crate::frameworks::numpy::printing;
use crate::frameworks::numpy::scalar::NpScalar;
use crate::interp::Interp;
use crate::python::halt::{Halt, Step};
use crate::python::{Guess, Value};
use crate::trace::{Array, Val};

/// The names of this family.
pub fn members(it: &Rc<Interp>, members: &mut Members) {
    let _ = it;
    // `concrete(x, what='')`: The value of `x`: NumPy arrays and scalars unchanged, known arrays unchanged, tracers with
    // an unknown value raise `ConcretizationTypeError` with `what` as its context line.
    members.function("concrete", |it, args| {
        let [x, what] = args.bind("concrete", ["x", "what"], 1)?;
        check_concrete(it, &x, &what)?;
        match &x {
            // Of what is differentiated that is its number.
            Value::Array(array) if array.is_tracer() => Ok(Value::Array(concrete(array)?)),
            _ => Ok(x),
        }
    });
    // `concrete_numpy(x, what='')`: Like `concrete`, as a NumPy array.
    members.function("concrete_numpy", |it, args| {
        let [x, what] = args.bind("concrete_numpy", ["x", "what"], 1)?;
        check_concrete(it, &x, &what)?;
        match &x {
            Value::Array(array) => Ok(NdArray::value(concrete(array)?)),
            Value::Object(_) if numbers_of(&x).is_some() => Ok(x),
            other => {
                let tensor = crate::frameworks::numpy::from_python::tensor_of(it, other, None)?;
                Ok(NdArray::value(Array::known(tensor, false)))
            }
        }
    });
    for (name, kind) in [("concrete_int", "int"), ("concrete_index", "index"), ("concrete_dim", "index")] {
        members.function(name, move |it, args| {
            let [x, what] = args.bind(name, ["x", "what"], 1)?;
            if let Value::Unknown(unknown) = &x {
                return match unknown.guess {
                    Guess::Int => Ok(x.clone()),
                    _ => Err(Halt::Unknown(unknown.why.clone())),
                };
            }
            check_concrete(it, &x, &what)?;
            match kind {
                "int" => {
                    let int = Value::Class(it.types.int.clone());
                    it.call_with(&int, [x])
                }
                _ => match &x {
                    Value::Object(o) if o.downcast::<crate::frameworks::jax::prims::DimObject>().is_some() => Ok(x),
                    x => Ok(Value::Int(it.index(x)?)),
                },
            }
        });
    }
    // `concrete_bool(x, what='')`: `bool(x)` with the same error for tracers.
    members.function("concrete_bool", |it, args| {
        let [x, what] = args.bind("concrete_bool", ["x", "what"], 1)?;
        check_concrete(it, &x, &what)?;
        Ok(Value::Bool(it.truth(&x)?))
    });
    // `known_scalar(x)`: A known 0-d array-like as a Python number or NumPy scalar that can be computed with.
    members.function("known_scalar", |it, args| {
        let [x] = args.exactly("known_scalar")?;
        known(&x)?;
        match &x {
            Value::Array(array) => {
                let tensor = it.engine.force(&concrete(array)?)?;
                Ok(NpScalar::value(Array::known(tensor, false)))
            }
            Value::Object(o) if o.downcast::<NdArray>().is_some() => {
                Ok(numbers_of(&x).map_or(x.clone(), NpScalar::value))
            }
            _ => Ok(x),
        }
    });
    // `known_nonzero(mask)`: `numpy.nonzero` of an array-like (or nested list) whose value is known: a tuple of NumPy
    // integer arrays.
    members.function("known_nonzero", |it, args| {
        let [mask] = args.exactly("known_nonzero")?;
        let tensor = tensor_of(it, &mask)?;
        Ok(nonzero(&tensor))
    });
}

/// The tensor of an array-like or nested list whose numbers are known.
///
/// # Errors
/// Unknown where they are not.
pub fn tensor_of(it: &Rc<Interp>, value: &Value) -> Step<Tensor> {
    known(value)?;
    match value {
        Value::Array(array) => it.engine.force(&concrete(array)?),
        other => match numbers_of(other) {
            Some(array) => it.engine.force(&array),
            None => crate::frameworks::numpy::from_python::tensor_of(it, other, None),
        },
    }
}

fn nonzero(tensor: &Tensor) -> Value {
    let rank = tensor.shape.len().max(1);
    let mut columns: Vec<Vec<i64>> = vec![Vec::new(); rank];
    for flat in 0..tensor.len() {
        if numbers::read(tensor, flat).is_some_and(|n| n.truthy()) {
            let mut rest = flat;
            for axis in (0..tensor.shape.len()).rev() {
                columns[axis].push((rest % tensor.shape[axis]) as i64);
                rest /= tensor.shape[axis];
            }
            if tensor.shape.is_empty() {
                columns[0].push(0);
            }
        }
    }
    Value::tuple(columns.into_iter().map(|c| {
        let n = c.len();
        NdArray::value(Array::known(Tensor::new([n].as_slice(), c), false))
    }))
}

/// The eager array behind a value.
fn concrete(array: &Val) -> Step<Val> {
    array.concrete().ok_or_else(|| Halt::unknown("a tracer has no numbers"))
}

fn check_concrete(it: &Rc<Interp>, value: &Value, what: &Value) -> Step<()> {
    it.note_waited();
    known(value)?;
    match value {
        Value::Array(array) if array.concrete().is_none() => {
            Err(not_concrete(array, what.as_str().unwrap_or_default()))
        }
        Value::Tuple(_) | Value::List(_) => {
            let _ = it;
            Ok(())
        }
        _ => Ok(()),
    }
}

fn not_concrete(array: &Val, context: &str) -> Halt {
    let context = if context.is_empty() { String::new() } else { format!("\n{context}") };
    Halt::raise(
        "jax.errors.ConcretizationTypeError",
        format!(
            "Abstract tracer value encountered where concrete value is expected: traced array with shape {}{context}",
            array.aval.long()
        ),
    )
}

/// `bool(array)`
///
/// # Errors
/// `TracerBoolConversionError` for tracers without a known value; `ValueError` for more than one element.
pub fn truth(it: &Rc<Interp>, array: &Val) -> Step<bool> {
    it.note_waited();
    check_alive(it, array)?;
    match array.aval.size() {
        Some(0) => {
            return Err(Halt::value_error(
                "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.",
            ));
        }
        Some(1) => {}
        Some(_) => {
            return Err(Halt::value_error(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()",
            ));
        }
        None => return Err(Halt::unknown("the truth of an array of symbolic size")),
    }
    let Some(known) = array.concrete() else {
        return Err(Halt::raise(
            "jax.errors.TracerBoolConversionError",
            format!("Attempted boolean conversion of traced array with shape {}.", array.aval.long()),
        )
        .help("use jnp.where or jax.lax.cond on traced values, or mark the argument static"));
    };
    let tensor = it.engine.force(&known)?;
    match numbers::read(&tensor, 0) {
        Some(number) => Ok(number.truthy()),
        None => Err(Halt::unknown("the truth of a key")),
    }
}

fn check_alive(it: &Rc<Interp>, array: &Val) -> Step<()> {
    crate::frameworks::jax::jit::check_alive(it, std::slice::from_ref(array))
}

/// What Python says of a complex number that is to be a real one.
pub fn not_real(kind: &str) -> Halt {
    Halt::type_error(match kind {
        "float" => "float() argument must be a string or a real number, not 'complex'",
        _ => "int() argument must be a string, a bytes-like object or a real number, not 'complex'",
    })
}

/// `int(array)` and the like: `kind` is `int`, `float`, `complex` or `index`.
///
/// # Errors
/// `ConcretizationTypeError` and its family for tracers; `TypeError` for arrays that are no scalars.
pub fn number(it: &Rc<Interp>, array: &Val, kind: &str) -> Step<Value> {
    it.note_waited();
    let aval = &array.aval;
    check_alive(it, array)?;
    // A tracer of one is a tracer like any other.
    if aval.dtype.is_key() && !array.is_tracer() {
        return Err(Halt::type_error(match kind {
            "float" => "float() argument must be a string or a real number, not 'PRNGKeyArray'",
            "complex" => "complex() first argument must be a string or a number, not 'PRNGKeyArray'",
            "int" => "int() argument must be a string, a bytes-like object or a real number, not 'PRNGKeyArray'",
            _ => "'PRNGKeyArray' object cannot be interpreted as an integer",
        }));
    }
    if kind == "index" {
        if aval.rank() > 0 || !aval.dtype.is_integer() {
            return Err(Halt::type_error("Only integer scalar arrays can be converted to a scalar index."));
        }
    } else if aval.rank() != 0 {
        return Err(Halt::type_error(format!(
            "Only scalar arrays can be converted to Python scalars; got arr.ndim={}",
            aval.rank()
        )));
    }
    // A tracer of `grad` has a value, but its `float` and `complex` are those of what is traced.
    let plain = !matches!(kind, "float" | "complex") || !array.is_tracer();
    let Some(known) = array.concrete().filter(|_| plain) else {
        return Err(match kind {
            "index" => Halt::raise(
                "jax.errors.TracerIntegerConversionError",
                format!("The __index__() method was called on traced array with shape {}", aval.long()),
            ),
            _ => Halt::raise(
                "jax.errors.ConcretizationTypeError",
                format!(
                    "Abstract tracer value encountered where concrete value is expected: traced array with shape {}\nThe problem \
                     arose with the `{kind}` function. If trying to convert the data type of a value, try using \
                     `x.astype({kind})` or `jnp.array(x, {kind})` instead.",
                    aval.long()
                ),
            ),
        });
    };
    if aval.dtype.is_complex() && kind != "complex" {
        return Err(not_real(kind));
    }
    let guess = match kind {
        "float" => Guess::Float,
        "complex" => Guess::Complex,
        _ => Guess::Int,
    };
    let worth = if guess == Guess::Int { u64::MAX } else { it.engine.worth(crate::trace::FLOAT_WORTH) };
    let tensor = match it.engine.force_within(&known, worth) {
        Ok(tensor) => tensor,
        // Integers of NaN and infinity are none.
        Err(Halt::Unknown(why)) if guess == Guess::Int && !aval.dtype.is_integer() && aval.dtype != DType::Bool => {
            return Ok(Value::unknown_of(guess, why.0));
        }
        Err(Halt::Unknown(why)) => return Ok(Value::unknown_surely_of(guess, why.0)),
        Err(halt) => return Err(halt),
    };
    let number = numbers::read(&tensor, 0).ok_or_else(|| Halt::unknown("the number of a key"))?;
    Ok(match kind {
        "float" => Value::Float(number.as_float()),
        "complex" => Value::Complex(Rc::new(number.as_complex())),
        _ => {
            let x = number.as_float();
            match number.as_int() {
                Some(int) => Value::Int(int),
                None if x.is_nan() => return Err(Halt::value_error("cannot convert float NaN to integer")),
                None if x.is_infinite() => {
                    return Err(Halt::raise("OverflowError", "cannot convert float infinity to integer"));
                }
                None => match number {
                    numbers::Number::Int(whole) => Value::big(whole.into()),
                    _ => BigInt::from_f64(x.trunc()).map_or(Value::Int(0), Value::big),
                },
            }
        }
    })
}

/// So many scalar operations are worth a text of an array.
const TEXT_WORTH: u64 = 4_000;
/// The text of an array of more elements is worth nothing.
const MOST_ELEMENTS: usize = 1000;

/// The numbers of a small array, where they are had for little.
pub fn cheap(it: &Rc<Interp>, array: &Val) -> Option<Tensor> {
    let few = array.aval.size().is_some_and(|size| size <= MOST_ELEMENTS);
    let is_had = array.tensor().is_some() || it.engine.generous.get();
    if few || is_had { it.engine.force_within(array, it.engine.worth(TEXT_WORTH)).ok() } else { None }
}

/// `repr(array)`, and `str(array)` if plain: tracers print their type.
///
/// # Errors
/// None.
pub fn text(it: &Rc<Interp>, array: &Val, plain: bool) -> Step<Value> {
    it.note_waited();
    check_alive(it, array)?;
    let text = match array.is_tracer() {
        true => {
            let unknown = std::cell::Cell::new(false);
            let text = array.tracer_repr(&|inner| {
                let text = formatted(it, inner);
                unknown.set(unknown.get() || text.is_none());
                text.unwrap_or_default()
            });
            (!unknown.get()).then_some(text)
        }
        false => cheap(it, array).and_then(|tensor| match plain {
            true => print::text(&tensor, &printing::options(it)?),
            false => print::jax_repr(&tensor, array.aval.weak, &printing::options(it)?),
        }),
    };
    Ok(text.map_or_else(|| Value::unknown_of(Guess::Str, "the numbers of an array"), Value::from))
}

/// `format(array)` of an array that is no tracer: one number is Python's.
fn formatted(it: &Rc<Interp>, array: &Val) -> Option<String> {
    let tensor = cheap(it, array)?;
    match tensor.shape.is_empty() && !tensor.dtype.is_key() {
        true => it.str_of(&super::numpy_values::python_number(&tensor, 0).ok()?).ok()?.as_str().map(str::to_owned),
        false => print::text(&tensor, &printing::options(it)?),
    }
}

/// `format(array, spec)`
///
/// # Errors
/// `TypeError` for tracers and larger arrays with a format.
pub fn format(it: &Rc<Interp>, array: &Val, spec: &str) -> Step<Value> {
    it.note_waited();
    if array.is_tracer() && spec.is_empty() {
        return text(it, array, true);
    }
    check_alive(it, array)?;
    if spec.is_empty() {
        let text = formatted(it, array);
        return Ok(text.map_or_else(|| Value::unknown_of(Guess::Str, "the numbers of an array"), Value::from));
    }
    if array.is_tracer() || array.aval.rank() > 0 || array.aval.dtype.is_key() {
        // Arrays of numbers leave it to NumPy.
        let class = match (array.is_tracer(), array.aval.dtype.is_key()) {
            (true, _) => array.class_name(),
            (false, true) => "PRNGKeyArray",
            (false, false) => "numpy.ndarray",
        };
        return Err(Halt::type_error(format!("unsupported format string passed to {class}.__format__")));
    }
    match cheap(it, array) {
        Some(tensor) => it.format_with(&super::numpy_values::python_number(&tensor, 0)?, spec),
        None => Ok(Value::unknown_of(Guess::Str, "the numbers of an array")),
    }
}
