//! `select_and_gather_add` and `select_and_scatter_add`: the tangent and the cotangent of the largest or smallest element of
//! each window.

use std::rc::Rc;

use jitlens_kernels::window::PADDING;
use smallvec::{SmallVec, smallvec};

use super::arithmetic::{Arithmetic, each_type, rounded};
use super::window::Window;
use super::{Avals, Dims, Operand, Param, Params, Primitive, Tangents, build, repr, rules};
use crate::array::tensor::Element;
use crate::array::{Aval, Dim, Number, Shape, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `select_and_gather_add` (of tangents and operand: the tangents of the selected elements) or `select_and_scatter_add` (of
/// cotangents and operand: the cotangents, each where its window's selected element is).
#[derive(Clone, Debug)]
pub struct SelectWindow {
    /// Which of them.
    pub gather: bool,
    /// The largest element of each window, or the smallest; the first of equal ones.
    pub largest: bool,
    /// The window.
    pub window: Window,
}

impl SelectWindow {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let gather = params.primitive == "select_and_gather_add";
        let select = params.text("select_prim")?;
        Ok(Rc::new(SelectWindow { gather, largest: &*select == "ge", window: Window::from_params(params)? }))
    }
}

impl Primitive for SelectWindow {
    fn name(&self) -> &'static str {
        if self.gather { "select_and_gather_add" } else { "select_and_scatter_add" }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let mut params: Vec<_> = self.window.params().into();
        if !self.gather {
            params.retain(|(name, _)| !name.ends_with("dilation"));
        }
        params.push(("select_prim", Param::Text(if self.largest { "ge" } else { "le" }.into())));
        params.sort_by_key(|(name, _)| *name);
        params
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (values, operand) = (inputs[0], inputs[1]);
        let weak = values.weak && operand.weak;
        if !self.gather {
            return Ok(smallvec![Aval { dtype: values.dtype, shape: operand.shape.clone(), weak }]);
        }
        if !rules::same_shape(&values.shape, &operand.shape)? {
            return Err(Halt::type_error(format!(
                "select_and_gather_add tangents and operand shapes must match, got {} and {}.",
                values.shape_tuple(),
                operand.shape_tuple()
            )));
        }
        Ok(smallvec![Aval { dtype: values.dtype, shape: self.window.shape(operand)?, weak }])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let [values, operand] = inputs else { unreachable!("two inputs") };
        if values.dtype != operand.dtype {
            return Err(Halt::unknown("windows of one type selected by another"));
        }
        let positions = rules::sizes(&self.window.shape(&operand.aval())?)?;
        if !self.gather && positions != values.shape {
            return Err(Halt::unknown("`select_and_scatter_add` of a source that does not fit the windows"));
        }
        if operand.len() >= PADDING as usize {
            return Err(Halt::unknown("windows of an array of more than four billion elements"));
        }
        let shape = if self.gather { positions.clone() } else { operand.shape.clone() };
        let data = each_type!(operand, T => {
            let (from, by) = (values.expect::<T>()?, operand.expect::<T>()?);
            let windows = self.window.windows(&operand.shape, &positions);
            // A gather starts from the identity, a scatter from the window's first element.
            let selected = match self.largest {
                true => windows.select(by, T::LOWEST, self.gather, |best: T, x| best.at_least(x)),
                false => windows.select(by, T::HIGHEST, self.gather, |best: T, x| x.at_least(best)),
            };
            let mut out = jitlens_kernels::pool::filled(shape.iter().product());
            out.fill(T::ZERO);
            let elements = selected.iter().map(|element| *element as usize).enumerate();
            for (position, element) in elements.filter(|(_, element)| *element != PADDING as usize) {
                if self.gather {
                    out[position] = from[element];
                } else {
                    out[element] = out[element].plus(from[position]);
                }
            }
            jitlens_kernels::pool::give(selected);
            Ok(T::wrap(out))
        })?;
        Ok(smallvec![rounded(Tensor { dtype: values.dtype, shape, data })])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let out = cx.bind(Rc::new(self.clone()), primals)?;
        let tangent = match &tangents[0] {
            Some(tangent) => Some(cx.bind1(self.clone(), &[tangent.clone(), primals[1].clone()])?),
            None => None,
        };
        Ok((out, smallvec![tangent]))
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let (Operand::Linear(_), Operand::Known(operand)) = (&inputs[0], &inputs[1]) else {
            return Err(Halt::unknown(format!("no transpose rule of `{}` for its operand", self.name())));
        };
        if self.gather && self.window.window_dilation.iter().any(|&d| d != 1) {
            return Err(Halt::raise(
                "NotImplementedError",
                format!(
                    "VJP not implemented for select_and_gather (MaxPool) with window dilation, got window_dilation={}.",
                    repr::tuple(&self.window.window_dilation)
                ),
            ));
        }
        let Some(ct) = &cotangents[0] else { return Ok(smallvec![None, None]) };
        let mut other = SelectWindow { gather: !self.gather, ..self.clone() };
        let dilated = self.gather && self.window.base_dilation.iter().any(|&d| d != 1);
        let mut operand = operand.clone();
        if dilated {
            other.window.base_dilation.fill(1);
            let config: Vec<_> = self.window.base_dilation.iter().map(|&d| (0, 0, d - 1)).collect();
            operand = build::pad(cx, &operand, &self.identity(cx, &operand.aval)?, &config)?;
        }
        let mut out = cx.bind1(other, &[ct.clone(), operand])?;
        if dilated {
            let strides: SmallVec<[usize; 4]> = self.window.base_dilation.iter().map(|&d| d as usize).collect();
            let zeros: Shape = out.aval.shape.iter().map(|_| Dim::from(0usize)).collect();
            out = build::slice(cx, &out, &zeros, &out.aval.shape, Some(&strides))?;
        }
        Ok(smallvec![Some(out), None])
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let size = rules::batch_size(inputs, dims)?;
        let front = |i: usize| rules::at_front(cx, &inputs[i], dims[i], size);
        let batched = SelectWindow { window: self.window.with_axis(0), ..self.clone() };
        Ok(rules::batched(cx.bind1(batched, &[front(0)?, front(1)?])?, 0))
    }

    fn cost(&self, inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        let positions = if self.gather { &outputs[0] } else { inputs[0] };
        (positions.size().unwrap_or(0) as u64).saturating_mul(self.window.size())
    }
}

impl SelectWindow {
    /// What never is selected.
    fn identity(&self, cx: &Engine, aval: &Aval) -> Step<Val> {
        let infinity = if self.largest { f64::NEG_INFINITY } else { f64::INFINITY };
        let number = if aval.dtype.is_inexact() {
            Number::Float(infinity)
        } else {
            let (low, high) = crate::array::convert::int_range(aval.dtype);
            Number::Int(if self.largest { low } else { high })
        };
        Ok(cx.constant(Tensor::scalar_of(aval.dtype, number)))
    }
}
