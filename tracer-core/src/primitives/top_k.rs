//! `top_k` and `approx_top_k`: the largest elements along an axis, and where they are.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::sort::{Lanes, along_axis, keys};
use super::{Avals, Dims, Param, Params, Primitive, Tangents, build, repr, rules};
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
        let keys: Vec<Vec<u64>> = keys(&inputs[0], false).into_iter().map(|v| flipped(v, inputs[0].dtype)).collect();
        first(&inputs[0], self.axis as usize, self.k as usize, &keys)
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

/// The first elements by these keys, and their positions.
fn first(tensor: &Tensor, axis: usize, k: usize, keys: &[Vec<u64>]) -> Step<SmallVec<[Tensor; 1]>> {
    let lanes = Lanes::new(&tensor.shape, axis);
    let order = lanes.order(keys);
    let size = tensor.len();
    let stride = tensor.shape[axis + 1..].iter().product::<usize>();
    let positions = (0..size).map(|i| (i / stride % lanes.length) as i32).collect();
    let positions = Tensor::new(tensor.shape.clone(), positions);
    Ok(smallvec![lanes.apply(tensor, &order, k)?, lanes.apply(&positions, &order, k)?])
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
        let mut keys = keys(operand, true);
        if self.is_max {
            keys = keys.into_iter().map(|v| flipped(v, operand.dtype)).collect();
        }
        first(operand, axis, self.k as usize, &keys)
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
