//! `concatenate` and `nonzero` without the prelude, where nothing can go wrong.

use std::rc::Rc;

use super::array::{NdArray, numbers_of};
use super::call::in_numpy;
use super::methods::array_of;
use crate::array::Tensor;
use crate::interp::Interp;
use crate::primitives::build;
use crate::python::Value;
use crate::python::halt::Step;
use crate::trace::{Array, Val};

/// Arrays of one type one after the other; `None` where the prelude has to look at them.
///
/// # Errors
/// What the primitives raise.
pub fn joined(it: &Rc<Interp>, arrays: &Value, axis: &Value) -> Step<Option<Value>> {
    let parts = match arrays {
        Value::Tuple(items) => all_arrays(items),
        Value::List(list) if list.why_vague().is_none() => all_arrays(&list.read()),
        _ => None,
    };
    let (Some(parts), Value::Int(axis)) = (parts, axis) else { return Ok(None) };
    let Some(first) = parts.first().map(|part| part.aval.clone()) else { return Ok(None) };
    let rank = first.rank();
    let Ok(axis) = usize::try_from(if *axis < 0 { *axis + rank as i64 } else { *axis }) else { return Ok(None) };
    let fits = |part: &Val| {
        let aval = &part.aval;
        let sizes = || aval.shape.iter().zip(&first.shape).enumerate();
        aval.dtype == first.dtype
            && aval.rank() == rank
            && sizes().all(|(i, (own, size))| own.known().is_some() && (i == axis || own == size))
    };
    if axis >= rank || !parts.iter().all(fits) {
        return Ok(None);
    }
    it.array_work.set(it.array_work.get() + 1);
    let whole = in_numpy(it, || build::concatenate(&it.engine, &parts, axis))?;
    Ok(Some(NdArray::value(whole)))
}

fn all_arrays(items: &[Value]) -> Option<Vec<Val>> {
    items.iter().map(|item| array_of(item).and_then(|_| numbers_of(item))).collect()
}

/// The positions of the elements that are not zero, axis by axis.
pub fn nonzero(tensor: &Tensor) -> Option<Value> {
    if tensor.dtype.is_key() || tensor.shape.is_empty() {
        return None;
    }
    let mut positions: Vec<Vec<i64>> = vec![Vec::new(); tensor.shape.len()];
    let mut at = vec![0i64; tensor.shape.len()];
    for number in tensor.numbers() {
        if number.truthy() {
            positions.iter_mut().zip(&at).for_each(|(all, i)| all.push(*i));
        }
        for (i, size) in at.iter_mut().zip(&tensor.shape).rev() {
            *i += 1;
            if *i < *size as i64 {
                break;
            }
            *i = 0;
        }
    }
    let one = |all: Vec<i64>| NdArray::value(Array::known(Tensor::new([all.len()].as_slice(), all), false));
    Some(Value::tuple(positions.into_iter().map(one)))
}
