//! Views: arrays that show another one's numbers, and write through to them.
//!
//! A view knows how it reads its base and how what it becomes is put back. It remembers the base's numbers that its own were
//! read from: when the base holds others, it reads again. So a write costs nothing for the views of an array, and taking back
//! a write (see the journal) needs nothing of theirs.

use std::rc::{Rc, Weak};

use smallvec::SmallVec;

use super::array::NdArray;
use super::call::{in_numpy, inward_index};
use super::index::put_block;
use crate::array::{Aval, Shape};
use crate::frameworks::jax::prelude_member;
use crate::interp::Interp;
use crate::primitives::build;
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::trace::{Array, Val};

/// Steps between neighbours along each axis, in elements.
pub type Strides = SmallVec<[i64; 4]>;

/// How numbers lie in memory: in rows, by these steps, or in a way that is not known.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// Row after row.
    Rows,
    /// By steps.
    Strided(Strides),
    /// Not known: what is made of it may be a view or a copy.
    Unknown,
}

impl Layout {
    /// The steps for a shape.
    pub fn strides(&self, shape: &Shape) -> Option<Strides> {
        match self {
            Layout::Rows => row_major(shape),
            Layout::Strided(strides) => Some(strides.clone()),
            Layout::Unknown => None,
        }
    }
    /// Column after column.
    pub fn columns(shape: &Shape) -> Layout {
        let mut step = 1i64;
        let mut strides = Strides::new();
        for dim in shape {
            strides.push(step);
            let Some(size) = dim.known() else { return Layout::Unknown };
            step = step.saturating_mul(size as i64);
        }
        Layout::of(strides, shape)
    }
    /// The layout of these steps.
    pub fn of(strides: Strides, shape: &Shape) -> Layout {
        match row_major(shape) {
            Some(rows) if is_same(&rows, &strides, shape) => Layout::Rows,
            _ => Layout::Strided(strides),
        }
    }
}

/// Steps along axes of one element do not count.
fn is_same(a: &Strides, b: &Strides, shape: &Shape) -> bool {
    a.len() == b.len() && (0..a.len()).all(|i| shape[i] == 1usize || a[i] == b[i])
}

fn row_major(shape: &Shape) -> Option<Strides> {
    let mut step = 1i64;
    let mut strides = Strides::new();
    for dim in shape.iter().rev() {
        strides.push(step);
        step = step.saturating_mul(dim.known()? as i64);
    }
    strides.reverse();
    Some(strides)
}

/// How a view is read from its base.
pub enum Via {
    /// By integers, slices, `None` and `...`.
    Index(Value),
    /// By another shape.
    Reshape,
    /// By another order of the axes.
    Permute(SmallVec<[usize; 4]>),
    /// By numbers that may be shared or copied: NumPy decides by what is not known here.
    Maybe,
}

/// What makes an array a view.
pub struct Link {
    /// The array that it shows.
    pub base: Rc<NdArray>,
    /// How.
    pub via: Via,
    /// Its type.
    pub aval: Aval,
    it: Weak<Interp>,
}

impl Link {
    /// A view of a base.
    pub fn new(it: &Rc<Interp>, base: Rc<NdArray>, via: Via, aval: Aval) -> Link {
        Link { base, via, aval, it: Rc::downgrade(it) }
    }
    /// The view's numbers for those of the base.
    pub fn read(&self, base: &Val) -> Val {
        let lost = || Array::opaque(self.aval.clone(), "may share its numbers with an array that was written");
        let Some(it) = self.it.upgrade() else { return lost() };
        let read = in_numpy(&it, || match &self.via {
            Via::Index(index) => index_of(&it, base, index),
            Via::Reshape => build::reshape(&it.engine, base, &self.aval.shape),
            Via::Permute(axes) => build::transpose(&it.engine, base, axes),
            Via::Maybe => Ok(lost()),
        });
        match read {
            Ok(array) if array.aval == self.aval => array,
            _ => lost(),
        }
    }
    /// The base's numbers when the view's are these.
    pub fn put(&self, it: &Rc<Interp>, base: &Val, own: &Val) -> Val {
        let lost = || Array::opaque(base.aval.clone(), "written through a view in a way that is not known");
        let put = in_numpy(it, || match &self.via {
            Via::Index(index) => put_at(it, base, index, &Value::Array(own.clone())),
            Via::Reshape => build::reshape(&it.engine, own, &base.aval.shape),
            Via::Permute(axes) => {
                let mut back = vec![0; axes.len()];
                axes.iter().enumerate().for_each(|(i, axis)| back[*axis] = i);
                build::transpose(&it.engine, own, &back)
            }
            Via::Maybe => Ok(lost()),
        });
        match put {
            Ok(array) if array.aval == base.aval => array,
            _ => lost(),
        }
    }
}

/// `base[index]` of eager arrays.
///
/// # Errors
/// What the subscript raises.
pub fn index_of(it: &Rc<Interp>, base: &Val, index: &Value) -> Step<Val> {
    if let Some(array) = crate::frameworks::jax::indexing::take(it, base, &inward_index(it, index)?)? {
        return Ok(array);
    }
    let Value::Dict(table) = prelude_member(it, "jax._array", "OPERATORS")? else {
        return Err(Halt::unknown("indexing of NumPy arrays"));
    };
    let function = table.read().get(&crate::python::Key::str("__getitem__")).cloned();
    let function = function.ok_or_else(|| Halt::unknown("indexing of NumPy arrays"))?;
    match it.call_with(&function, [Value::Array(base.clone()), inward_index(it, index)?])? {
        Value::Array(array) => Ok(array),
        _ => Err(Halt::unknown("indexing of NumPy arrays")),
    }
}

/// `base` with `value` at the index.
///
/// # Errors
/// What the assignment raises.
pub fn put_at(it: &Rc<Interp>, base: &Val, index: &Value, value: &Value) -> Step<Val> {
    if let Value::Array(array) = value
        && array.aval.dtype == base.aval.dtype
        && let Some(done) = put_block(it, base, index, array)?
    {
        return Ok(done);
    }
    let put = prelude_member(it, "jax._indexing", "At")?;
    let at = it.call_with(&put, [Value::Array(base.clone())])?;
    let place = it.getitem(&at, &inward_index(it, index)?)?;
    match it.call_method(&place, "set", [value.clone()])? {
        Value::Array(array) => Ok(array),
        _ => Err(Halt::unknown("assignment to items of NumPy arrays")),
    }
}

/// The steps of `array[index]` for an index of integers, slices, `None` and `...`; `None` for any other index.
pub fn indexed(shape: &Shape, layout: &Layout, index: &Value) -> Option<Layout> {
    let one = [index.clone()];
    let items: &[Value] = match index {
        Value::Tuple(items) => items,
        _ => &one,
    };
    if !items.iter().all(is_basic) {
        return None;
    }
    let Some(strides) = layout.strides(shape) else { return Some(Layout::Unknown) };
    let taken = items.iter().filter(|i| !matches!(i, Value::None | Value::Ellipsis)).count();
    let rest = shape.len().checked_sub(taken)?;
    let mut out = Strides::new();
    let mut axis = 0;
    let mut open = true;
    for item in items {
        match item {
            Value::None => out.push(0),
            Value::Ellipsis if open => {
                out.extend(strides[axis..axis + rest].iter().copied());
                axis += rest;
                open = false;
            }
            Value::Slice(parts) => {
                let step = match &parts[2] {
                    Value::None => 1,
                    Value::Int(step) => *step,
                    _ => return Some(Layout::Unknown),
                };
                out.push(strides[axis] * step);
                axis += 1;
            }
            _ => axis += 1,
        }
    }
    out.extend(strides[axis..].iter().copied());
    Some(Layout::Strided(out))
}

/// Whether an index alone takes a view: no array, list or mask.
pub fn is_basic(item: &Value) -> bool {
    match item {
        Value::Int(_) | Value::BigInt(_) | Value::Slice(_) | Value::None | Value::Ellipsis => true,
        Value::Unknown(unknown) => unknown.guess == crate::python::Guess::Int,
        Value::Object(object) => {
            object.downcast::<super::scalar::NpScalar>().is_some_and(|scalar| scalar.0.aval.dtype.is_integer())
        }
        _ => false,
    }
}

/// What a reshape makes.
pub enum Reshaped {
    /// A view that lies so.
    View(Layout),
    /// A copy.
    Copy,
    /// One of both.
    Unknown,
}

/// What NumPy makes of an array of this layout in another shape.
pub fn reshaped(from: &Shape, layout: &Layout, to: &Shape) -> Reshaped {
    if *layout == Layout::Rows {
        return Reshaped::View(Layout::Rows);
    }
    let Some(strides) = layout.strides(from) else { return Reshaped::Unknown };
    let sizes = |shape: &Shape| shape.iter().map(|d| d.known()).collect::<Option<Vec<usize>>>();
    let (Some(from), Some(to)) = (sizes(from), sizes(to)) else { return Reshaped::Unknown };
    if from.contains(&0) {
        return Reshaped::View(Layout::Rows);
    }
    let (old, steps): (Vec<usize>, Vec<i64>) =
        from.iter().copied().zip(strides.iter().copied()).filter(|(n, _)| *n != 1).unzip();
    let mut new = vec![0i64; to.len()];
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < to.len() {
        // A run of old axes that makes the same number of elements as a run of new ones.
        let (first_i, first_j) = (i, j);
        let (mut a, mut b) = (old[i], to[j]);
        while a != b {
            if a < b {
                i += 1;
                match old.get(i) {
                    Some(n) => a *= n,
                    None => return Reshaped::Copy,
                }
            } else {
                j += 1;
                match to.get(j) {
                    Some(n) => b *= n,
                    None => return Reshaped::Copy,
                }
            }
        }
        // The old axes have to follow each other in memory.
        for k in first_i..i {
            if steps[k] != old[k + 1] as i64 * steps[k + 1] {
                return Reshaped::Copy;
            }
        }
        new[j] = steps[i];
        for k in (first_j..j).rev() {
            new[k] = new[k + 1] * to[k + 1] as i64;
        }
        i += 1;
        j += 1;
    }
    Reshaped::View(Layout::Strided(new.into_iter().collect()))
}
