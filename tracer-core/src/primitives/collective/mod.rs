//! Collectives: operations across a named axis. Under `vmap` with that axis they become ordinary operations; on devices they
//! have a type and no numbers.

pub mod exchange;
pub mod gather;
pub mod reduce;

use std::rc::Rc;

use super::{ParamValue, Params, repr};
use crate::array::Dim;
use crate::python::{Halt, Step};
use crate::trace::{Axis, Effects, Engine, Val};

/// The axes that a collective works across: names, and for reductions also axes of the array.
#[derive(Clone, Debug, PartialEq)]
pub enum Across {
    /// A named axis.
    Name(Rc<str>),
    /// An axis of the array.
    Position(usize),
}

/// The value of a parameter of axis names, and whether it was a tuple.
fn across(params: &Params, name: &str) -> Step<(Vec<Across>, bool)> {
    let one = |value: &ParamValue| match value {
        ParamValue::Str(name) => Some(Across::Name(name.clone())),
        value => value.as_index().map(Across::Position),
    };
    let value = params.need(name)?;
    let (axes, tuple): (Option<Vec<Across>>, bool) = match value {
        ParamValue::Tuple(items) => (items.iter().map(one).collect(), true),
        value => (one(value).map(|axis| vec![axis]), false),
    };
    Ok((axes.ok_or_else(|| Halt::unknown("an axis name that is not a string"))?, tuple))
}

/// Names of axes, without those of positions.
fn names(params: &Params, name: &str) -> Step<(Vec<Rc<str>>, bool)> {
    let (axes, tuple) = across(params, name)?;
    let names = axes.into_iter().filter_map(|axis| match axis {
        Across::Name(name) => Some(name),
        Across::Position(_) => None,
    });
    Ok((names.collect(), tuple))
}

/// A list of names as a jaxpr prints it: one name alone stands without quotes.
fn show_names(names: &[Rc<str>], tuple: bool) -> String {
    match names {
        [name] if !tuple => name.to_string(),
        _ => repr::tuple(names.iter().map(|name| format!("'{name}'"))),
    }
}

/// Every name is that of an axis.
///
/// # Errors
/// `NameError` if not.
fn check_names<'a>(cx: &Engine, names: impl IntoIterator<Item = &'a Rc<str>>, function: &str) -> Step<()> {
    for name in names {
        if cx.axis_size(name).is_none() {
            return Err(Halt::raise(
                "NameError",
                format!(
                    "Found an unbound axis name: {name}. To fix this, please call {function} under `jax.shard_map`."
                ),
            ));
        }
    }
    Ok(())
}

/// As `check_names`, of what first asks along which axes its operand varies, where types tell: JAX only asserts then that the mesh has them.
///
/// # Errors
/// `AssertionError` or `NameError` if a name is not that of an axis.
fn check_varying<'a>(cx: &Engine, names: impl IntoIterator<Item = &'a Rc<str>> + Clone, function: &str) -> Step<()> {
    if cx.tells_varying() {
        let bound = |name: &&'a Rc<str>| cx.axis_size(name).is_some();
        let (all, found) = (names.clone().into_iter().count(), names.clone().into_iter().filter(bound).count());
        match (found == all, found) {
            (true, _) => {}
            (false, 0) => return Err(Halt::raise("AssertionError", "")),
            (false, _) => return Err(Halt::unknown("an axis that the mesh lacks, beside one that it has")),
        }
    }
    check_names(cx, names, function)
}

/// The effect of naming an axis.
fn effects(names: usize) -> Effects {
    if names > 0 { Effects::AXIS } else { Effects::NONE }
}

/// Whether the axis that is being batched is among these.
fn names_axis(names: &[Rc<str>], axis: &Axis) -> bool {
    axis.name.as_ref().is_some_and(|name| names.contains(name))
}

/// One axis split in two, the slower part of this size.
fn split_axis(cx: &Engine, x: &Val, axis: usize, size: Dim) -> Step<Val> {
    let mut shape = x.aval.shape.clone();
    shape[axis] = shape[axis].floor_div(size)?;
    shape.insert(axis, size);
    super::build::reshape(cx, x, &shape)
}

/// One axis and the next merged.
fn fold_axis(cx: &Engine, x: &Val, axis: usize) -> Step<Val> {
    let mut shape = x.aval.shape.clone();
    let next = shape.remove(axis + 1);
    shape[axis] = shape[axis] * next;
    super::build::reshape(cx, x, &shape)
}
