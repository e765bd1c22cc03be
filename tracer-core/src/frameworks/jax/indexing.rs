//! `x[...]` by integers, slices, `None`, `...` and arrays of integers: the equations that `jax/_indexing.py` would bind,
//! without running it. Everything else is left to that file.

use std::rc::Rc;

use smallvec::SmallVec;

use super::core::conversion::{convert, convert_value, in_trace, to_array};
use super::core::promotion::{To, promote_args};
use super::core::shapes;
use super::jit::check_alive;
use crate::array::{DType, Dim, Kind, Shape};
use crate::frameworks::numpy::scalar::NpScalar;
use crate::interp::Interp;
use crate::primitives::indexing::{Mode, WindowDims};
use crate::primitives::{
    self, Axes, BroadcastInDim, Concatenate, DynamicSlice, Gather, Primitive, Rev, SelectN, Slice, Squeeze,
};
use crate::python::Value;
use crate::python::halt::Step;
use crate::trace::Val;

/// The type of computed positions.
const INDEX: DType = DType::I32;

/// One item of an index; an ellipsis is written out.
enum Entry {
    /// `None`
    New,
    /// `start`, `stop` and `step` as `slice.indices` gives them.
    Slice(i64, i64, i64),
    /// A known number.
    Integer(i64),
    /// An array of integers, or a scalar that is traced.
    Array(Val),
}

/// `x[index]`; `None` where the prelude has to do it.
///
/// # Errors
/// What the primitives raise.
pub fn take(it: &Rc<Interp>, x: &Val, index: &Value) -> Step<Option<Val>> {
    let Some(sizes) = x.aval.known_shape() else { return Ok(None) };
    let Some((entries, contiguous)) = parse(it, index, &sizes)? else { return Ok(None) };
    let scalars = entries.iter().all(|e| !matches!(e, Entry::Array(a) if a.aval.rank() > 0));
    if !entries.iter().any(|e| matches!(e, Entry::Array(_))) {
        return by_slice(it, x, &entries, &sizes);
    }
    if scalars {
        return by_dynamic_slice(it, x, &entries, &sizes);
    }
    by_gather(it, x, entries, contiguous, &sizes)
}

/// The entries of an index, one for each axis and new axis; whether its integers and arrays stand side by side.
fn parse(it: &Rc<Interp>, index: &Value, sizes: &[usize]) -> Step<Option<(SmallVec<[Entry; 4]>, bool)>> {
    let items = match index {
        Value::Tuple(items) => &items[..],
        one => std::slice::from_ref(one),
    };
    let used = items.iter().filter(|item| !matches!(item, Value::None | Value::Ellipsis)).count();
    let Some(rest) = sizes.len().checked_sub(used) else { return Ok(None) };
    let mut entries: SmallVec<[Entry; 4]> = SmallVec::new();
    let (mut axis, mut open, mut typed) = (0, false, false);
    let mut advanced: SmallVec<[usize; 4]> = SmallVec::new();
    let whole = |size: usize| Entry::Slice(0, size as i64, 1);
    for (position, item) in items.iter().enumerate() {
        match item {
            Value::None => entries.push(Entry::New),
            Value::Ellipsis if !open => {
                open = true;
                entries.extend(sizes[axis..axis + rest].iter().map(|size| whole(*size)));
                axis += rest;
            }
            Value::Int(number) => {
                advanced.push(position);
                entries.push(Entry::Integer(*number));
                axis += 1;
            }
            Value::Slice(parts) if is_plain(parts) => {
                let slicing = it.slicing(parts, sizes[axis])?;
                entries.push(Entry::Slice(slicing.start, slicing.stop, slicing.step));
                axis += 1;
            }
            Value::Object(object) => {
                if !object.downcast::<NpScalar>().is_some_and(|scalar| scalar.0.aval.dtype.is_integer()) {
                    return Ok(None);
                }
                let Some(number) = it.try_index(item)? else { return Ok(None) };
                typed = true;
                advanced.push(position);
                entries.push(Entry::Integer(number));
                axis += 1;
            }
            Value::Array(array) if array.aval.dtype.is_integer() && array.aval.known_shape().is_some() => {
                advanced.push(position);
                entries.push(Entry::Array(array.clone()));
                axis += 1;
            }
            _ => return Ok(None),
        }
    }
    entries.extend(sizes[axis..].iter().map(|size| whole(*size)));
    // Beside an array, a number of NumPy's is an array of its type.
    if typed && entries.iter().any(|entry| matches!(entry, Entry::Array(_))) {
        return Ok(None);
    }
    let contiguous = advanced.windows(2).all(|pair| pair[1] == pair[0] + 1);
    Ok(Some((entries, contiguous)))
}

/// Whether a slice has parts that are written out, or none, and Python takes its step.
fn is_plain(parts: &[Value; 3]) -> bool {
    parts.iter().all(|part| matches!(part, Value::None | Value::Int(_))) && !matches!(parts[2], Value::Int(0))
}

/// What is done to the result of a slice.
#[derive(Default)]
struct Finish {
    reverse: Axes,
    drop: Axes,
    new: Axes,
}

impl Finish {
    fn apply(self, it: &Rc<Interp>, mut x: Val) -> Step<Val> {
        if !self.reverse.is_empty() {
            x = bind(it, Rev { axes: self.reverse }, &[x])?;
        }
        if !self.drop.is_empty() {
            x = bind(it, Squeeze { axes: self.drop }, &[x])?;
        }
        if !self.new.is_empty() {
            x = expand_dims(it, &x, &self.new)?;
        }
        Ok(x)
    }
}

fn bind(it: &Rc<Interp>, primitive: impl Primitive, inputs: &[Val]) -> Step<Val> {
    bind_shared(it, Rc::new(primitive), inputs)
}

fn named(it: &Rc<Interp>, name: &str, inputs: &[Val]) -> Step<Val> {
    bind_shared(it, primitives::from_params(name, [])?, inputs)
}

fn bind_shared(it: &Rc<Interp>, primitive: Rc<dyn Primitive>, inputs: &[Val]) -> Step<Val> {
    check_alive(it, inputs)?;
    it.array_work.set(it.array_work.get() + 1);
    Ok(it.engine.bind(primitive, inputs)?.swap_remove(0))
}

fn broadcast_in_dim(it: &Rc<Interp>, x: &Val, shape: Shape, axes: Axes) -> Step<Val> {
    if axes.is_empty() && x.aval.rank() == shape.len() {
        return Ok(x.clone());
    }
    bind(it, BroadcastInDim { shape, axes }, &[x.clone()])
}

fn expand_dims(it: &Rc<Interp>, x: &Val, axes: &[usize]) -> Step<Val> {
    let rank = x.aval.rank() + axes.len();
    let kept: Axes = (0..rank).filter(|axis| !axes.contains(axis)).collect();
    let mut shape: Shape = (0..rank).map(|_| Dim::from(1usize)).collect();
    for (size, &axis) in x.aval.shape.iter().zip(&kept) {
        shape[axis] = *size;
    }
    broadcast_in_dim(it, x, shape, kept)
}

fn dims(sizes: &[i64]) -> Shape {
    sizes.iter().map(|size| Dim::from(*size)).collect()
}

/// By `slice`, `rev`, `squeeze`; `None` where an index is out of bounds.
fn by_slice(it: &Rc<Interp>, x: &Val, entries: &[Entry], sizes: &[usize]) -> Step<Option<Val>> {
    let mut finish = Finish::default();
    let (mut starts, mut limits) = (SmallVec::<[i64; 4]>::new(), SmallVec::<[i64; 4]>::new());
    let mut strides = Axes::new();
    for entry in entries {
        let axis = starts.len();
        match entry {
            Entry::New => finish.new.push(axis - finish.drop.len() + finish.new.len()),
            Entry::Integer(number) => {
                let size = sizes[axis] as i64;
                let start = if *number < 0 { number.saturating_add(size) } else { *number };
                if !(0..size).contains(&start) {
                    return Ok(None);
                }
                starts.push(start);
                limits.push(start + 1);
                strides.push(1);
                finish.drop.push(axis);
            }
            Entry::Slice(start, stop, step) if *step < 0 => {
                let Some(stride) = step.checked_neg() else { return Ok(None) };
                let first = (sizes[axis] as i64).min(stop + 1 + (start - stop - 1).abs() % stride);
                starts.push(first);
                limits.push(first.max(start + 1));
                strides.push(stride as usize);
                finish.reverse.push(axis);
            }
            Entry::Slice(start, stop, step) => {
                starts.push(*start);
                limits.push(*start.max(stop));
                strides.push(*step as usize);
            }
            Entry::Array(_) => return Ok(None),
        }
    }
    let plain = strides.iter().all(|stride| *stride == 1);
    let all = starts.iter().all(|start| *start == 0) && limits.iter().zip(sizes).all(|(l, s)| *l == *s as i64);
    let mut x = x.clone();
    if !plain || !all {
        let strides = (!plain).then_some(strides);
        x = bind(it, Slice { starts: dims(&starts), limits: dims(&limits), strides }, &[x])?;
    }
    finish.apply(it, x).map(Some)
}

/// By `dynamic_slice`, where the arrays are scalars; `None` where a slice has steps.
fn by_dynamic_slice(it: &Rc<Interp>, x: &Val, entries: &[Entry], sizes: &[usize]) -> Step<Option<Val>> {
    let mut finish = Finish::default();
    let mut starts: SmallVec<[Value; 4]> = SmallVec::new();
    let mut window = SmallVec::<[i64; 4]>::new();
    for entry in entries {
        let axis = starts.len();
        match entry {
            Entry::New => finish.new.push(axis - finish.drop.len() + finish.new.len()),
            Entry::Integer(_) | Entry::Array(_) => {
                if sizes[axis] == 0 {
                    return Ok(None);
                }
                starts.push(match entry {
                    Entry::Integer(number) => scalar(it, *number)?,
                    Entry::Array(array) => Value::Array(array.clone()),
                    _ => continue,
                });
                window.push(1);
                finish.drop.push(axis);
            }
            Entry::Slice(start, stop, step) => match step {
                1 => {
                    starts.push(Value::Int(*start));
                    window.push((stop - start).max(0));
                }
                -1 => {
                    starts.push(Value::Int(stop + 1));
                    window.push((start - stop).max(0));
                    finish.reverse.push(axis);
                }
                _ => return Ok(None),
            },
        }
    }
    let starts: SmallVec<[Val; 4]> = match &starts[..] {
        [Value::Array(start)] => SmallVec::from_iter([start.clone()]),
        starts => starts.iter().map(|start| convert_value(it, start, INDEX)).collect::<Step<_>>()?,
    };
    let mut inputs: SmallVec<[Val; 4]> = SmallVec::from_iter([x.clone()]);
    for (start, size) in starts.into_iter().zip(sizes) {
        inputs.push(from_the_end(it, start, *size)?);
    }
    let x = bind(it, DynamicSlice { sizes: dims(&window) }, &inputs)?;
    finish.apply(it, x).map(Some)
}

/// A start index of `lax.dynamic_slice`, counted from the end where it is negative.
fn from_the_end(it: &Rc<Interp>, start: Val, size: usize) -> Step<Val> {
    if start.aval.dtype.kind() == Kind::Unsigned {
        return Ok(start);
    }
    let below = named(it, "lt", &[start.clone(), constant(it, 0, start.aval.dtype)?])?;
    let above = named(it, "add", &[start.clone(), constant(it, size as i64, start.aval.dtype)?])?;
    bind(it, SelectN, &[below, start, above])
}

/// A Python number as an array.
fn scalar(it: &Rc<Interp>, number: i64) -> Step<Value> {
    Ok(match to_array(it, &Value::Int(number))? {
        Some(array) => Value::Array(in_trace(it, array)),
        None => Value::Int(number),
    })
}

/// A strong scalar.
fn constant(it: &Rc<Interp>, number: i64, dtype: DType) -> Step<Val> {
    let array = super::prims::input(it, &Value::Int(number))?;
    convert(it, &array, dtype, false)
}

/// By `gather`, where an array has axes; `None` where a slice has steps or nothing is selected.
fn by_gather(
    it: &Rc<Interp>,
    x: &Val,
    entries: SmallVec<[Entry; 4]>,
    contiguous: bool,
    sizes: &[usize],
) -> Step<Option<Val>> {
    // Whether something is selected at all is told before anything is bound.
    let mut axis = 0;
    for entry in &entries {
        match entry {
            Entry::New => continue,
            Entry::Slice(start, stop, 1) if start < stop => {}
            Entry::Array(array) if array.aval.size().is_some_and(|size| size > 0) => {}
            Entry::Integer(_) => {}
            _ => return Ok(None),
        }
        axis += 1;
    }
    debug_assert_eq!(axis, sizes.len());
    // Negative indices are counted from the end.
    let mut arrays: SmallVec<[Val; 4]> = SmallVec::new();
    let mut axes: SmallVec<[i64; 4]> = SmallVec::new();
    let (mut first, mut axis) = (None, 0);
    for (position, entry) in entries.iter().enumerate() {
        let size = match entry {
            Entry::New => continue,
            _ => sizes[axis] as i64,
        };
        let array = match entry {
            Entry::Integer(number) => {
                let number = if *number < 0 { number.saturating_add(size) } else { *number };
                match scalar(it, number)? {
                    Value::Array(array) => Some(array),
                    _ => return Ok(None),
                }
            }
            Entry::Array(array) if array.aval.dtype.kind() == Kind::Unsigned => Some(array.clone()),
            Entry::Array(array) => {
                let operands = [Value::Array(array.clone()), Value::Int(0)];
                let below = named(it, "lt", &promote_args(it, "less", &operands, To::Any)?)?;
                let above = named(it, "add", &[array.clone(), constant(it, size, array.aval.dtype)?])?;
                Some(bind(it, SelectN, &[below, array.clone(), above])?)
            }
            _ => None,
        };
        if let Some(array) = array {
            first = first.or(Some(position));
            arrays.push(array);
            axes.push(axis as i64);
        }
        axis += 1;
    }
    let shapes: Vec<Shape> = arrays.iter().map(|array| array.aval.shape.clone()).collect();
    let batch = shapes::broadcast(&shapes)?;
    let mut parts: SmallVec<[(Val, usize); 4]> = SmallVec::new();
    for array in &arrays {
        let mut array = array.clone();
        if array.aval.shape != batch {
            let lead = batch.len() - array.aval.rank();
            array = broadcast_in_dim(it, &array, batch.clone(), (lead..batch.len()).collect())?;
        }
        parts.push((convert_value(it, &Value::Array(array), INDEX)?, 0));
    }
    let at = if contiguous { first.unwrap_or(0) } else { 0 };
    let mut gather_dims = WindowDims::default();
    let (mut window, mut new) = (Shape::new(), Axes::new());
    let (mut axis, mut out, mut out_without_new) = (0usize, 0usize, 0usize);
    let mut before = SmallVec::<[(Val, usize); 4]>::new();
    let mut joined = Some(parts);
    for (position, entry) in entries.iter().enumerate() {
        if position == at
            && let Some(joined) = joined.take()
        {
            before.extend(joined);
            gather_dims.start_map.extend(axes.iter().copied());
            gather_dims.collapsed.extend(axes.iter().copied());
            out += batch.len();
            out_without_new += batch.len();
        }
        match entry {
            Entry::New => {
                new.push(out);
                out += 1;
                continue;
            }
            Entry::Integer(_) | Entry::Array(_) => window.push(Dim::from(1usize)),
            Entry::Slice(start, stop, _) => {
                let count = stop - start;
                if count != sizes[axis] as i64 {
                    let depth = if joined.is_some() { 0 } else { batch.len() };
                    before.push((convert_value(it, &Value::Int(*start), INDEX)?, depth));
                    gather_dims.start_map.push(axis as i64);
                }
                window.push(Dim::from(count));
                gather_dims.offset.push(out_without_new as i64);
                out_without_new += 1;
                out += 1;
            }
        }
        axis += 1;
    }
    gather_dims.collapsed.sort_unstable();
    let indices = match &before[..] {
        [(only, _)] => expand_dims(it, only, &[only.aval.rank()])?,
        parts => {
            let mut shape = batch.clone();
            shape.push(Dim::from(1usize));
            let mut columns = Vec::with_capacity(parts.len());
            for (part, depth) in parts {
                let axes = (*depth..depth + part.aval.rank()).collect();
                columns.push(bind(it, BroadcastInDim { shape: shape.clone(), axes }, &[part.clone()])?);
            }
            bind(it, Concatenate { axis: shape.len() - 1 }, &columns)?
        }
    };
    let x = bind(it, Gather::new(gather_dims, window, Mode::PromiseInBounds), &[x.clone(), indices])?;
    match new.is_empty() {
        true => Ok(Some(x)),
        false => expand_dims(it, &x, &new).map(Some),
    }
}
