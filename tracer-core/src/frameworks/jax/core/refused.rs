//! What JAX says of an argument that is a leaf and no array: a text, a function, or NumPy's array of objects or texts.

use std::rc::Rc;

use super::conversion::class_text;
use crate::frameworks::numpy::from_python::holds_no_numbers;
use crate::interp::Interp;
use crate::python::Value;
use crate::python::halt::Halt;

/// Functions that JAX compiles as a whole, by what is before their name in that of the compiled function, and the names of their first
/// parameters: these look at their arguments first.
const COMPILED: &[(&str, &[&str], &str)] = &[
    (
        "",
        &["x"],
        "abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh bitwise_count \
        bitwise_invert bitwise_not cbrt ceil conjugate cos cosh deg2rad exp exp2 expm1 fabs floor frexp i0 invert iscomplex isfinite isinf \
        isnan isreal log log10 log1p log2 logical_not modf nan_to_num negative positive rad2deg reciprocal rint sign signbit sin sinc sinh \
        spacing sqrt square tan tanh trunc unstack vander norm",
    ),
    (
        "",
        &["x", "y"],
        "add bitwise_and bitwise_left_shift bitwise_or bitwise_xor corrcoef equal float_power greater greater_equal left_shift \
        less less_equal logical_and logical_or logical_xor maximum minimum multiply nextafter not_equal subtract",
    ),
    (
        "",
        &["x1", "x2"],
        "arctan2 atan2 bitwise_right_shift copysign divmod floor_divide fmax fmin fmod gcd heaviside hypot lcm ldexp \
        logaddexp logaddexp2 matvec remainder right_shift true_divide vecmat",
    ),
    ("", &["a", "b"], "allclose cross dot inner isclose kron matmul outer vdot"),
    (
        "",
        &["a"],
        "argsort around count_nonzero cumprod cumsum diagonal diff median nancumprod nancumsum nanmax nanmean nanmedian nanmin \
        nanprod nanstd nansum nanvar packbits ravel resize rollaxis round sort sort_complex swapaxes trace unpackbits argpartition partition",
    ),
    ("", &["a", "q"], "nanpercentile nanquantile percentile quantile"),
    ("", &["a", "v"], "convolve correlate searchsorted"),
    ("", &["a1", "a2"], "polyadd polysub"),
    ("", &["m", "y"], "cov rot90 tril triu"),
    ("", &["p", "x"], "polyder polyint polyval unwrap"),
    ("", &["val"], "imag real"),
    ("", &["arr", "min", "max"], "clip"),
    ("_reduce_", &["a"], "all any max min prod sum"),
    ("_", &["a"], "average mean"),
    ("_", &["condition", "x", "y"], "where"),
    ("_", &["a", "indices"], "take"),
    ("_", &["start", "stop"], "geomspace linspace logspace"),
];

/// Of these, such that are asked for arrays first where they are given a function.
const ASKED_FIRST: &str = "add bitwise_and bitwise_or bitwise_xor logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum multiply negative subtract where";

/// The error of an argument of the function `name` that is no array; `None` for what JAX's functions look at themselves.
pub fn refused(it: &Rc<Interp>, name: &str, value: &Value, position: usize) -> Option<Halt> {
    let is_array = holds_no_numbers(value);
    let is_callable = matches!(value, Value::Function(_) | Value::Native(_) | Value::Method(_) | Value::Class(_))
        && !ASKED_FIRST.split_whitespace().any(|one| one == name);
    if !is_array && !is_callable && !matches!(value, Value::Str(_) | Value::Bytes(_)) {
        return None;
    }
    let row = COMPILED.iter().find(|(_, _, names)| names.split_whitespace().any(|one| one == name));
    if let Some((prefix, parameters, _)) = row {
        let path = parameters.get(position).or(parameters.last()).unwrap_or(&"x");
        return Some(Halt::type_error(format!(
            "Error interpreting argument to <function {prefix}{name} at 0x7f0000000000> as an abstract array. The problematic value is of \
             type {} and was passed to the function at path {path}.\nThis typically means that a jit-wrapped function was called with a \
             non-array argument, and this argument was not marked as static using the static_argnums or static_argnames parameters of \
             jax.jit.",
            class_text(it, value)
        )));
    }
    is_array.then(|| no_array(it, value))
}

/// The error of NumPy's array of objects or texts where numbers are needed.
pub fn no_array(it: &Rc<Interp>, value: &Value) -> Halt {
    let dtype = dtype_text(it, value);
    let text = it.while_catching(|| it.str_of(value)).ok();
    let text = text.as_ref().and_then(|text| text.as_str()).unwrap_or("…");
    Halt::type_error(format!(
        "Value '{text}' with dtype {dtype} is not a valid JAX array type. Only arrays of numeric types are supported by JAX."
    ))
}

/// The error of NumPy's array of objects or texts where JAX needs a type.
pub fn no_type(it: &Rc<Interp>, value: &Value) -> Halt {
    let dtype = dtype_text(it, value);
    Halt::type_error(format!(
        "Dtype {dtype} is not a valid JAX array type. Only arrays of numeric types are supported by JAX."
    ))
}

fn dtype_text(it: &Rc<Interp>, value: &Value) -> String {
    let text = it.while_catching(|| it.str_of(&it.getattr(value, sym!("dtype"))?)).ok();
    text.as_ref().and_then(|text| text.as_str()).unwrap_or("…").to_owned()
}
