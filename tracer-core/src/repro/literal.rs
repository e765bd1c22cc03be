//! Numbers, texts and arrays as Python writes them.

use std::fmt::Write;
use std::rc::Rc;

use crate::array::{Aval, DType, Number, Tensor};
use crate::interp::Interp;
use crate::trace::Val;

/// A string as Python's `repr` writes it, with double quotes as formatters like them.
pub(super) fn text(value: &str) -> String {
    let quote = if value.contains('"') && !value.contains('\'') { '\'' } else { '"' };
    let mut out = String::from(quote);
    for c in value.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// A Python float.
pub(super) fn float(value: f64) -> String {
    match value {
        v if v.is_nan() => "float(\"nan\")".into(),
        v if v == f64::INFINITY => "float(\"inf\")".into(),
        v if v == f64::NEG_INFINITY => "float(\"-inf\")".into(),
        v => format!("{v:?}"),
    }
}

/// A Python complex number; with its sign first where it is below zero.
pub(super) fn complex(value: num_complex::Complex64) -> String {
    // `-1j` is `1j` turned around: its real part is below zero as well.
    let is_imaginary = value.re == 0.0 && value.re.is_sign_negative() == value.im.is_sign_negative();
    match is_imaginary && value.im.is_finite() {
        true => {
            let text = float(value.im);
            format!("{}j", text.strip_suffix(".0").unwrap_or(&text))
        }
        false => format!("complex({}, {})", float(value.re), float(value.im)),
    }
}

fn number(value: Number, dtype: DType) -> String {
    match value {
        Number::Bool(value) => if value { "True" } else { "False" }.into(),
        Number::Int(value) => value.to_string(),
        Number::Float(value) if dtype == DType::F32 && value.is_finite() => format!("{:?}", value as f32),
        Number::Float(value) => float(value),
        Number::Complex(value) => complex(value),
    }
}

fn nested(tensor: &Tensor, shape: &[usize], from: usize) -> String {
    let Some((first, rest)) = shape.split_first() else {
        return tensor.number(from).map_or_else(|| "0".into(), |n| number(n, tensor.dtype));
    };
    let step: usize = rest.iter().product();
    let items: Vec<String> = (0..*first).map(|i| nested(tensor, rest, from + i * step)).collect();
    format!("[{}]", items.join(", "))
}

pub(super) fn sizes(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        more => format!("({})", more.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The sizes of a type; symbols count as 2.
pub(super) fn known_sizes(aval: &Aval) -> Vec<usize> {
    aval.shape.iter().map(|dim| dim.known().unwrap_or(2)).collect()
}

/// How a dtype is written for NumPy: those that NumPy has not are JAX's.
pub(super) fn numpy_dtype(dtype: DType) -> String {
    let is_known = !dtype.is_extension();
    format!("{}.{}", if is_known { "np" } else { "jnp" }, dtype.name())
}

/// An array of either framework, and whether its numbers are its own.
pub(super) fn array(it: &Rc<Interp>, value: &Val, most: usize, numpy: bool) -> (String, bool) {
    let aval = &value.aval;
    let shape = known_sizes(aval);
    let wide = it.engine.config().enable_x64;
    // JAX has none of these then: it takes NumPy's, where its own functions warn of what they make of the type.
    let is_wide = matches!(aval.dtype, DType::I64 | DType::U64 | DType::F64 | DType::C128);
    let numpy = numpy || is_wide && !wide;
    let module = if numpy { "np" } else { "jnp" };
    let dtype = if numpy { numpy_dtype(aval.dtype) } else { format!("jnp.{}", aval.dtype.name()) };
    if aval.dtype == DType::Float0 {
        return (format!("np.zeros({}, dtype=jax.dtypes.float0)", sizes(&shape)), true);
    }
    let small = shape.iter().product::<usize>() <= most;
    let tensor = value.concrete().filter(|_| !value.is_tracer()).and_then(|value| it.engine.force(&value).ok());
    if aval.dtype.is_key() {
        return match tensor.filter(|_| small) {
            Some(tensor) => {
                let words = tensor.physical();
                let data = nested(&words, &words.shape, 0);
                (format!("jax.random.wrap_key_data(jnp.array({data}, dtype=jnp.uint32))"), true)
            }
            None if shape.is_empty() => ("jax.random.key(0)".into(), false),
            None => (format!("jax.random.split(jax.random.key(0), {})", sizes(&shape)), false),
        };
    }
    let (float, int) = if wide { (DType::F64, DType::I64) } else { (DType::F32, DType::I32) };
    let default = !numpy && (aval.dtype == float || aval.dtype == int || aval.dtype == DType::Bool);
    let suffix = if default { String::new() } else { format!(", dtype={dtype}") };
    let Some(tensor) = tensor else {
        let ones = match aval.dtype == float && !numpy {
            true => format!("{module}.ones({})", sizes(&shape)),
            false => format!("{module}.ones({}, dtype={dtype})", sizes(&shape)),
        };
        return (if aval.weak && shape.is_empty() { weak("1", aval.dtype) } else { ones }, false);
    };
    let first = tensor.number(0);
    if shape.is_empty() {
        let text = first.map_or_else(|| "0".into(), |n| number(n, aval.dtype));
        return match () {
            () if aval.weak && !numpy => (format!("jnp.asarray({text})"), true),
            () if numpy && aval.dtype == DType::Bool => (format!("np.bool_({text})"), true),
            () if !numpy && default => (format!("jnp.array({text})"), true),
            // It is no name of NumPy's, whose scalars of it are treated as arrays without axes are.
            () if numpy && dtype.starts_with("jnp.") => (format!("np.array({text}, dtype={dtype})"), true),
            () => (format!("{dtype}({text})"), true),
        };
    }
    let same = first.is_some() && tensor.len() > 3 && tensor.numbers().all(|n| Some(n) == first);
    if let (true, Some(first)) = (same, first) {
        let is = |what: f64| match first {
            Number::Float(v) => v == what,
            Number::Int(v) => v as f64 == what,
            _ => false,
        };
        let plain = if aval.dtype == float && !numpy { String::new() } else { format!(", dtype={dtype}") };
        let name = if is(0.0) {
            Some("zeros")
        } else if is(1.0) {
            Some("ones")
        } else {
            None
        };
        return match name {
            Some(name) => (format!("{module}.{name}({}{plain})", sizes(&shape)), true),
            None => {
                let text = number(first, aval.dtype);
                (format!("{module}.full({}, {text}{suffix})", sizes(&shape)), true)
            }
        };
    }
    if !small {
        let plain = if aval.dtype == float && !numpy { String::new() } else { format!(", dtype={dtype}") };
        return (format!("{module}.ones({}{plain})", sizes(&shape)), false);
    }
    if tensor.is_empty() {
        return (format!("{module}.zeros({}, dtype={dtype})", sizes(&shape)), true);
    }
    (format!("{module}.array({}{suffix})", nested(&tensor, &shape, 0)), true)
}

fn weak(text: &str, dtype: DType) -> String {
    match dtype.is_float() {
        true => format!("jnp.asarray({text}.0)"),
        false => format!("jnp.asarray({text})"),
    }
}
