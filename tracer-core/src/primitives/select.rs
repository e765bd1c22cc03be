//! Choices between elements: `select_n`, `clamp`.

use std::rc::Rc;

use jitlens_kernels::vector;
use num_complex::Complex;
use smallvec::{SmallVec, smallvec};

use super::rules::{self, ANY};
use super::{Avals, ByElement, Dims, Operand, Params, Primitive, Tangents, build, elementwise::table, on_stretches};
use crate::array::tensor::{Data, Element};
use crate::array::{Aval, DType, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `cases[which]`, elementwise.
#[derive(Clone, Debug)]
pub struct SelectN;

impl SelectN {
    /// From keyword parameters.
    pub fn make(_params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(SelectN))
    }
}

/// Which case each element takes. A number out of range takes the nearest.
fn choices(which: &Tensor, cases: usize) -> Step<Vec<usize>> {
    if let Some(v) = which.view::<bool>() {
        return Ok(v.iter().map(|&b| usize::from(b).min(cases - 1)).collect());
    }
    let number = |i| which.number(i).and_then(|n| n.as_int()).ok_or_else(|| Halt::unknown("not an integer"));
    (0..which.len()).map(|i| number(i).map(|n| n.clamp(0, cases as i64 - 1) as usize)).collect()
}

/// One of two elements at each place; none where the three are not of one size.
fn either<T: Element>(which: &[bool], no: &[T], yes: &Tensor) -> Option<Data> {
    let yes = yes.view::<T>().filter(|yes| yes.len() == which.len() && no.len() == which.len())?;
    Some(T::wrap(vector::zip3(which, no, yes, |which, no, yes| if which { yes } else { no })))
}

fn take<T: Element>(_: &[T], choices: &[usize], cases: &[Tensor], words: usize) -> Option<Data> {
    let views: Vec<&[T]> = cases.iter().map(Tensor::view).collect::<Option<_>>()?;
    let len = views[0].len();
    let one = choices.len() == 1 && len != words;
    let at = |i: usize| views[choices[if one { 0 } else { i / words }]][i];
    Some(T::wrap((0..len).map(at).collect()))
}

impl Primitive for SelectN {
    fn name(&self) -> &'static str {
        "select_n"
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let fail = |message: String| Err(Halt::type_error(message));
        let [which, cases @ ..] = inputs else { return Err(Halt::unknown("select_n takes at least one array")) };
        let Some(first) = cases.first() else { return fail("select must have at least one case".into()) };
        for case in &cases[1..] {
            if !rules::same_shape(&first.shape, &case.shape)? {
                let shapes: Vec<_> = cases.iter().map(|c| c.shape_tuple()).collect();
                return fail(format!("select cases must have the same shapes, got [{}].", shapes.join(", ")));
            }
        }
        if which.rank() > 0 && !rules::same_shape(&which.shape, &first.shape)? {
            return fail(format!(
                "select `which` must be scalar or have the same shape as cases, got `which` shape {} but case shape {}.",
                which.shape_tuple(),
                first.shape_tuple()
            ));
        }
        rules::check_same_dtypes("select", cases)?;
        if which.dtype != DType::Bool && !which.dtype.is_integer() {
            return fail(format!("select `which` must be boolean or integer type, got {}.", which.dtype));
        }
        if which.dtype == DType::Bool && cases.len() > 2 {
            return fail("select with boolean `which` cannot have > 2 cases.".into());
        }
        Ok(smallvec![Aval { weak: cases.iter().all(|c| c.weak), ..(*first).clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (which, cases) = (&inputs[0], &inputs[1..]);
        if let (Some(which), [no, yes]) = (which.view::<bool>(), cases)
            && let Some(data) = crate::for_buffer!(&no.data, v => either(which, v, yes), none => None)
        {
            return Ok(smallvec![Tensor::with_data(no.dtype, no.shape.clone(), data)]);
        }
        let choices = choices(which, cases.len())?;
        let words = if let DType::Key(key) = cases[0].dtype { key.words() } else { 1 };
        let data = crate::for_buffer!(&cases[0].data, v => take(v, &choices, cases, words), none => Some(Data::None));
        let data = data.ok_or_else(|| Halt::unknown("cases of different types"))?;
        Ok(smallvec![Tensor::with_data(cases[0].dtype, cases[0].shape.clone(), data)])
    }
    fn by_element(&self) -> Option<ByElement> {
        on_stretches(self.clone())
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let out = build::select_n(cx, &x[0], &x[1..])?;
        let tangent = match t[1..].iter().flatten().next() {
            None => None,
            Some(some) => {
                let zeros = build::zeros_like(cx, &some.aval)?;
                let cases: Vec<Val> = t[1..].iter().map(|t| t.clone().unwrap_or_else(|| zeros.clone())).collect();
                Some(build::select_n(cx, &x[0], &cases)?)
            }
        };
        Ok((smallvec![out], smallvec![tangent]))
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let mut result: Tangents = inputs.iter().map(|_| None).collect();
        let Operand::Known(which) = &inputs[0] else { return Err(Halt::raise("AssertionError", "")) };
        let Some(Some(ct)) = ct.first() else { return Ok(result) };
        if inputs[1..].iter().any(Operand::is_linear) {
            cx.note_choice();
        }
        let zeros = build::zeros_like(cx, &ct.aval)?;
        for (i, case) in inputs[1..].iter().enumerate() {
            if !case.is_linear() {
                continue;
            }
            result[i + 1] = Some(match (which.aval.dtype, i) {
                (DType::Bool, 0) => build::select(cx, which, &zeros, ct)?,
                (DType::Bool, _) => build::select(cx, which, ct, &zeros)?,
                _ => {
                    let chosen = build::eq(cx, which, &build::scalar_like(cx, which, i))?;
                    build::select(cx, &chosen, ct, &zeros)?
                }
            });
        }
        Ok(result)
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        rules::has_operands(inputs, 2)?;
        let size = rules::batch_size(inputs, dims)?;
        let (mut which, mut cases) = (inputs[0].clone(), inputs[1..].to_vec());
        let (which_dim, case_dims) = (dims[0], &dims[1..]);
        if let Some(dim) = which_dim.filter(|_| case_dims.iter().all(|d| *d == which_dim)) {
            if which.aval.shape != cases[0].aval.shape {
                // A scalar choice between arrays.
                assert_that(which.aval.rank() == 1)?;
                which = build::broadcast_in_dim(cx, &which, &cases[0].aval.shape, &[dim])?;
            }
            return Ok(rules::batched(build::select_n(cx, &which, &cases)?, dim));
        }
        if which.aval.rank() == 0 && case_dims.iter().all(Option::is_some) {
            let dim = case_dims[0].unwrap_or(0);
            if case_dims.iter().all(|d| *d == Some(dim)) {
                return Ok(rules::batched(build::select_n(cx, &which, &cases)?, dim));
            }
            if cases.iter().all(|c| c.aval.shape == cases[0].aval.shape) {
                for (case, d) in cases.iter_mut().zip(case_dims).skip(1) {
                    *case = build::move_axis(cx, case, d.unwrap_or(dim), dim)?;
                }
                return Ok(rules::batched(build::select_n(cx, &which, &cases)?, dim));
            }
        }
        if which.aval.rank() > 0 {
            which = rules::at_front(cx, &which, which_dim, size)?;
        }
        if cases.iter().any(|c| c.aval.rank() > 0) {
            for (case, &d) in cases.iter_mut().zip(case_dims) {
                *case = rules::at_front(cx, case, d, size)?;
            }
        }
        let rank = cases[0].aval.rank();
        for case in &cases {
            assert_that(rules::same_shape(&case.aval.shape, &cases[0].aval.shape)?)?;
        }
        if which.aval.rank() > 0 && which.aval.rank() < rank {
            assert_that(which.aval.rank() == 1)?;
            which = build::broadcast_in_dim(cx, &which, &cases[0].aval.shape, &[0])?;
        }
        if which.aval.rank() > rank {
            assert_that(rank == 0)?;
            for case in &mut cases {
                *case = build::broadcast(cx, case, &which.aval.shape)?;
            }
        }
        Ok(rules::batched(build::select_n(cx, &which, &cases)?, 0))
    }
}

/// What JAX asserts of shapes.
fn assert_that(holds: bool) -> Step<()> {
    if holds { Ok(()) } else { Err(Halt::raise("AssertionError", "")) }
}

/// `min(max(x, low), high)`
#[derive(Clone, Debug)]
pub struct Clamp;

impl Clamp {
    /// From keyword parameters.
    pub fn make(_params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Clamp))
    }
}

impl Primitive for Clamp {
    fn name(&self) -> &'static str {
        "clamp"
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let [low, x, high] = inputs else { return Err(Halt::unknown("clamp takes three arrays")) };
        for (name, bound) in [("min", low), ("max", high)] {
            if bound.rank() > 0 && !rules::same_shape(&bound.shape, &x.shape)? {
                return Err(Halt::type_error(format!(
                    "clamp requires {name}.shape == operand.shape or {name}.shape == (), got {name}.shape={}, operand.shape={}.",
                    bound.shape_tuple(),
                    x.shape_tuple()
                )));
            }
        }
        rules::check_positions("clamp", &[ANY, ANY, ANY], inputs, false)?;
        rules::check_same_dtypes("clamp", inputs)?;
        // The type is weak only if all are.
        Ok(smallvec![Aval { weak: inputs.iter().all(|a| a.weak), ..(*x).clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let [low, x, high] = inputs else { return Err(Halt::unknown("clamp takes three arrays")) };
        if x.dtype.is_complex() {
            return clamp_complex(low, x, high).map(|clamped| smallvec![clamped]);
        }
        let wrong = || Halt::unknown("no order of these elements");
        let raised = (table::MAX.eval)(&[x.clone(), low.clone()]).ok_or_else(wrong)?;
        let raised = Tensor::with_data(x.dtype, x.shape.clone(), raised);
        let data = (table::MIN.eval)(&[raised, high.clone()]).ok_or_else(wrong)?;
        Ok(smallvec![Tensor::with_data(x.dtype, x.shape.clone(), data)])
    }
    fn by_element(&self) -> Option<ByElement> {
        on_stretches(self.clone())
    }
    fn jvp(&self, cx: &Engine, inputs: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let out = cx.bind1(Clamp, inputs)?;
        let (low, x, high) = (&inputs[0], &inputs[1], &inputs[2]);
        let mut sum = None;
        for (i, tangent) in t.iter().enumerate() {
            let Some(tangent) = tangent else { continue };
            let active = match i {
                0 => build::and(cx, &build::gt(cx, low, x)?, &build::lt(cx, low, high)?)?,
                1 => build::and(cx, &build::gt(cx, x, low)?, &build::lt(cx, x, high)?)?,
                _ => build::lt(cx, high, x)?,
            };
            let zeros = build::zeros_like(cx, &x.aval)?;
            // A scalar bound beside an array has no derivative: JAX does not broadcast it.
            let part = build::select(cx, &active, tangent, &zeros)?;
            sum = build::add_tangents(cx, sum, Some(part))?;
        }
        Ok((smallvec![out], smallvec![sum]))
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        rules::has_operands(inputs, 3)?;
        let size = rules::batch_size(inputs, dims)?;
        let (mut low, mut x, mut high) = (inputs[0].clone(), inputs[1].clone(), inputs[2].clone());
        let bind = |low: Val, x: Val, high: Val| cx.bind1(Clamp, &[low, x, high]);
        let scalars = low.aval.rank() == 0 && high.aval.rank() == 0;
        if let (Some(dim), [a, b, c]) = (dims[1], dims) {
            if a == b && b == c {
                if low.aval.shape == x.aval.shape && x.aval.shape == high.aval.shape {
                    return Ok(rules::batched(bind(low, x, high)?, dim));
                }
                if low.aval.rank() == 1 && high.aval.rank() == 1 {
                    low = build::broadcast_in_dim(cx, &low, &x.aval.shape, &[dim])?;
                    high = build::broadcast_in_dim(cx, &high, &x.aval.shape, &[dim])?;
                    return Ok(rules::batched(bind(low, x, high)?, dim));
                }
            } else if scalars {
                return Ok(rules::batched(bind(low, x, high)?, dim));
            }
        }
        let front =
            |v: &Val, d: Option<usize>| if v.aval.rank() > 0 { rules::at_front(cx, v, d, size) } else { Ok(v.clone()) };
        (low, high) = (front(&low, dims[0])?, front(&high, dims[2])?);
        x = front(&x, dims[1])?;
        for bound in [&mut low, &mut high] {
            if bound.aval.rank() == 0 && x.aval.rank() > 0 {
                *bound = build::broadcast(cx, bound, &x.aval.shape)?;
            } else if bound.aval.rank() < x.aval.rank() {
                *bound = build::broadcast_in_dim(cx, bound, &x.aval.shape, &[0])?;
            }
        }
        if low.aval.rank() > x.aval.rank() {
            x = build::broadcast(cx, &x, &low.aval.shape)?;
        }
        if high.aval.rank() > x.aval.rank() {
            x = build::broadcast(cx, &x, &high.aval.shape)?;
        }
        if low.aval.rank() == 0 && x.aval.rank() > 0 {
            low = build::broadcast(cx, &low, &x.aval.shape)?;
        }
        Ok(rules::batched(bind(low, x, high)?, 0))
    }
}

/// Complex numbers between others: real parts alone are compared, as XLA does, and a number that is not above its bound gives way to it.
fn clamp_complex(low: &Tensor, x: &Tensor, high: &Tensor) -> Step<Tensor> {
    let numbers = |t: &Tensor| -> Vec<Complex<f64>> { t.numbers().map(|number| number.as_complex()).collect() };
    let (low, high) = (numbers(low), numbers(high));
    let bound = |bounds: &[Complex<f64>], i: usize| bounds[if bounds.len() == 1 { 0 } else { i }];
    let clamped = numbers(x).into_iter().enumerate().map(|(i, x)| {
        let (low, high) = (bound(&low, i), bound(&high, i));
        let raised = if low.re >= x.re { low } else { x };
        if raised.re <= high.re { raised } else { high }
    });
    Ok(Tensor::new(&x.shape[..], clamped.collect::<Vec<_>>()).convert(x.dtype))
}
