//! Shapes and axes.

use std::rc::Rc;

use super::Members;
use super::types::known;
use crate::array::{Shape, shape_tuple};
use crate::frameworks::jax::prims::{DimObject, shape_value};
use crate::interp::Interp;
use crate::python::Value;
use crate::python::halt::{Halt, Step};

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    // `broadcast_shapes(*shapes)`: The broadcast shape; ValueError `Incompatible shapes for broadcasting: shapes=[…]` as
    // `lax.broadcast_shapes`.
    members.function("broadcast_shapes", |it, args| {
        let mut shapes = Vec::new();
        for shape in &args.positional {
            shapes.push(super::types::shape_of_value(it, shape)?);
        }
        let shape = broadcast(&shapes)?;
        Ok(shape_value(&shape))
    });
    // `canonical_shape(shape, context='')`: A user's shape (an int of Python's or a sequence) as a tuple of ints.
    // Tracers and non-integers raise TypeError `Shapes must be 1D sequences of concrete values of integer type, got
    // ….` with `context` appended; what is no sequence, also an integer of NumPy's, raises as iterating over it does.
    members.function("canonical_shape", |it, args| {
        let [shape, context] = args.bind("canonical_shape", ["shape", "context"], 1)?;
        let sizes = sizes(it, &shape, context.as_str().unwrap_or_default(), false)?;
        Ok(Value::tuple(sizes.into_iter().map(|size| match size {
            Ok(dim) => crate::frameworks::jax::prims::dim_value(dim),
            Err(negative) => Value::Int(negative),
        })))
    });
    // `canonical_axis(axis, ndim)`: `axis` in `[0, ndim)` from one in `[-ndim, ndim)`; ValueError `axis {axis} is out of
    // bounds for array of dimension {ndim}`; tracers raise as `operator.index` does.
    members.function("canonical_axis", |it, args| {
        let [axis, ndim] = args.exactly("canonical_axis")?;
        let (axis, ndim) = (it.index(&axis)?, it.index(&ndim)?);
        if axis < -ndim || axis >= ndim {
            return Err(Halt::value_error(format!("axis {axis} is out of bounds for array of dimension {ndim}")));
        }
        Ok(Value::Int(if axis < 0 { axis + ndim } else { axis }))
    });
}

/// The broadcast of shapes.
///
/// # Errors
/// `ValueError` as `lax.broadcast_shapes` words it.
pub fn broadcast(shapes: &[Shape]) -> Step<Shape> {
    let rank = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut out = Shape::new();
    for i in 0..rank {
        let mut size = crate::array::Dim::from(1usize);
        for shape in shapes {
            let Some(at) = (i + shape.len()).checked_sub(rank) else { continue };
            let dim = shape[at];
            if dim == 1usize {
                continue;
            }
            if size == 1usize {
                size = dim;
            } else if size != dim {
                let all: Vec<String> = shapes.iter().map(|s| shape_tuple(s)).collect();
                return Err(Halt::value_error(format!(
                    "Incompatible shapes for broadcasting: shapes=[{}]",
                    all.join(", ")
                )));
            }
        }
        out.push(size);
    }
    Ok(out)
}

/// A user's shape: an integer or a sequence of integers.
///
/// # Errors
/// `TypeError` as JAX words it.
pub fn canonical_shape(it: &Rc<Interp>, value: &Value, context: &str) -> Step<Shape> {
    non_negative(sizes(it, value, context, false)?)
}

/// A user's shape where any integer of no rank is a size too, as NumPy takes them.
///
/// # Errors
/// `TypeError` as JAX words it.
pub fn numpy_shape(it: &Rc<Interp>, value: &Value) -> Step<Shape> {
    non_negative(sizes(it, value, "", true)?)
}

fn non_negative(all: Vec<Result<crate::array::Dim, i64>>) -> Step<Shape> {
    if all.iter().any(|size| size.is_err()) {
        let text: Vec<String> = all.iter().map(|s| s.map_or_else(|n| n.to_string(), |d| d.to_string())).collect();
        let comma = if text.len() == 1 { "," } else { "" };
        return Err(Halt::type_error(format!(
            "broadcast_in_dim shape must have every element be nonnegative, got ({}{comma}).",
            text.join(", ")
        )));
    }
    Ok(all.into_iter().flatten().collect())
}

/// The sizes of a user's shape; a negative one as it is. What is no sequence is one size if it is an integer of
/// Python's, or if any `scalars` are taken for sizes.
fn sizes(it: &Rc<Interp>, value: &Value, context: &str, scalars: bool) -> Step<Vec<Result<crate::array::Dim, i64>>> {
    known(value)?;
    let single = match value {
        Value::Int(_) | Value::Bool(_) | Value::BigInt(_) => true,
        Value::Object(o) if o.downcast::<DimObject>().is_some() => true,
        Value::Tuple(_) | Value::List(_) | Value::Instance(_) | Value::Iter(_) => false,
        Value::Array(a) => scalars && a.aval.rank() == 0,
        other => scalars && (other.as_int().is_some() || matches!(other, Value::Float(_))),
    };
    let items = if single {
        vec![value.clone()]
    } else if scalars {
        match it.while_catching(|| it.to_vec(value)) {
            Ok(items) => items,
            Err(Halt::Raise(_)) => vec![value.clone()],
            Err(halt) => return Err(halt),
        }
    } else {
        it.to_vec(value)?
    };
    let mut shape = Vec::new();
    for item in &items {
        if let Value::Object(object) = item
            && let Some(dim) = object.downcast::<DimObject>()
        {
            shape.push(Ok(dim.0));
            continue;
        }
        let size = match item {
            Value::Array(a) if a.concrete().is_none() => None,
            Value::Float(_) | Value::Str(_) | Value::None => None,
            item => match it.while_catching(|| it.try_index(item)) {
                Ok(size) => size,
                Err(Halt::Raise(_)) => None,
                Err(halt) => return Err(halt),
            },
        };
        match size {
            Some(size) => shape.push(usize::try_from(size).map(Into::into).map_err(|_| size)),
            None => {
                let whole = if single { Value::tuple([value.clone()]) } else { value.clone() };
                let text = match &whole {
                    Value::Tuple(items) => shown(it, items, '(', ')')?,
                    Value::List(list) => shown(it, &list.read().clone(), '[', ']')?,
                    other => it.str_of(other)?.as_str().unwrap_or("…").to_owned(),
                };
                let context = if context.is_empty() { String::new() } else { format!(" {context}") };
                let mut message =
                    format!("Shapes must be 1D sequences of concrete values of integer type, got {text}.{context}");
                if items.iter().any(|i| matches!(i, Value::Array(a) if a.concrete().is_none())) {
                    message.push_str(
                        "\nIf using `jit`, try using `static_argnums` or applying `jit` to smaller subfunctions.",
                    );
                }
                return Err(Halt::type_error(message));
            }
        }
    }
    Ok(shape)
}

fn shown(it: &Rc<Interp>, items: &[Value], open: char, close: char) -> Step<String> {
    let mut parts = Vec::new();
    for item in items {
        parts.push(it.repr(item)?.as_str().unwrap_or("…").to_owned());
    }
    let comma = if parts.len() == 1 && open == '(' { "," } else { "" };
    Ok(format!("{open}{}{comma}{close}", parts.join(", ")))
}
