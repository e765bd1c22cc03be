//! Functions of NumPy by those of `jax.numpy`: NumPy's arrays go in as 64-bit eager arrays and come out as NumPy's.

use std::rc::Rc;

use super::array::{NdArray, numbers_of};
use super::scalar::NpScalar;
use crate::interp::Interp;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Value};
use crate::trace::{Config, Val};

/// Runs `body` outside of every trace with 64-bit types.
///
/// # Errors
/// What `body` raises.
pub fn in_numpy<T>(it: &Rc<Interp>, body: impl FnOnce() -> Step<T>) -> Step<T> {
    let before = it.engine.config();
    let wide = Config { enable_x64: true, numpy_promotion: true, disable_jit: false, ..(*before).clone() };
    it.engine.set_config(wide);
    let result = it.engine.within(&it.engine.eval_trace(), body);
    it.engine.set_config((*before).clone());
    result
}

/// `function(*args, **kwargs)` on NumPy's arrays.
///
/// # Errors
/// `TracerArrayConversionError` for tracers; what the function raises; unknown where NumPy's types would differ.
pub fn call(it: &Rc<Interp>, function: &Value, args: Args) -> Step<Value> {
    in_numpy(it, || {
        let mut inner = Args::none();
        for value in &args.positional {
            inner.positional.push(inward(it, value)?);
        }
        for (name, value) in &args.keyword {
            inner.keyword.push((*name, inward(it, value)?));
        }
        let result = it.call(function, inner)?;
        outward(it, &result)
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

/// A NumPy value as an eager array, inside of containers too.
fn inward(it: &Rc<Interp>, value: &Value) -> Step<Value> {
    Ok(match value {
        Value::Array(array) if array.is_tracer() => return Err(not_numpy(array)),
        Value::Array(array) => {
            crate::frameworks::jax::jit::check_alive(it, std::slice::from_ref(array))?;
            value.clone()
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

/// An eager array as NumPy's: rank 0 as a scalar.
fn outward(it: &Rc<Interp>, value: &Value) -> Step<Value> {
    Ok(match value {
        Value::Array(array) => {
            let array = match array.aval.weak {
                true => crate::frameworks::jax::core::conversion::convert(it, array, array.aval.dtype, false)?,
                false => array.clone(),
            };
            if array.aval.rank() == 0 { NpScalar::value(array) } else { NdArray::value(array) }
        }
        Value::Tuple(items) => Value::tuple(items.iter().map(|i| outward(it, i)).collect::<Step<Vec<_>>>()?),
        Value::List(items) => {
            let items = items.read().clone();
            Value::list(items.iter().map(|i| outward(it, i)).collect::<Step<Vec<_>>>()?)
        }
        Value::Instance(instance) if matches!(instance.payload(), Some(Value::Tuple(_))) => {
            outward(it, &instance.payload().cloned().unwrap_or(Value::None))?
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
