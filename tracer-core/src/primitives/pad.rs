//! `pad`: values put around and between the elements of an array.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::rules::{self, text, tuple_text};
use super::{Avals, Axes, Dims, Operand, Param, Params, Primitive, Tangents, build};
use crate::array::{Aval, DType, Dim, Shape, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// Padding of each axis: low, high (both may be negative), and between elements.
#[derive(Clone, Debug)]
pub struct Pad {
    /// Low, high and interior padding.
    pub config: SmallVec<[(i64, i64, i64); 4]>,
}

impl Pad {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let triple = |v: &super::ParamValue| match v.as_tuple()? {
            [low, high, interior] => Some((low.as_int()?, high.as_int()?, interior.as_int()?)),
            _ => None,
        };
        let config = params.tuple("padding_config")?.iter().map(triple).collect::<Option<_>>();
        Ok(Rc::new(Pad {
            config: config.ok_or_else(|| Halt::unknown("`pad` is called with an unexpected `padding_config`"))?,
        }))
    }

    fn text(&self) -> String {
        tuple_text(self.config.iter().map(|(low, high, interior)| format!("({low}, {high}, {interior})")))
    }
}

impl Primitive for Pad {
    fn name(&self) -> &'static str {
        "pad"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("padding_config", text(self.text()))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let [x, value] = inputs else { return Err(Halt::unknown("pad takes two arrays")) };
        let fail = |message: String| Err(Halt::value_error(message));
        if value.rank() != 0 {
            return fail(format!(
                "padding_value must be a scalar; got np.shape(padding_value)={}",
                value.shape_tuple()
            ));
        }
        if self.config.len() != x.rank() {
            return fail(format!(
                "length of padding_config must equal the number of axes of operand, got padding_config {} for operand shape {}",
                self.text(),
                x.shape_tuple()
            ));
        }
        if self.config.iter().any(|(_, _, interior)| *interior < 0) {
            return fail(format!(
                "interior padding in padding_config must be nonnegative, got padding_config {}",
                self.text()
            ));
        }
        let mut result: SmallVec<[Dim; 4]> = SmallVec::new();
        let mut negative = false;
        for (&size, &(low, high, interior)) in x.shape.iter().zip(&self.config) {
            let dilated = if size == 0 || interior == 0 { size } else { (size - 1) * (interior as usize + 1) + 1 };
            let padded = dilated + Dim::from(low + high);
            negative |= match padded.at_least(Dim::from(0usize)) {
                Some(fits) => !fits,
                None => {
                    return Err(Halt::unknown(format!("whether the size `{padded}` is negative depends on symbols")));
                }
            };
            result.push(padded);
        }
        if negative {
            return fail(format!(
                "Dimension size after padding is not at least 0, got result shape {}, for padding_config {} and operand shape {}",
                tuple_text(&result),
                self.text(),
                x.shape_tuple()
            ));
        }
        if x.dtype != value.dtype {
            return Err(Halt::type_error(format!(
                "pad operand and padding_value must be same dtype: got {} and {}.",
                x.dtype, value.dtype
            )));
        }
        Ok(smallvec![Aval { dtype: x.dtype, shape: result, weak: x.weak && value.weak }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (x, value) = (&inputs[0], &inputs[1]);
        let rank = x.shape.len();
        let (mut shape, mut starts, mut steps) = (Axes::new(), Axes::new(), Axes::new());
        let (mut first, mut taken) = (Axes::new(), Axes::new());
        for (&size, &(low, high, interior)) in x.shape.iter().zip(&self.config) {
            let step = interior + 1;
            let dilated = if size == 0 { 0 } else { (size as i64 - 1) * step + 1 };
            let whole = (dilated + low + high).max(0);
            // Elements that negative padding does not cut away.
            let from = if low < 0 { (-low + step - 1) / step } else { 0 };
            let to = if whole == 0 {
                from
            } else {
                ((whole - 1 - low).div_euclid(step) + 1).clamp(from, size.max(from as usize) as i64)
            };
            shape.push(whole as usize);
            first.push(from as usize);
            taken.push((to.min(size as i64) - from).max(0) as usize);
            starts.push((low + from * step).max(0) as usize);
            steps.push(step as usize);
        }
        let background = value.broadcast_in_dim(&shape, &[]);
        if taken.contains(&0) || rank == 0 {
            return Ok(smallvec![if rank == 0 { x.clone() } else { background }]);
        }
        let ones: Axes = (0..rank).map(|_| 1).collect();
        let kept = x.window(&first, &taken, &ones);
        Ok(smallvec![background.write_window(&kept, &starts, &steps)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let Some(Some(ct)) = ct.first() else { return Ok(smallvec![None, None]) };
        let all: Axes = (0..ct.aval.rank()).collect();
        let operand = if inputs[0].is_linear() {
            let unpad: Vec<_> = self.config.iter().map(|&(low, high, _)| (-low, -high, 0)).collect();
            let zero = cx.constant(Tensor::zeros(ct.aval.dtype, crate::array::tensor::Sizes::new()));
            let unpadded = build::pad(cx, ct, &zero, &unpad)?;
            let starts: Shape = unpadded.aval.shape.iter().map(|_| Dim::from(0usize)).collect();
            let strides: Axes = self.config.iter().map(|&(_, _, interior)| interior as usize + 1).collect();
            Some(build::slice(cx, &unpadded, &starts, &unpadded.aval.shape.clone(), Some(&strides))?)
        } else {
            None
        };
        let value = match (inputs[1].is_linear(), &operand) {
            (false, _) => None,
            (true, Some(operand)) => {
                let total = build::reduce_sum(cx, ct, &all)?;
                Some(build::sub(cx, &total, &build::reduce_sum(cx, operand, &all)?)?)
            }
            (true, None) => {
                let ones = build::full(cx, ct.aval.dtype, &inputs[0].aval().shape, 1i64)?;
                let zero = build::unit_like(cx, &ones.aval, 0i64);
                let covered = build::pad(cx, &ones, &zero, &self.config)?;
                let outside = build::eq(cx, &covered, &build::full_like(cx, &covered.aval, 0i64)?)?;
                let kept = build::select(cx, &outside, ct, &build::zeros_like(cx, &ct.aval)?)?;
                Some(build::reduce_sum(cx, &kept, &all)?)
            }
        };
        Ok(smallvec![operand, value])
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let (value, mut x) = (&inputs[1], inputs[0].clone());
        let dim = match dims[0] {
            Some(dim) => dim,
            None => {
                x = build::broadcast(cx, &x, &[rules::batch_size(inputs, dims)?])?;
                0
            }
        };
        let mut config = self.config.clone();
        config.insert(dim, (0, 0, 0));
        let Some(_) = dims[1] else {
            return Ok(rules::batched(build::pad(cx, &x, value, &config)?, dim));
        };
        let padded = build::pad(cx, &x, &build::unit_like(cx, &x.aval, 0i64), &config)?;
        let inside = build::full(cx, DType::Bool, &x.aval.shape, true)?;
        let mask = build::pad(cx, &inside, &cx.constant(Tensor::scalar(false)), &config)?;
        let values = build::broadcast_in_dim(cx, value, &padded.aval.shape, &[dim])?;
        Ok(rules::batched(build::select(cx, &mask, &padded, &values)?, dim))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}
