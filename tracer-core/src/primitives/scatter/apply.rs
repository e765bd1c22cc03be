//! The numbers of a `scatter_apply`: the function is called once for every update, also where several meet the same element.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::super::indexing::{Mode, words};
use super::super::places::Windows;
use super::super::reduce_generic::one;
use super::Scatter;
use crate::array::Tensor;
use crate::python::{Halt, Step};
use crate::trace::{ClosedJaxpr, Engine};
use crate::transforms::eval;

/// The operand with the function applied: `function` takes an element of it and of the updates.
///
/// # Errors
/// What the function raises; unknown for keys, and where the limit of operations is reached.
pub fn results(
    cx: &Engine,
    scatter: &Scatter,
    function: &ClosedJaxpr,
    inputs: &[Tensor],
) -> Step<SmallVec<[Tensor; 1]>> {
    let [operand, indices, updates] = inputs else { unreachable!("a scatter has three inputs") };
    if words(operand.dtype) > 1 {
        return Err(Halt::unknown("`scatter` with a function of keys"));
    }
    let window = scatter.window(&operand.shape, &updates.shape);
    let clip = scatter.mode == Mode::Clip;
    let windows = Windows::new(&scatter.dims, (operand, indices), &window, &updates.shape, clip, false);
    let mut met = Vec::new();
    if !updates.is_empty() && !operand.is_empty() {
        windows.each(|(at, from)| {
            let Some(at) = at else { return };
            for &(a, b) in &windows.runs {
                met.extend((0..windows.run).map(|i| (at + a + i, from + b + i)));
            }
        })?;
    }
    let mut now: FxHashMap<usize, Tensor> = FxHashMap::default();
    for (at, from) in met {
        let old = now.remove(&at).unwrap_or_else(|| one(operand, at));
        eval::spend(cx, 1)?;
        let new = eval::eval_tensors(cx, function, &[old, one(updates, from)])?.swap_remove(0);
        if !new.shape.is_empty() || new.dtype != operand.dtype {
            return Err(Halt::unknown("a function of `scatter` that XLA refuses"));
        }
        now.insert(at, new);
    }
    let flat = [operand.len()];
    let mut out = operand.reshaped(flat.as_slice());
    for (at, value) in now {
        out = out.write_window(&value.reshaped([1].as_slice()), &[at], &[1]);
    }
    Ok(smallvec![out.reshaped(operand.shape.clone())])
}
