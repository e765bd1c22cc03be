//! Batching of Python functions.

use std::cell::RefCell;
use std::rc::Rc;

use super::autodiff::Given;
use super::staging::call_args;
use super::tree::{self, Def, def_of, def_value, leaf_paths};
use super::{Members, conversion, introspection};
use crate::array::Dim;
use crate::frameworks::jax::jit::bound;
use crate::frameworks::jax::prims;
use crate::interp::{How, Interp};
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::trace::{Axis, Val};
use crate::transforms::vmap;

/// An axis among `rank`, negative ones counted from the end.
fn axis_in(axis: i64, rank: usize) -> Step<usize> {
    let found = if axis < 0 { axis + rank as i64 } else { axis };
    if found < 0 || found >= rank as i64 {
        return Err(Halt::value_error(format!("axis {axis} is out of bounds for array of dimension {rank}")));
    }
    Ok(found as usize)
}

/// The name of an axis.
fn axis_name(it: &Rc<Interp>, name: &Value) -> Step<Option<Rc<str>>> {
    Ok(match name {
        Value::None | Value::Unbound => None,
        Value::Str(name) => Some(name.clone()),
        Value::Array(array) => {
            return Err(Halt::type_error(format!("unhashable type: '{}'", array.qualified_type_name())));
        }
        other => Some(introspection::shown(it, other).into()),
    })
}

fn batch_call(it: &Rc<Interp>, args: crate::python::Args) -> Step<Value> {
    let names =
        ["f", "in_tree", "args", "in_axes", "axis_size", "axis_name", "out_axes", "spmd_axis_name", "of_devices"];
    let [f, def, leaves, axes, size, name, out_axes, _, of_devices] = args.bind("batch_call", names, 7)?;
    let def = def_of(&def)?;
    let leaves = it.to_vec(&leaves)?;
    let size = size_in(it, &size)?;
    let axis = Axis { name: axis_name(it, &name)?, size, of_devices: matches!(of_devices, Value::Bool(true)) };
    let (mut mapped, mut dims, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for (i, (leaf, at)) in leaves.iter().zip(it.to_vec(&axes)?).enumerate() {
        if at.is_none() {
            continue;
        }
        let value = prims::input(it, leaf)?;
        dims.push(Some(axis_in(it.index(&at)?, value.aval.rank())?));
        mapped.push(value);
        places.push(i);
    }
    let came_in = Given::new(places.iter().map(|&i| leaves[i].clone()).collect(), &mapped);
    type About = (Def, Vec<Option<usize>>, Vec<Value>);
    let about: RefCell<Option<About>> = RefCell::default();
    let trace = RefCell::new(None);
    let body = |tracers: &[Val]| {
        *trace.borrow_mut() = Some(it.engine.trace());
        let mut given = leaves.clone();
        for (place, tracer) in places.iter().zip(tracers) {
            given[*place] = Value::Array(tracer.clone());
        }
        let value = match it.in_call(
            How::Batched,
            || call_args(it, &def, given),
            |args| {
                captures_bound(it, &f)?;
                it.call(&f, args)
            },
        )? {
            Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
            value => value,
        };
        let (outs, out_def) = tree::flatten_asking(it, &value, tree::Asks::ONCE)?;
        let mut arrays = Vec::with_capacity(outs.len());
        for out in &outs {
            arrays.push(match conversion::to_array(it, out)? {
                Some(array) => array,
                None if super::refs::is_ref(it, out) => {
                    return Err(Halt::unknown("mutable arrays from a batched function"));
                }
                None => {
                    return Err(Halt::type_error(format!(
                        "Output from batched function {} with type {} is not a valid JAX type",
                        introspection::shown(it, out),
                        conversion::class_text(it, out)
                    )));
                }
            });
        }
        // The axes are asked for once the structure is known.
        let wanted = it.to_vec(&it.call_with(&out_axes, [def_value(out_def.clone())])?)?;
        let to = wanted
            .iter()
            .zip(&arrays)
            .map(|(axis, array)| match axis {
                Value::None => Ok(None),
                axis => axis_in(it.index(axis)?, array.aval.rank() + 1).map(Some),
            })
            .collect::<Step<Vec<_>>>()?;
        *about.borrow_mut() = Some((out_def, to, outs));
        Ok(arrays)
    };
    it.array_work.set(it.array_work.get() + 1);
    let (results, found) = vmap::batch(&it.engine, &axis, &body, &mapped, &dims)?;
    let (out_def, wanted, given) = about.into_inner().ok_or_else(|| Halt::unknown("a function that did not run"))?;
    super::leaks::check(it, &f, trace.take(), "BatchTrace")?;
    let mut outs = Vec::with_capacity(results.len());
    for (i, ((value, from), to)) in results.iter().zip(&found).zip(&wanted).enumerate() {
        outs.push(match vmap::place(&it.engine, &axis, value, *from, *to)? {
            // What is not batched and stays so is given back as it is.
            Some(_) if from.is_none() && to.is_none() && !matches!(given[i], Value::Array(_)) => given[i].clone(),
            Some(value) => came_in.or_array(&value),
            None => {
                let path = leaf_paths(it, &out_def)?.swap_remove(i);
                return Err(Halt::value_error(format!(
                    "at vmap out_axes{path}, got axis spec None but output was batched on axis {}",
                    from.unwrap_or(0)
                )));
            }
        });
    }
    Ok(Value::tuple([def_value(out_def), Value::list(outs)]))
}

/// The result of `f()` where these axes have names.
fn within(it: &Rc<Interp>, axes: &[Axis], f: &Value) -> Step<Value> {
    match axes.split_first() {
        None => it.call_with(f, []),
        Some((axis, rest)) => it.engine.with_axis(axis, || within(it, rest, f)),
    }
}

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    // `batch_call(f, in_tree, args, in_axes, axis_size, axis_name, out_axes, spmd_axis_name=None)`: Batches a call:
    // `args` and `in_axes` are flat (`in_axes` None or int), `in_tree` is an argument tree, `axis_name` None when
    // unnamed, `out_axes(out_tree)` gives the flat output axes once the structure is known. Returns `(out_tree, outs)`.
    // A None output axis for a batched result raises `vmap has mapped output …` as JAX does: ValueError `at vmap
    // out_axes…, got axis spec None but output was batched on axis 0`.
    members.function("batch_call", batch_call);
    // `with_axes(axes, checks, thunk)`: `thunk()` where the axes of these pairs (name, size) have names; `checks` says whether types tell along
    // which of them values vary.
    members.function("with_axes", |it, args| {
        let [axes, checks, f] = args.exactly("with_axes")?;
        let mut found = Vec::new();
        for pair in it.to_vec(&axes)? {
            let [name, size] =
                <[Value; 2]>::try_from(it.to_vec(&pair)?).map_err(|_| Halt::unknown("an axis is a pair"))?;
            let size = size_in(it, &size)?;
            found.push(Axis { name: axis_name(it, &name)?, size, of_devices: true });
        }
        let checks = it.truth(&checks)?;
        it.engine.with_varying(checks, || within(it, &found, &f))
    });
    // `axis_frame_size(axis_name)`: The size of a named axis of the running `vmap`s; NameError `unbound axis name:
    // {axis_name}`.
    members.function("axis_frame_size", |it, args| {
        let [name] = args.exactly("axis_frame_size")?;
        let text = axis_name(it, &name)?.unwrap_or_else(|| "None".into());
        match it.engine.axis_size(&text) {
            Some(size) => Ok(prims::dim_value(size)),
            None => Err(Halt::raise("NameError", format!("unbound axis name: {text}"))),
        }
    });
}

/// The size of an axis: a number, or a symbol.
fn size_in(it: &Rc<Interp>, value: &Value) -> Step<Dim> {
    match prims::dim_in(value) {
        Some(dim) => Ok(dim),
        None => Ok(Dim::from(usize::try_from(it.index(value)?).map_err(|_| Halt::unknown("a negative axis size"))?)),
    }
}

/// What is bound to a function (arguments of a `partial`, default values) is the same for all elements of the axis.
fn captures_bound(it: &Rc<Interp>, f: &Value) -> Step<()> {
    let Some(function) = introspection::unwrapped(it, f)?.filter(|function| function.module.unit.user) else {
        return Ok(());
    };
    for (_, value) in bound(it, f, &function)? {
        if let Value::Array(array) = &value {
            it.captures(array);
        }
    }
    Ok(())
}
