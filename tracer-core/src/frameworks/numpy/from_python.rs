//! Nested lists of Python numbers as tensors, by NumPy's rules.

use std::rc::Rc;

use num_traits::ToPrimitive;

use crate::array::tensor::Sizes;
use crate::array::{Aval, DType, Tensor};
use crate::interp::Interp;
use crate::interp::number::Number;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::key::plain_nan;
use crate::python::{Guess, Value};
use crate::trace::{Array, Val};

/// The tensor of a nested list of numbers; its dtype is the one given, or the one that NumPy infers.
///
/// # Errors
/// `ValueError` for ragged lists; unknown where an item is.
pub fn tensor_of(it: &Rc<Interp>, value: &Value, dtype: Option<DType>) -> Step<Tensor> {
    let mut shape = Sizes::new();
    measure(it, value, &mut shape)?;
    let mut numbers = Vec::new();
    fill(it, value, &shape, 0, dtype, &mut numbers)?;
    let natural = numbers.iter().fold(None, |kind: Option<DType>, n| {
        let own = match n {
            (_, Some(dtype)) => *dtype,
            (Number::Int(_), None) => DType::I64,
            (Number::Big(_), None) => DType::U64,
            (Number::Float(_), None) => DType::F64,
            (Number::Complex(_), None) => DType::C128,
        };
        Some(match kind {
            Some(kind) if kind == own => kind,
            None => own,
            Some(kind) => crate::array::promotion::numpy_promote_types(kind, own).unwrap_or(DType::F64),
        })
    });
    let natural = match natural {
        Some(natural) => natural,
        // Arrays without elements have a type.
        None => {
            let mut found = None;
            kinds(it, value, &shape, 0, &mut found)?;
            found.unwrap_or(DType::F64)
        }
    };
    let target = dtype.unwrap_or(natural);
    // Integers that only an unsigned type holds do not pass through floats on the way to it.
    let whole = |(n, own): &(Number, Option<DType>)| own.is_none() && matches!(n, Number::Int(_) | Number::Big(_));
    let natural = if target == DType::U64 && numbers.iter().all(whole) { DType::U64 } else { natural };
    let shape: Sizes = shape;
    let tensor = match natural {
        DType::Bool => Tensor::new(shape, numbers.iter().map(|(n, _)| matches!(n, Number::Int(1))).collect()),
        DType::I64 => Tensor::new(shape, numbers.iter().map(|(n, _)| int(n)).collect()),
        DType::U64 => Tensor::new(shape, numbers.iter().map(|(n, _)| unsigned(n)).collect()),
        DType::C128 => Tensor::new(shape, numbers.iter().map(|(n, _)| complex(n)).collect()),
        _ => Tensor::new(shape, numbers.iter().map(|(n, _)| plain_nan(n.float().unwrap_or(f64::NAN))).collect()),
    };
    Ok(tensor.convert(target))
}

/// Whether an object of the program's makes an array of itself: it has `__array__`.
pub fn makes_array(value: &Value) -> bool {
    matches!(value, Value::Instance(instance) if instance.class().lookup(Symbol::from("__array__")).is_some())
}

/// What `value.__array__()`, or `value.__array__(dtype)`, gives where the program's class has that; otherwise the value itself.
///
/// # Errors
/// What the method raises; `ValueError` where it gives something else.
pub fn own_array(it: &Rc<Interp>, value: Value, dtype: Option<DType>) -> Step<Value> {
    if !makes_array(&value) {
        return Ok(value);
    }
    let dtype = dtype.map(crate::frameworks::dtypes::value);
    match it.call_special(&value, Symbol::from("__array__"), dtype)? {
        Some(Value::Unknown(unknown)) => Err(Halt::Unknown(unknown.why.clone())),
        Some(array) if super::methods::array_of(&array).is_some() || holds_no_numbers(&array) => Ok(array),
        Some(_) => Err(Halt::value_error("object __array__ method not producing an array")),
        None => Ok(value),
    }
}

/// Whether it is an array of what is no number: objects or texts, of which `numpy/_objects.py` is the model.
pub fn holds_no_numbers(value: &Value) -> bool {
    let Value::Instance(instance) = value else { return false };
    let class = instance.class();
    let public = class.stands_for.borrow();
    public.as_ref().is_some_and(|public| public.name.as_str() == "ndarray")
}

/// Whether what is to be an array has such an array or a text somewhere, at most so deep.
///
/// # Errors
/// What its items raise.
pub fn has_text(it: &Rc<Interp>, value: &Value, depth: usize) -> Step<bool> {
    Ok(match value.base() {
        Value::Str(_) | Value::Bytes(_) => true,
        Value::Unknown(unknown) => unknown.guess == Guess::Str,
        list @ (Value::List(_) | Value::Tuple(_)) if depth > 0 => {
            for item in it.to_vec(list)? {
                if has_text(it, &item, depth - 1)? {
                    return Ok(true);
                }
            }
            false
        }
        value => holds_no_numbers(value),
    })
}

/// Whether the first item of a nested list is an object or a text: what NumPy makes an array of no numbers of.
///
/// # Errors
/// Unknown where items are.
pub fn holds_objects(it: &Rc<Interp>, value: &Value) -> Step<bool> {
    let mut value = value.clone();
    // A list that holds itself has no end.
    for _ in 0..MOST_DIMENSIONS {
        value = match &value {
            Value::Instance(instance) => {
                let class = instance.class();
                let converts = ["__array__", "__jax_array__", "__len__"].map(Symbol::from);
                let object = instance.payload().is_none() && !converts.iter().any(|name| class.lookup(*name).is_some());
                let text = matches!(instance.payload(), Some(Value::Str(_) | Value::Bytes(_)));
                return Ok(object || text || holds_no_numbers(&value));
            }
            Value::Str(_)
            | Value::Bytes(_)
            | Value::None
            | Value::Function(_)
            | Value::Native(_)
            | Value::Method(_)
            | Value::Dict(_)
            | Value::Set(_) => return Ok(true),
            Value::Class(class) => return Ok(class.metaclass.is_none()),
            Value::Unknown(unknown) => return Ok(unknown.guess == Guess::Str),
            list if is_sequence(list) && it.len(list.base())? > 0 => it.getitem(list.base(), &Value::Int(0))?,
            _ => return Ok(false),
        };
    }
    Ok(false)
}

/// The array of a nested list: as [`tensor_of`], with numbers that come when they are asked for or never.
///
/// # Errors
/// `ValueError` for ragged lists; unknown where not even the type of an item is known.
pub fn array_of(it: &Rc<Interp>, value: &Value, dtype: Option<DType>) -> Step<Val> {
    match tensor_of(it, value, dtype) {
        Ok(tensor) => Ok(Array::known(tensor, false)),
        Err(Halt::Unknown(why)) => {
            let mut shape = Sizes::new();
            measure(it, value, &mut shape)?;
            let mut found = None;
            kinds(it, value, &shape, 0, &mut found)?;
            let dtype = dtype.or(found).ok_or(Halt::Unknown(why.clone()))?;
            let shape = shape.iter().map(|n| (*n).into()).collect();
            Ok(Array::opaque(Aval::with_shape(dtype, shape), why.0.to_string()))
        }
        Err(halt) => Err(halt),
    }
}

/// The type that NumPy infers for a nested list, without its numbers.
fn kinds(it: &Rc<Interp>, value: &Value, shape: &[usize], depth: usize, found: &mut Option<DType>) -> Step<()> {
    let own = match value {
        Value::Array(array) => array.aval.dtype,
        Value::Unknown(unknown) => match unknown.guess {
            Guess::Bool => DType::Bool,
            Guess::Int => DType::I64,
            Guess::Float => DType::F64,
            Guess::Complex => DType::C128,
            Guess::Any | Guess::Str => return Err(Halt::Unknown(unknown.why.clone())),
        },
        value if is_sequence(value) => {
            let items = it.to_vec(value.base())?;
            if depth >= shape.len() || items.len() != shape[depth] {
                return Err(ragged(shape, depth.max(1)));
            }
            return items.iter().try_for_each(|item| kinds(it, item, shape, depth + 1, found));
        }
        value => match (super::array::numbers_of(value), Number::of(value)) {
            (Some(array), _) => array.aval.dtype,
            (None, Some(Number::Int(_))) if matches!(value, Value::Bool(_)) => DType::Bool,
            (None, Some(Number::Int(_))) => DType::I64,
            (None, Some(Number::Big(_))) => DType::U64,
            (None, Some(Number::Float(_))) => DType::F64,
            (None, Some(Number::Complex(_))) => DType::C128,
            (None, None) => return Err(Halt::unknown(format!("an array of {} objects", it.type_name(value)))),
        },
    };
    *found = Some(match found {
        None => own,
        Some(before) => crate::array::promotion::numpy_promote_types(*before, own)?,
    });
    Ok(())
}

fn int(number: &Number) -> i64 {
    match number {
        Number::Int(n) => *n,
        _ => 0,
    }
}
fn unsigned(number: &Number) -> u64 {
    match number {
        Number::Int(n) => *n as u64,
        Number::Big(n) => n.to_u64().unwrap_or(0),
        _ => 0,
    }
}
fn complex(number: &Number) -> num_complex::Complex64 {
    match number {
        Number::Complex(z) => *z,
        other => num_complex::Complex64::new(other.float().unwrap_or(f64::NAN), 0.0),
    }
}

/// Whether NumPy makes the items of a value those of an array.
pub fn is_sequence(value: &Value) -> bool {
    matches!(value.base(), Value::List(_) | Value::Tuple(_) | Value::Range(_))
}

/// NumPy's own limit of an array's rank.
const MOST_DIMENSIONS: usize = 64;

/// Sizes along the first items.
fn measure(it: &Rc<Interp>, value: &Value, shape: &mut Sizes) -> Step<()> {
    if let Some(array) = super::array::numbers_of(value).or_else(|| match value {
        Value::Array(array) => Some(array.clone()),
        _ => None,
    }) {
        if array.is_tracer() {
            return Err(super::call::not_numpy(&array));
        }
        for dim in &array.aval.shape {
            shape.push(dim.get()?);
        }
        return Ok(());
    }
    may_be_rows(value)?;
    if !is_sequence(value) {
        return Ok(());
    }
    if shape.len() == MOST_DIMENSIONS {
        return Err(Halt::value_error(format!(
            "setting an array element with a sequence. The requested array would exceed the maximum number of dimension of \
             {MOST_DIMENSIONS}."
        )));
    }
    let n = it.len(value.base())?;
    it.spend_many(n)?;
    shape.push(n);
    if n > 0 {
        let first = it.getitem(value.base(), &Value::Int(0))?;
        measure(it, &first, shape)?;
    }
    Ok(())
}

/// What is not known at all may be a number, or have items of its own: no sizes follow.
fn may_be_rows(value: &Value) -> Step<()> {
    match value {
        Value::Unknown(unknown) if unknown.guess == Guess::Any => Err(Halt::Unknown(unknown.why.clone())),
        _ => Ok(()),
    }
}

fn ragged(shape: &[usize], depth: usize) -> Halt {
    let sizes: Vec<String> = shape[..depth].iter().map(|n| n.to_string()).collect();
    let shape = if sizes.len() == 1 { format!("({},)", sizes[0]) } else { format!("({})", sizes.join(", ")) };
    Halt::value_error(format!(
        "setting an array element with a sequence. The requested array has an inhomogeneous shape after {depth} dimensions. \
         The detected shape was {shape} + inhomogeneous part."
    ))
}

fn fill(
    it: &Rc<Interp>,
    value: &Value,
    shape: &[usize],
    depth: usize,
    dtype: Option<DType>,
    out: &mut Vec<(Number, Option<DType>)>,
) -> Step<()> {
    if let Some(array) = super::array::numbers_of(value).or_else(|| match value {
        Value::Array(array) => Some(array.clone()),
        _ => None,
    }) {
        if array.is_tracer() {
            return Err(super::call::not_numpy(&array));
        }
        it.note_waited();
        let tensor = it.engine.force(&array)?;
        if tensor.shape.as_slice() != &shape[depth..] {
            return Err(ragged(shape, depth.max(1)));
        }
        let own = Some(tensor.dtype);
        for i in 0..tensor.len() {
            use crate::array::number;
            match number::read(&tensor, i) {
                Some(number::Number::Bool(b)) => out.push((Number::Int(b.into()), own)),
                Some(number::Number::Int(n)) => out.push((Number::Int(n as i64), own)),
                Some(number::Number::Float(x)) => out.push((Number::Float(x), own)),
                Some(number::Number::Complex(z)) => out.push((Number::Complex(z), own)),
                None => return Err(Halt::unknown("numbers of a key")),
            }
        }
        return Ok(());
    }
    if is_sequence(value) {
        let items = it.to_vec(value.base())?;
        if depth >= shape.len() || items.len() != shape[depth] {
            return Err(ragged(shape, depth.max(1)));
        }
        for item in &items {
            fill(it, item, shape, depth + 1, dtype, out)?;
        }
        return Ok(());
    }
    may_be_rows(value)?;
    if depth != shape.len() {
        return Err(ragged(shape, depth.max(1)));
    }
    match value {
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        Value::Str(text) if dtype.is_some_and(|d| !d.is_key()) => {
            out.push((parsed(text, dtype)?, None));
            Ok(())
        }
        value => match Number::of(value) {
            Some(number) => {
                if let Some(dtype) = dtype {
                    check_fits(&number, dtype)?;
                }
                out.push((number, matches!(value, Value::Bool(_)).then_some(DType::Bool)));
                Ok(())
            }
            None => Err(Halt::unknown(format!("an array of {} objects", it.type_name(value)))),
        },
    }
}

/// A Python number that is to become an element of this type.
///
/// # Errors
/// `OverflowError`, `ValueError` and `TypeError` as NumPy raises them for numbers that the type cannot hold.
pub fn check_fits(number: &Number, dtype: DType) -> Step<()> {
    let bounds = |text: &str| {
        Err(Halt::raise("OverflowError", format!("Python integer {text} out of bounds for {}", dtype.name())))
    };
    if !dtype.is_integer() {
        return match number {
            Number::Complex(_) if dtype.is_float() => {
                Err(Halt::type_error("float() argument must be a string or a real number, not 'complex'"))
            }
            _ => Ok(()),
        };
    }
    let bits = dtype.bits();
    let (low, high) = match dtype.kind() {
        crate::array::Kind::Unsigned => (0, (1i128 << bits) - 1),
        _ => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
    };
    if dtype.is_part_of_byte() {
        // They wrap integers, and no floats; whichever of them it is, the message names one.
        let outside = || Halt::raise("OverflowError", "out of range value cannot be converted to int4");
        return match number {
            Number::Big(n) if n.to_i64().is_none() => {
                Err(Halt::raise("OverflowError", "Python int too large to convert to C long"))
            }
            Number::Float(x) if x.is_nan() => Err(Halt::value_error("cannot convert float NaN to integer")),
            Number::Float(x) if *x < low as f64 || *x > high as f64 => Err(outside()),
            Number::Complex(_) => Err(Halt::type_error("expected number, got complex")),
            _ => Ok(()),
        };
    }
    match number {
        Number::Int(n) if i128::from(*n) < low || i128::from(*n) > high => bounds(&n.to_string()),
        Number::Big(n) if n.to_i128().is_none_or(|n| n < low || n > high) => bounds(&n.to_string()),
        Number::Float(x) if x.is_nan() => Err(Halt::value_error("cannot convert float NaN to integer")),
        Number::Float(x) if x.is_infinite() => {
            Err(Halt::raise("OverflowError", "cannot convert float infinity to integer"))
        }
        Number::Float(x) if x.trunc() < low as f64 || x.trunc() > high as f64 => bounds(&format!("{}", x.trunc())),
        Number::Complex(_) => Err(Halt::type_error(
            "int() argument must be a string, a bytes-like object or a real number, not 'complex'",
        )),
        _ => Ok(()),
    }
}

/// A text as a number of this type.
fn parsed(text: &str, dtype: Option<DType>) -> Step<Number> {
    let plain = text.trim();
    if dtype.is_some_and(|d| d.is_integer()) {
        let number = plain.parse().map(Number::Int);
        return number.map_err(|_| Halt::value_error(format!("invalid literal for int() with base 10: '{text}'")));
    }
    if dtype == Some(DType::Bool) {
        return Ok(Number::Int((!text.is_empty()).into()));
    }
    let number = plain.parse().map(Number::Float);
    number.map_err(|_| Halt::value_error(format!("could not convert string to float: '{text}'")))
}
