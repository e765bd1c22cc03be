//! `np.sin(x)` and `math.sin(x)` as `jnp.sin(x)`.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{calls, is_module, within};

/// Functions of NumPy that `jax.numpy` has under the same name and with the same first arguments.
const NUMPY: [&str; 72] = [
    "abs",
    "absolute",
    "add",
    "all",
    "any",
    "arange",
    "arccos",
    "arcsin",
    "arctan",
    "arctan2",
    "argmax",
    "argmin",
    "argsort",
    "around",
    "array",
    "asarray",
    "average",
    "broadcast_to",
    "ceil",
    "clip",
    "concatenate",
    "cos",
    "cosh",
    "cumprod",
    "cumsum",
    "diag",
    "divide",
    "dot",
    "einsum",
    "exp",
    "expand_dims",
    "expm1",
    "eye",
    "flip",
    "floor",
    "full_like",
    "hstack",
    "isfinite",
    "isnan",
    "linspace",
    "log",
    "log10",
    "log1p",
    "log2",
    "logical_and",
    "logical_not",
    "logical_or",
    "matmul",
    "max",
    "maximum",
    "mean",
    "min",
    "minimum",
    "multiply",
    "ones_like",
    "outer",
    "power",
    "prod",
    "reshape",
    "roll",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "subtract",
    "sum",
    "tanh",
    "where",
];

/// Functions of `math`, and what `jax.numpy` calls them.
const MATH: [(&str, &str); 26] = [
    ("acos", "arccos"),
    ("asin", "arcsin"),
    ("atan", "arctan"),
    ("atan2", "arctan2"),
    ("ceil", "ceil"),
    ("cos", "cos"),
    ("cosh", "cosh"),
    ("degrees", "degrees"),
    ("exp", "exp"),
    ("expm1", "expm1"),
    ("fabs", "abs"),
    ("floor", "floor"),
    ("fmod", "fmod"),
    ("hypot", "hypot"),
    ("isfinite", "isfinite"),
    ("isnan", "isnan"),
    ("log", "log"),
    ("log10", "log10"),
    ("log1p", "log1p"),
    ("log2", "log2"),
    ("pow", "power"),
    ("radians", "radians"),
    ("sin", "sin"),
    ("sqrt", "sqrt"),
    ("tan", "tan"),
    ("tanh", "tanh"),
];

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let jnp = found.jnp()?;
    let call = calls(found.module)
        .filter(|call| within(found.span(), call.span))
        .min_by_key(|call| call.span.end - call.span.start)?;
    let receiver = call.receiver?;
    let name = match found.text(receiver) {
        of if is_module(found.module, of, "numpy") => *NUMPY.iter().find(|name| **name == call.name)?,
        // `math.log` takes a base as well.
        of if is_module(found.module, of, "math") && (call.args.len() == 1 || call.name != "log") => {
            MATH.iter().find(|(name, _)| *name == call.name)?.1
        }
        _ => return None,
    };
    let start = found.module.span(receiver).start;
    let end = start + found.facts.text.get(start as usize..)?.find('(')? as u32;
    let function = crate::text::Span { start, end };
    found.replace(format!("use `{jnp}.{name}`"), function, format!("{jnp}.{name}"))
}
