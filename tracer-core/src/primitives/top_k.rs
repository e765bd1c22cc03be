//! `top_k` and `approx_top_k`: the largest elements along an axis, and where they are.

use std::rc::Rc;

use jitlens_kernels::work;
use smallvec::{SmallVec, smallvec};

use super::arithmetic::each_type;
use super::sort::{along_axis, keys};
use super::{Avals, Dims, Param, Params, Primitive, Tangents, build, repr, rules};
use crate::array::tensor::{Element, Sizes};
use crate::array::{Aval, DType, Tensor, shape_tuple};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `top_k`
#[derive(Copy, Clone, Debug)]
pub struct TopK {
    /// The axis.
    pub axis: i64,
    /// How many.
    pub k: i64,
}

/// From keyword parameters.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    Ok(Rc::new(TopK { axis: params.int("axis")?, k: params.int("k")? }))
}

impl Primitive for TopK {
    fn name(&self) -> &'static str {
        "top_k"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("axis", Param::Text(self.axis.to_string())), ("k", Param::Text(self.k.to_string()))]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (operand, TopK { axis, k }) = (inputs[0], *self);
        if operand.dtype.is_complex() {
            return Err(Halt::value_error("top_k is not compatible with complex inputs."));
        }
        if k < 0 {
            return Err(Halt::value_error(format!("k argument to top_k must be nonnegative, got {k}")));
        }
        if operand.rank() == 0 {
            return Err(Halt::type_error("top_k operand must have >= 1 dimension, got ()"));
        }
        let Some(&size) = usize::try_from(axis).ok().and_then(|axis| operand.shape.get(axis)) else {
            return Err(Halt::value_error(format!(
                "axis argument out of range: axis={axis} for operand.shape={}",
                shape_tuple(&operand.shape)
            )));
        };
        if !super::gather::fits((k as usize).into(), size)? {
            return Err(Halt::value_error(format!(
                "k argument to top_k must be no larger than size along axis; got k={k} with shape={} and axis={axis}",
                repr::list(&operand.shape)
            )));
        }
        let mut values = operand.clone();
        values.shape[axis as usize] = (k as usize).into();
        let indices = Aval { dtype: DType::I32, ..values.clone() };
        Ok(smallvec![values, indices])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        // The order of the bits, upside down.
        first(&inputs[0], self.axis as usize, self.k as usize, |part| {
            keys(part, false).pop().map(|v| flipped(v, part.dtype))
        })
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let out = cx.bind(Rc::new(*self), primals)?;
        let Some(tangent) = &tangents[0] else { return Ok((out, smallvec![None, None])) };
        let mut shape = out[1].aval.shape.clone();
        let along = along_axis(&shape, self.axis as usize, false);
        shape.push(1usize.into());
        let indices = build::reshape(cx, &out[1], &shape)?;
        let tangent = cx.bind1(along, &[tangent.clone(), indices])?;
        Ok((out, smallvec![Some(tangent), None]))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let dim = rules::only_dim(dims)?;
        let axis = self.axis + i64::from(dim as i64 <= self.axis);
        Ok((cx.bind(Rc::new(TopK { axis, k: self.k }), inputs)?, smallvec![Some(dim), Some(dim)]))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        inputs[0].size().unwrap_or(0) as u64 * 8
    }
}

/// Keys in the opposite order. Keys of types up to 32 bits stay below 2³².
fn flipped(mut keys: Vec<u64>, dtype: DType) -> Vec<u64> {
    let all = if dtype.bits() > 32 { u64::MAX } else { u32::MAX.into() };
    keys.iter_mut().for_each(|key| *key = all - *key);
    keys
}

/// Elements that are looked at together.
const TOGETHER: usize = 1 << 15;

/// The first elements by the keys of parts, which are different for those that differ, and their positions.
fn first(
    tensor: &Tensor,
    axis: usize,
    k: usize,
    keys: impl Fn(&Tensor) -> Option<Vec<u64>> + Sync,
) -> Step<SmallVec<[Tensor; 1]>> {
    let last = tensor.shape.len() - 1;
    if axis != last {
        let mut order: Sizes = (0..=last).filter(|&other| other != axis).collect();
        order.push(axis);
        let mut back: Sizes = (0..last).collect();
        back.insert(axis, last);
        let found = first(&tensor.permute(&order), last, k, keys)?;
        return Ok(found.iter().map(|made| made.permute(&back)).collect());
    }
    let mut shape = tensor.shape.clone();
    let length = std::mem::replace(&mut shape[last], k);
    let flat = tensor.reshaped([tensor.len()].as_slice());
    let part = |from: usize, count: usize| keys(&flat.window(&[from], &[count], &[1]));
    if part(0, 0).is_none() {
        return Err(Halt::unknown("an order of elements that have none"));
    }
    let mut positions = vec![0i32; shape.iter().product()];
    if k > 0 {
        let rows = (TOGETHER / length).max(1);
        work::parts(&mut positions, rows * k, |some, positions| {
            let count = positions.len() / k;
            let start = some * rows * length;
            // Short lines are read several at a time.
            let together = if length <= TOGETHER { part(start, count * length) } else { None };
            for (row, positions) in positions.chunks_exact_mut(k).enumerate() {
                let mut best = Best { k, found: Vec::new(), last: None };
                match &together {
                    Some(keys) => best.add(0, &keys[row * length..(row + 1) * length]),
                    None => best.add_all(length, |from, count| part(start + row * length + from, count)),
                }
                for (place, (_, position)) in positions.iter_mut().zip(best.sorted()) {
                    *place = position as i32;
                }
            }
        });
    }
    let data = each_type!(tensor, T => {
        let values = tensor.expect::<T>()?;
        let at = |(i, &position): (usize, &i32)| values[i / k * length + position as usize];
        Ok(T::wrap(positions.iter().enumerate().map(at).collect()))
    })?;
    let values = Tensor { dtype: tensor.dtype, shape: shape.clone(), data };
    Ok(smallvec![values, Tensor::new(shape, positions)])
}

/// The best elements of a line so far: keys with positions.
struct Best {
    k: usize,
    found: Vec<(u64, usize)>,
    /// What is not before this one is not among the best.
    last: Option<(u64, usize)>,
}

impl Best {
    fn add(&mut self, from: usize, keys: &[u64]) {
        let new = keys.iter().enumerate().map(|(i, &key)| (key, from + i));
        let last = self.last;
        self.found.extend(new.filter(|one| last.is_none_or(|last| *one < last)));
        if self.found.len() > self.k {
            let (_, last, _) = self.found.select_nth_unstable(self.k);
            self.last = Some(*last);
            self.found.truncate(self.k);
        }
    }

    fn add_all(&mut self, length: usize, keys: impl Fn(usize, usize) -> Option<Vec<u64>>) {
        let stop = work::Stop::here();
        // Those that are kept are looked at again with each part.
        let each = TOGETHER.max(2 * self.k);
        for from in (0..length).step_by(each) {
            if stop.asked() {
                break;
            }
            self.add(from, &keys(from, each.min(length - from)).unwrap_or_default());
        }
    }

    fn sorted(mut self) -> Vec<(u64, usize)> {
        self.found.sort_unstable();
        self.found
    }
}

/// `approx_top_k`, which on CPU is exact.
#[derive(Clone, Debug)]
pub struct ApproxTopK {
    /// Whether the partial results are brought down to `k` elements.
    pub aggregate: bool,
    /// The largest, or the smallest.
    pub is_max: bool,
    /// How many.
    pub k: i64,
    /// How many of the true ones have to be found.
    pub recall: f64,
    /// The axis, perhaps counted from the end.
    pub axis: i64,
    /// A size to take the axis for.
    pub size: i64,
}

/// From keyword parameters.
pub fn make_approx(params: &Params) -> Step<Rc<dyn Primitive>> {
    let recall = match params.need("recall_target")? {
        super::ParamValue::Float(recall) => *recall,
        other => other.as_int().unwrap_or(1) as f64,
    };
    Ok(Rc::new(ApproxTopK {
        aggregate: params.flag("aggregate_to_topk")?,
        is_max: params.flag("is_max_k")?,
        k: params.int("k")?,
        recall,
        axis: params.int("reduction_dimension")?,
        size: params.int("reduction_input_size_override")?,
    }))
}

impl Primitive for ApproxTopK {
    fn name(&self) -> &'static str {
        "approx_top_k"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("aggregate_to_topk", Param::Text(repr::flag(self.aggregate).into())),
            ("is_max_k", Param::Text(repr::flag(self.is_max).into())),
            ("k", Param::Text(self.k.to_string())),
            ("recall_target", Param::Text(crate::trace::float(self.recall))),
            ("reduction_dimension", Param::Text(self.axis.to_string())),
            ("reduction_input_size_override", Param::Text(self.size.to_string())),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (operand, k) = (inputs[0], self.k);
        if k <= 0 {
            return Err(Halt::value_error(format!("k must be positive, got {k}")));
        }
        if operand.rank() == 0 {
            return Err(Halt::type_error("approx_top_k operand must have >= 1 dimension, got ()"));
        }
        let Some(axis) = self.axis(operand.rank()) else {
            return Err(Halt::raise("IndexError", "list index out of range"));
        };
        let size = operand.shape[axis];
        if !super::gather::fits((k as usize).into(), size)? {
            return Err(Halt::value_error(format!("k must be smaller than the size of reduction_dim {size}, got {k}")));
        }
        if !operand.dtype.is_float() {
            return Err(Halt::value_error("operand must be a floating type"));
        }
        if !self.aggregate {
            return Err(Halt::unknown("the size of `approx_top_k` without aggregation"));
        }
        let mut values = operand.clone();
        values.shape[axis] = (k as usize).into();
        let indices = Aval { dtype: DType::I32, ..values.clone() };
        Ok(smallvec![values, indices])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let operand = &inputs[0];
        let axis = self.axis(operand.shape.len()).ok_or_else(|| Halt::unknown("an axis out of range"))?;
        if operand.numbers().any(|x| x.as_float().is_nan()) {
            return Err(Halt::unknown("the order of NaN in `approx_top_k`"));
        }
        let order = |part: &Tensor| {
            let keys = keys(part, true).pop()?;
            Some(if self.is_max { flipped(keys, part.dtype) } else { keys })
        };
        first(operand, axis, self.k as usize, order)
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let out = cx.bind(Rc::new(self.clone()), primals)?;
        let (Some(tangent), Some(axis)) = (&tangents[0], self.axis(primals[0].aval.rank())) else {
            return Ok((out, smallvec![None, None]));
        };
        let shape = &out[1].aval.shape;
        let indices = build::expand_dims(cx, &out[1], &[shape.len()])?;
        let tangent = cx.bind1(along_axis(shape, axis, false), &[tangent.clone(), indices])?;
        Ok((out, smallvec![Some(tangent), None]))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let dim = rules::only_dim(dims)?;
        let others: Vec<usize> = (0..inputs[0].aval.rank()).filter(|&axis| axis != dim).collect();
        let axis = self.axis(others.len()).and_then(|axis| others.get(axis));
        let axis = *axis.ok_or_else(|| Halt::unknown("an axis out of range"))? as i64;
        let out = cx.bind(Rc::new(ApproxTopK { axis, ..self.clone() }), inputs)?;
        Ok((out, smallvec![Some(dim), Some(dim)]))
    }
}

impl ApproxTopK {
    /// The axis, counted from the front.
    fn axis(&self, rank: usize) -> Option<usize> {
        let axis = if self.axis < 0 { self.axis + rank as i64 } else { self.axis };
        usize::try_from(axis).ok().filter(|&axis| axis < rank)
    }
}
