//! The types of what calls of JAX's functions and methods of arrays give, where they follow from those of the arguments.

use super::Found;
use super::types::{self, Types, broadcast, own, product, promoted, updated};
use crate::array::{Aval, DType, Dim, Shape};
use crate::diagnostics::reading::{Call, call};
use crate::module::{Arg, Const, Expr, ExprId, UnaryOp};

/// Functions of one array that give floating-point numbers.
const INEXACT: [&str; 18] = [
    "sin", "cos", "tan", "sinh", "cosh", "tanh", "arctan", "arcsin", "arccos", "exp", "expm1", "log", "log1p", "log2",
    "log10", "sqrt", "sigmoid", "cbrt",
];
/// Functions of one array that keep its type.
const SAME: [&str; 6] = ["abs", "absolute", "negative", "square", "ones_like", "zeros_like"];
/// Functions of two arrays that promote them.
const PROMOTE: [&str; 5] = ["maximum", "minimum", "add", "subtract", "multiply"];
/// What asks something of each element.
const ASK: [&str; 5] = ["isnan", "isfinite", "isinf", "logical_not", "logical_and"];

/// Functions of one array along an axis that keep its type.
const ALONG: [&str; 6] = ["softmax", "log_softmax", "sort", "flip", "cumsum", "cumprod"];
/// Activations, which keep shapes and give floating-point numbers.
const ACTIVATIONS: [&str; 9] =
    ["relu", "gelu", "silu", "swish", "softplus", "elu", "leaky_relu", "relu6", "log_sigmoid"];
/// What gathers an array, or axes of it, in one.
pub(super) const GATHER: [&str; 9] = ["sum", "max", "min", "prod", "mean", "std", "var", "any", "all"];

/// The type of a call.
pub(super) fn called(found: &Found<'_>, types: &Types, id: ExprId) -> Option<Aval> {
    let call = call(found.module, id)?;
    if let Some(aval) = updated(found, types, &call) {
        return Some(aval);
    }
    let Some(receiver) = call.receiver else {
        return match call.name {
            "abs" => of_arguments(found, types, &call, None),
            _ => own(found, types, &call),
        };
    };
    let jnp = found.jnp()?;
    let text = found.text(receiver);
    if text == jnp || ["jnp.linalg", "jax.nn", "jax.numpy.linalg", "nn"].contains(&text) {
        return of_arguments(found, types, &call, None)
            .or_else(|| made(found, &call))
            .or_else(|| (call.name == "concatenate").then(|| joined(found, types, &call))?);
    }
    // A method of an array.
    let array = types::of(found, types, receiver)?;
    of_arguments(found, types, &call, Some(array))
}

fn of_arguments(found: &Found<'_>, types: &Types, call: &Call<'_>, array: Option<Aval>) -> Option<Aval> {
    let is_method = array.is_some();
    if let Some(gathered) = gathered(found, types, call, array.as_ref()) {
        return gathered;
    }
    if matches!(call.name, "reshape" | "ravel" | "flatten") {
        let (x, first) = match array {
            Some(array) => (array, 0),
            None => (types::of(found, types, call.argument(0)?)?, 1),
        };
        return reshaped(found, call, x, first);
    }
    let mut args: Vec<Aval> = array.into_iter().collect();
    for at in 0..call.args.len() {
        match call.argument(at) {
            Some(value) => args.push(types::of(found, types, value)?),
            // `axis=` keeps the shape.
            None if ALONG.contains(&call.name) && is_axis(&call.args[at]) => {}
            None => return None,
        }
    }
    match (call.name, &args[..]) {
        (name, [x]) if INEXACT.contains(&name) && !is_method => {
            Some(Aval { dtype: x.dtype.to_inexact(false), ..x.clone() })
        }
        (name, [x]) if ACTIVATIONS.contains(&name) && x.dtype.is_float() => Some(x.clone()),
        (name, [x]) if ALONG.contains(&name) && x.dtype.is_float() && !x.shape.is_empty() => Some(x.clone()),
        (name, [x]) if SAME.contains(&name) && !is_method => {
            Some(x.clone()).filter(|x| !x.dtype.is_complex() && x.dtype != DType::Bool)
        }
        (name, args) if ASK.contains(&name) && !args.is_empty() && !is_method => {
            let shape = args.iter().try_fold(Shape::new(), |shape, aval| broadcast(&shape, &aval.shape))?;
            Some(Aval::with_shape(DType::Bool, shape))
        }
        ("norm", [x]) if x.dtype.is_float() => Some(Aval::scalar(x.dtype, x.weak)),
        ("argmax" | "argmin", [x]) if !x.shape.is_empty() => Some(Aval::scalar(DType::I32, false)),
        ("dot" | "matmul" | "vdot", [a, b]) => product(a, b),
        ("where", [test, a, b]) if !is_method => {
            let chosen = promoted(a, b)?;
            Some(Aval { shape: broadcast(&test.shape, &chosen.shape)?, ..chosen })
        }
        ("clip", [x, rest @ ..]) => rest.iter().try_fold(x.clone(), |all, bound| promoted(&all, bound)),
        (name, [a, b]) if PROMOTE.contains(&name) && !is_method => promoted(a, b),
        _ => None,
    }
}

fn is_axis(arg: &Arg) -> bool {
    matches!(arg, Arg::Keyword(name, _) if name.as_str() == "axis")
}

/// What `sum` and the like give of an array, whole or along an axis; none where it is another call.
fn gathered(found: &Found<'_>, types: &Types, call: &Call<'_>, array: Option<&Aval>) -> Option<Option<Aval>> {
    if !GATHER.contains(&call.name) {
        return None;
    }
    let (x, first) = match array {
        Some(array) => (array.clone(), 0),
        None => (types::of(found, types, call.argument(0)?)?, 1),
    };
    Some(along(found, call, x, first))
}

fn along(found: &Found<'_>, call: &Call<'_>, x: Aval, first: usize) -> Option<Aval> {
    let (mut axis, mut keeps) = (None, false);
    for (at, arg) in call.args.iter().enumerate().skip(first) {
        match arg {
            Arg::Positional(value) if at == first => axis = Some(whole(found, *value)?),
            Arg::Keyword(name, value) => match (name.as_str(), found.module.expr(*value)) {
                ("axis", _) => axis = Some(whole(found, *value)?),
                ("keepdims", Expr::Constant(Const::Bool(own))) => keeps = *own,
                _ => return None,
            },
            _ => return None,
        }
    }
    let dtype = match call.name {
        "any" | "all" => DType::Bool,
        "mean" | "std" | "var" => Some(x.dtype).filter(|dtype| dtype.is_float())?,
        _ => Some(x.dtype).filter(|dtype| dtype.is_float() || *dtype == DType::I32)?,
    };
    let rank = x.shape.len() as i64;
    let mut shape = Shape::new();
    if let Some(axis) = axis {
        let axis = if axis < 0 { axis + rank } else { axis };
        if !(0..rank).contains(&axis) {
            return None;
        }
        for (at, size) in x.shape.iter().enumerate() {
            match at as i64 == axis {
                true if keeps => shape.push(Dim::from(1usize)),
                true => {}
                false => shape.push(*size),
            }
        }
    } else if keeps {
        shape.extend(x.shape.iter().map(|_| Dim::from(1usize)));
    }
    Some(Aval { dtype, weak: x.weak && dtype != DType::Bool, shape })
}

/// An array in another shape that is written out, with one size that follows from the others.
fn reshaped(found: &Found<'_>, call: &Call<'_>, x: Aval, first: usize) -> Option<Aval> {
    let mut sizes = Vec::new();
    for at in first..call.args.len() {
        let value = call.argument(at)?;
        match found.module.expr(value) {
            Expr::Tuple(items) => {
                for item in items {
                    sizes.push(whole(found, *item)?);
                }
            }
            _ => sizes.push(whole(found, value)?),
        }
    }
    if call.name != "reshape" && sizes.is_empty() {
        sizes.push(-1);
    }
    let all: i64 = x.shape.iter().map(|size| size.known().map(|size| size as i64)).product::<Option<i64>>()?;
    let given: i64 = sizes.iter().filter(|size| **size >= 0).product();
    let open = sizes.iter().filter(|size| **size < 0).count();
    let fits = match open {
        0 => given == all,
        1 => given > 0 && all % given == 0,
        _ => false,
    };
    let size = |size: &i64| Dim::from(if *size < 0 { all / given } else { *size } as usize);
    fits.then(|| Aval { shape: sizes.iter().map(size).collect(), ..x })
}

/// Arrays of a list behind each other.
fn joined(found: &Found<'_>, types: &Types, call: &Call<'_>) -> Option<Aval> {
    let (Expr::List(items) | Expr::Tuple(items)) = found.module.expr(call.argument(0)?) else { return None };
    let avals = items.iter().map(|item| types::of(found, types, *item)).collect::<Option<Vec<Aval>>>()?;
    let first = avals.first().filter(|first| !first.shape.is_empty())?;
    let is_alike = |aval: &Aval| {
        aval.dtype == first.dtype && aval.shape.len() == first.shape.len() && aval.shape[1..] == first.shape[1..]
    };
    let rows = avals.iter().map(|aval| aval.shape.first()?.known()).sum::<Option<usize>>()?;
    let mut shape = first.shape.clone();
    shape[0] = Dim::from(rows);
    (call.args.len() == 1 && avals.iter().all(is_alike)).then(|| Aval { shape, weak: false, ..first.clone() })
}

/// An integer that is written out.
pub(super) fn whole(found: &Found<'_>, id: ExprId) -> Option<i64> {
    match found.module.expr(id) {
        Expr::Constant(Const::Int(number)) => number.to_string().parse().ok(),
        Expr::Unary(UnaryOp::Neg, inner) => whole(found, *inner).map(|number| -number),
        _ => None,
    }
}

/// `jnp.zeros((3, 2))` of sizes that are written out, and `jnp.float32(0)`.
fn made(found: &Found<'_>, call: &Call<'_>) -> Option<Aval> {
    let first = call.argument(0)?;
    let sizes = || -> Option<Shape> {
        let items = match found.module.expr(first) {
            Expr::Tuple(items) => items.to_vec(),
            _ => vec![first],
        };
        items.iter().map(|item| Some(Dim::from(usize::try_from(whole(found, *item)?).ok()?))).collect()
    };
    match (call.name, call.args.len()) {
        ("zeros" | "ones", 1) => Some(Aval::with_shape(DType::F32, sizes()?)),
        ("float32", 1) if is_number(found, first) => Some(Aval::scalar(DType::F32, false)),
        ("int32", 1) if is_number(found, first) => Some(Aval::scalar(DType::I32, false)),
        _ => None,
    }
}

fn is_number(found: &Found<'_>, id: ExprId) -> bool {
    matches!(found.module.expr(id), Expr::Constant(Const::Int(_) | Const::Float(_)))
}
