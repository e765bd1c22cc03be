//! Checks and batching rules that many primitives share.

use std::rc::Rc;

use smallvec::smallvec;

use super::{Dims, Operand, Param, Primitive, Tangents, build};
use crate::array::{Aval, DType, Dim, Kind, Shape, shape_tuple};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// A family of element types, as error messages name it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Class {
    /// `integer`
    Integer,
    /// `signedinteger`
    Signed,
    /// `floating`
    Floating,
    /// `complexfloating`
    Complex,
    /// `bool`
    Bool,
    /// `float32`
    F32,
    /// `float64`
    F64,
}

use Class::*;

/// Integers, floats and complex numbers.
pub const NUMBER: &[Class] = &[Integer, Floating, Complex];
/// Everything but keys.
pub const ANY: &[Class] = &[Integer, Floating, Complex, Bool];
/// What has an order.
pub const ORDERED: &[Class] = &[Integer, Floating, Bool];
/// Floats.
pub const FLOAT: &[Class] = &[Floating];
/// Floats and complex numbers.
pub const INEXACT: &[Class] = &[Floating, Complex];
/// Integers.
pub const INTEGER: &[Class] = &[Integer];
/// Integers and floats.
pub const REAL: &[Class] = &[Integer, Floating];
/// Integers and booleans.
pub const BITS: &[Class] = &[Integer, Bool];

impl Class {
    fn has(self, dtype: DType) -> bool {
        match self {
            Integer => dtype.is_integer(),
            Signed => dtype.kind() == Kind::Signed,
            Floating => dtype.is_float(),
            Complex => dtype.is_complex(),
            Bool => dtype == DType::Bool,
            F32 => dtype == DType::F32,
            F64 => dtype == DType::F64,
        }
    }
    fn name(self) -> &'static str {
        match self {
            Integer => "integer",
            Signed => "signedinteger",
            Floating => "floating",
            Complex => "complexfloating",
            Bool => "bool",
            F32 => "float32",
            F64 => "float64",
        }
    }
}

fn names(accepted: &[Class]) -> String {
    accepted.iter().map(|c| c.name()).collect::<Vec<_>>().join(", ")
}

const FLOAT0: &str = "float0s do not support any operations by design, because they are not compatible with non-trivial vector \
    spaces. No implicit dtype conversion is done. You can use np.zeros_like(arr, dtype=np.float) to cast a float0 array to a \
    regular zeros array. \nIf you didn't expect to get a float0 you might have accidentally taken a gradient with respect to \
    an integer argument.";

/// The error of a function of `jax.numpy` that is given a tangent of integers: a comma less than primitives have.
#[cold]
pub fn of_float0(name: &str) -> Halt {
    Halt::type_error(format!("Called {name} with a float0 array. {}", FLOAT0.replacen(',', "", 1)))
}

/// The type of the input of a unary operation.
///
/// # Errors
/// `TypeError` for a type that is not accepted.
pub fn check_unary(name: &str, accepted: &[Class], input: &Aval) -> Step<()> {
    let dtype = input.dtype;
    if dtype == DType::Float0 {
        return Err(Halt::type_error(format!("Called {name} with a float0 array. {FLOAT0}")));
    }
    if !accepted.iter().any(|c| c.has(dtype)) {
        let accepted = names(accepted);
        return Err(Halt::type_error(format!(
            "{name} does not accept dtype {dtype}. Accepted dtypes are subtypes of {accepted}."
        )));
    }
    Ok(())
}

/// The types of the inputs of an operation of several inputs.
///
/// # Errors
/// `TypeError` for a type that is not accepted at its position.
pub fn check_positions(name: &str, accepted: &[&[Class]], inputs: &[&Aval], keys: bool) -> Step<()> {
    for (i, (input, accepted)) in inputs.iter().zip(accepted).enumerate() {
        let dtype = input.dtype;
        if (keys && dtype.is_key()) || accepted.iter().any(|c| c.has(dtype)) {
            continue;
        }
        if dtype == DType::Float0 {
            return Err(Halt::type_error(format!("Called {name} with a float0 at position {i}. {FLOAT0}")));
        }
        let accepted = names(accepted);
        return Err(Halt::type_error(format!(
            "{name} does not accept dtype {dtype} at position {i}. Accepted dtypes at position {i} are subtypes of {accepted}."
        )));
    }
    Ok(())
}

/// The `jnp` function that promotes, for the hint of [`check_same_dtypes`].
fn promoting_sibling(name: &str) -> Option<&'static str> {
    Some(match name {
        "abs" => "fabs",
        "acos" => "arccos",
        "acosh" => "arccosh",
        "asin" => "arcsin",
        "asinh" => "arcsinh",
        "atan" => "arctan",
        "atan2" => "arctan2",
        "atanh" => "arctanh",
        "div" => "divide",
        "eq" => "equal",
        "max" => "maximum",
        "min" => "minimum",
        "mul" => "multiply",
        "ne" => "not_equal",
        "neg" => "negative",
        "pow" => "float_power",
        "select" => "where",
        "shift_left" => "left_shift",
        "shift_right_logical" | "shift_right_arithmetic" => "right_shift",
        "sub" => "subtract",
        "add" => "add",
        "cbrt" => "cbrt",
        "ceil" => "ceil",
        "concatenate" => "concatenate",
        "cos" => "cos",
        "cosh" => "cosh",
        "exp" => "exp",
        "expm1" => "expm1",
        "floor" => "floor",
        "log" => "log",
        "log1p" => "log1p",
        "nextafter" => "nextafter",
        "round" => "round",
        "sign" => "sign",
        "sin" => "sin",
        "sinh" => "sinh",
        "sqrt" => "sqrt",
        "tan" => "tan",
        "tanh" => "tanh",
        _ => return None,
    })
}

/// All inputs have to have one type; keys are let through.
///
/// # Errors
/// `TypeError` naming the types.
pub fn check_same_dtypes(name: &str, inputs: &[&Aval]) -> Step<()> {
    let Some(first) = inputs.first() else { return Ok(()) };
    if inputs.iter().all(|a| a.dtype == first.dtype) || inputs.iter().any(|a| a.dtype.is_key()) {
        return Ok(());
    }
    let types: Vec<_> = inputs.iter().map(|a| a.dtype.name()).collect();
    let tip = promoting_sibling(name).map_or(String::new(), |sibling| {
        format!(" (Tip: jnp.{sibling} is a similar function that does automatic type promotion on inputs).")
    });
    Err(Halt::type_error(format!(
        "lax.{name} requires arguments to have the same dtypes, got {}.{tip}",
        types.join(", ")
    )))
}

/// The shape of an elementwise result: scalars go with everything, axes of size 1 with every size.
///
/// # Errors
/// `TypeError` for ranks or sizes that do not fit; unknown where symbols decide.
pub fn broadcast_shape(name: &str, inputs: &[&Aval]) -> Step<Shape> {
    let mut shapes = inputs.iter().map(|a| &a.shape).filter(|s| !s.is_empty());
    let Some(first) = shapes.next() else { return Ok(Shape::new()) };
    if shapes.clone().all(|s| s == first) {
        return Ok(Shape::from_slice(first));
    }
    if shapes.clone().any(|s| s.len() != first.len()) {
        let mut ranks: Vec<_> = std::iter::once(first).chain(shapes).map(|s| s.len()).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let ranks: Vec<_> = ranks.iter().map(usize::to_string).collect();
        return Err(Halt::type_error(format!(
            "{name}: arrays must have the same number of dimensions, got {{{}}}",
            ranks.join(", ")
        )));
    }
    let all: Vec<&Shape> = std::iter::once(first).chain(shapes).collect();
    let mut result = Shape::new();
    let mut unsure = None;
    for axis in 0..first.len() {
        let mut size = Dim::from(1usize);
        for shape in &all {
            let here = shape[axis];
            if here == 1 || here == size {
                continue;
            }
            if size == 1 {
                size = here;
                continue;
            }
            match here.equal(size) {
                Some(true) => {}
                Some(false) => {
                    let shapes: Vec<_> = all.iter().map(|s| shape_tuple(s)).collect();
                    return Err(Halt::type_error(format!(
                        "{name} got incompatible shapes for broadcasting: {}.",
                        shapes.join(", ")
                    )));
                }
                None => unsure = unsure.or(Some((here, size))),
            }
        }
        result.push(size);
    }
    match unsure {
        Some((a, b)) => a.same(b).map(|_| result),
        None => Ok(result),
    }
}

/// Whether two shapes are equal.
///
/// # Errors
/// Unknown where symbols decide.
pub fn same_shape(a: &[Dim], b: &[Dim]) -> Step<bool> {
    if a.len() != b.len() {
        return Ok(false);
    }
    let mut unsure = None;
    for (&x, &y) in a.iter().zip(b) {
        match x.equal(y) {
            Some(true) => {}
            Some(false) => return Ok(false),
            None => unsure = Some((x, y)),
        }
    }
    unsure.map_or(Ok(true), |(x, y)| x.same(y))
}

/// Refuses to go on where a program binds a primitive itself and leaves out operands that its rules read.
///
/// # Errors
/// Unknown, then.
pub fn has_operands(inputs: &[Val], count: usize) -> Step<()> {
    if inputs.len() < count { Err(Halt::unknown("a primitive without its operands")) } else { Ok(()) }
}

/// The size of the batch axis.
///
/// # Errors
/// Unknown if nothing is batched: a bug of the caller.
pub fn batch_size(inputs: &[Val], dims: &[Option<usize>]) -> Step<Dim> {
    let sizes = inputs.iter().zip(dims).find_map(|(x, d)| d.and_then(|d| x.aval.shape.get(d).copied()));
    sizes.ok_or_else(|| Halt::unknown("nothing is batched"))
}

/// `x` with its batch axis moved to the front.
///
/// # Errors
/// As `transpose`.
pub fn move_to_front(cx: &Engine, x: &Val, dim: usize) -> Step<Val> {
    build::move_axis(cx, x, dim, 0)
}

/// `x` with its batch axis at the front; one that is not batched is broadcast to `size`.
///
/// # Errors
/// As `transpose` and `broadcast_in_dim`.
pub fn at_front(cx: &Engine, x: &Val, dim: Option<usize>, size: Dim) -> Step<Val> {
    match dim {
        Some(dim) => move_to_front(cx, x, dim),
        None => insert_axis(cx, x, 0, size),
    }
}

/// `x` repeated along a new axis.
///
/// # Errors
/// As `broadcast_in_dim`.
pub fn insert_axis(cx: &Engine, x: &Val, axis: usize, size: Dim) -> Step<Val> {
    let mut shape = x.aval.shape.clone();
    shape.insert(axis, size);
    let axes: Vec<usize> = (0..shape.len()).filter(|&i| i != axis).collect();
    build::broadcast_in_dim(cx, x, &shape, &axes)
}

/// An axis of the unbatched operand as an axis of the batched one. An axis below zero stands before every other, and is refused later.
pub fn shifted(axis: usize, dim: usize) -> usize {
    if axis >= dim && axis.cast_signed() >= 0 { axis + 1 } else { axis }
}

/// How to batch the inputs of an elementwise operation: the inputs to give it, and the batch axis of the result.
///
/// # Errors
/// As `transpose` and `broadcast_in_dim`.
pub fn batch_broadcasting(cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vec<Val>, usize)> {
    let Some((shape, dim)) = inputs.iter().zip(dims).find_map(|(x, d)| d.map(|d| (&x.aval.shape, d))) else {
        return Err(Halt::unknown("nothing is batched"));
    };
    if inputs.iter().zip(dims).all(|(x, &d)| x.aval.rank() == 0 || (x.aval.shape == *shape && d == Some(dim))) {
        return Ok((inputs.to_vec(), dim));
    }
    // Inputs without a batch axis get one of size 1 and are broadcast by the operation itself.
    let mut fronted = Vec::with_capacity(inputs.len());
    for (x, &d) in inputs.iter().zip(dims) {
        fronted.push(if x.aval.rank() == 0 { x.clone() } else { at_front(cx, x, d, Dim::from(1usize))? });
    }
    let rank = fronted.iter().map(|x| x.aval.rank()).max().unwrap_or(0);
    for (x, d) in fronted.iter_mut().zip(dims) {
        if d.is_some() && x.aval.rank() < rank {
            let axes: Vec<usize> = (x.aval.rank()..rank).collect();
            *x = build::expand_dims(cx, x, &axes)?;
        }
    }
    Ok((fronted, 0))
}

/// One result with its batch axis.
pub fn batched(result: Val, dim: usize) -> (Vals, Dims) {
    (smallvec![result], smallvec![Some(dim)])
}

/// Results and tangents of a primitive that is linear in all its inputs together.
///
/// # Errors
/// As [`Engine::bind`].
pub fn linear_jvp<P: Primitive + Clone>(
    cx: &Engine,
    primitive: &P,
    x: &[Val],
    t: &[Option<Val>],
) -> Step<(Vals, Tangents)> {
    let primitive: Rc<dyn Primitive> = Rc::new(primitive.clone());
    let out = cx.bind(primitive.clone(), x)?;
    if t.iter().all(Option::is_none) {
        let zeros = out.iter().map(|_| None).collect();
        return Ok((out, zeros));
    }
    let tangents = t.iter().zip(x).map(|(t, x)| build::instantiate(cx, t, &x.aval)).collect::<Step<Vec<_>>>()?;
    let tangents = cx.bind(primitive, &tangents)?;
    Ok((out, tangents.into_iter().map(Some).collect()))
}

/// Results of a primitive whose tangents are zero.
///
/// # Errors
/// As [`Engine::bind`].
pub fn zero_jvp<P: Primitive + Clone>(cx: &Engine, primitive: &P, x: &[Val]) -> Step<(Vals, Tangents)> {
    let out = cx.bind(Rc::new(primitive.clone()), x)?;
    let zeros = out.iter().map(|_| None).collect();
    Ok((out, zeros))
}

/// The cotangent of the only input of a linear primitive, where it is asked for and not zero.
///
/// # Errors
/// Those of the rule.
pub fn transpose_one(
    ct: &[Option<Val>],
    inputs: &[Operand],
    rule: impl FnOnce(&Val, &Aval) -> Step<Val>,
) -> Step<Tangents> {
    Ok(match (ct.first(), inputs.first()) {
        (Some(Some(ct)), Some(Operand::Linear(aval))) => smallvec![Some(rule(ct, aval)?)],
        _ => smallvec![None],
    })
}

/// The batch axis of the only input.
///
/// # Errors
/// Unknown if it is not batched: a bug of the caller.
pub fn only_dim(dims: &[Option<usize>]) -> Step<usize> {
    dims.first().copied().flatten().ok_or_else(|| Halt::unknown("nothing is batched"))
}

/// `(1, 2)` as Python prints a tuple.
pub fn tuple_text<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match &items[..] {
        [one] => format!("({one},)"),
        _ => format!("({})", items.join(", ")),
    }
}

/// A text for messages of errors that seldom come: made when it is printed.
pub struct Late<F>(pub F);

impl<F: Fn() -> String> std::fmt::Display for Late<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&(self.0)())
    }
}

/// A parameter that prints as the text.
pub fn text(text: impl Into<String>) -> Param {
    Param::Text(text.into())
}

/// A Python bool.
pub fn flag_text(flag: bool) -> Param {
    text(if flag { "True" } else { "False" })
}

/// The sizes of the axes, which have to be constants.
///
/// # Errors
/// Unknown for a symbolic size.
pub fn sizes(shape: &[Dim]) -> Step<crate::array::tensor::Sizes> {
    shape.iter().map(|d| d.get()).collect()
}
