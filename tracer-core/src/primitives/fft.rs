//! `fft`: discrete Fourier transforms over the last axes.

use std::rc::Rc;

use jitlens_kernels::fourier::{self, FftNum};
use jitlens_kernels::{copy, vector};
use num_complex::Complex;
use smallvec::{SmallVec, smallvec};

use super::{Avals, Axes, Dims, Operand, Param, Params, Primitive, Tangents, build, repr, rules};
use crate::array::tensor::{Element, Sizes};
use crate::array::{Aval, DType, Dim, Shape, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// Which transform.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Complex to complex.
    Forward,
    /// Complex to complex, inverse.
    Inverse,
    /// Real to complex: half of the last axis.
    Real,
    /// Half of the last axis to real: the inverse of [`Kind::Real`].
    InverseReal,
}

/// `fft`
#[derive(Clone, Debug)]
pub struct Fft {
    /// Which transform.
    pub kind: Kind,
    /// Sizes of the transformed axes, of the real side.
    pub lengths: Shape,
}

impl Fft {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let value = params.need("fft_type")?;
        let kind = match value {
            super::ParamValue::Str(name) => match name.rsplit('.').next().unwrap_or(name) {
                "FFT" | "fft" => Some(0),
                "IFFT" | "ifft" => Some(1),
                "RFFT" | "rfft" => Some(2),
                "IRFFT" | "irfft" => Some(3),
                _ => None,
            },
            value => value.as_int(),
        };
        let kind = match kind {
            Some(0) => Kind::Forward,
            Some(1) => Kind::Inverse,
            Some(2) => Kind::Real,
            Some(3) => Kind::InverseReal,
            _ => return Err(Halt::unknown("an odd `fft_type`")),
        };
        Ok(Rc::new(Fft { kind, lengths: params.shape("fft_lengths")? }))
    }
}

fn complex(dtype: DType) -> DType {
    if dtype == DType::F64 { DType::C128 } else { DType::C64 }
}

fn real(dtype: DType) -> DType {
    if dtype == DType::C128 { DType::F64 } else { DType::F32 }
}

impl Primitive for Fft {
    fn name(&self) -> &'static str {
        "fft"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("fft_lengths", Param::Text(repr::tuple(&self.lengths))),
            ("fft_type", Param::Text((self.kind as u8).to_string())),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (x, lengths) = (inputs[0], &self.lengths);
        let (shape, shown) = (rules::Late(|| x.shape_tuple()), rules::Late(|| repr::tuple(lengths)));
        if lengths.len() > x.rank() {
            return Err(Halt::value_error(format!(
                "FFT input shape {shape} must have at least as many input dimensions as fft_lengths {shown}."
            )));
        }
        let (batch, minor) = x.shape.split_at(x.rank() - lengths.len());
        let whole = |name: &str, types: &str, fits: bool| {
            if !fits {
                return Err(Halt::value_error(format!("{name} input must be {types}, got {}", x.dtype)));
            }
            if !rules::same_shape(minor, lengths)? {
                return Err(Halt::value_error(format!(
                    "{name} input shape {shape} minor dimensions must be equal to fft_lengths {shown}"
                )));
            }
            Ok(())
        };
        let Some((&last, outer)) = lengths.split_last() else {
            return Err(Halt::unknown("a transform over no axes"));
        };
        let mut out = x.clone();
        match self.kind {
            Kind::Real => {
                whole("RFFT", "float32 or float64", matches!(x.dtype, DType::F32 | DType::F64))?;
                let half = last.floor_div(Dim::from(2usize))? + 1;
                out.shape = batch.iter().chain(outer).copied().chain([half]).collect();
                out.dtype = complex(x.dtype);
            }
            Kind::InverseReal => {
                if !x.dtype.is_complex() {
                    return Err(Halt::value_error(format!(
                        "IRFFT input must be complex64 or complex128, got {}",
                        x.dtype
                    )));
                }
                if !rules::same_shape(&minor[..outer.len()], outer)? {
                    return Err(Halt::value_error(format!(
                        "IRFFT input shape {shape} minor dimensions must be equal to all except the last fft_length, got \
                         fft_lengths={shown}"
                    )));
                }
                out.shape = batch.iter().chain(lengths).copied().collect();
                out.dtype = real(x.dtype);
            }
            Kind::Forward | Kind::Inverse => whole("FFT", "complex64 or complex128", x.dtype.is_complex())?,
        }
        Ok(smallvec![out])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        let lengths: Sizes = self.lengths.iter().map(|n| n.get()).collect::<Step<_>>()?;
        Ok(smallvec![match x.dtype {
            DType::F64 | DType::C128 => self.transform::<f64>(&x.convert(DType::C128), &lengths)?,
            _ => self.transform::<f32>(&x.convert(DType::C64), &lengths)?,
        }])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(cotangents, inputs, |ct, _| match self.kind {
            Kind::Real => {
                // Numbers that stand for two count half.
                let masked = build::div(cx, &conjugate(cx, ct)?, &self.mask(cx, ct)?)?;
                let back = Fft { kind: Kind::InverseReal, lengths: self.lengths.clone() };
                let back = cx.bind1(back, &[masked])?;
                build::mul(cx, &build::scalar_like(cx, &back, self.count()? as f64), &back)
            }
            Kind::InverseReal => {
                let forward = cx.bind1(Fft { kind: Kind::Real, lengths: self.lengths.clone() }, &[ct.clone()])?;
                let mask = self.mask(cx, &forward)?;
                let scaled = build::mul(cx, &build::scalar_like(cx, &mask, 1.0 / self.count()? as f64), &mask)?;
                conjugate(cx, &build::mul(cx, &scaled, &forward)?)
            }
            Kind::Forward | Kind::Inverse => cx.bind1(self.clone(), &[ct.clone()]),
        })
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let x = rules::move_to_front(cx, &inputs[0], rules::only_dim(dims)?)?;
        Ok(rules::batched(cx.bind1(self.clone(), &[x])?, 0))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        let size = inputs[0].size().unwrap_or(0) as u64;
        size.saturating_mul(5 * u64::from(size.max(2).ilog2()))
    }
}

fn conjugate(cx: &Engine, x: &Val) -> Step<Val> {
    cx.bind1(super::Conj { input: x.aval.dtype }, &[x.clone()])
}

impl Fft {
    /// The number of elements of one transform.
    fn count(&self) -> Step<usize> {
        self.lengths.iter().try_fold(1, |n, length| Ok(n * length.get()?))
    }

    /// How many numbers of a whole transform each number of half a one stands for.
    fn mask(&self, cx: &Engine, half: &Val) -> Step<Val> {
        let n = self.lengths[self.lengths.len() - 1].get()?;
        let m = half.aval.shape[half.aval.rank() - 1].get()?;
        let once = |k: usize| k == 0 || (n % 2 == 0 && k + 1 == m);
        let values = (0..m).map(|k| Complex::new(if once(k) { 1f32 } else { 2.0 }, 0.0)).collect();
        let mut shape = Sizes::from_elem(1, half.aval.rank());
        if let Some(last) = shape.last_mut() {
            *last = m;
        }
        Ok(cx.constant(Tensor::new(shape, values).convert(half.aval.dtype)))
    }

    fn transform<T>(&self, x: &Tensor, lengths: &[usize]) -> Step<Tensor>
    where
        Complex<T>: Element,
        T: Element + FftNum,
    {
        let rank = x.shape.len();
        let first = rank - lengths.len();
        let inverse = matches!(self.kind, Kind::Inverse | Kind::InverseReal);
        let mut x = x.clone();
        // The last axis is the first one of a real transform and the last one of an inverse.
        let mut axes: Vec<usize> = (first..rank).rev().collect();
        if self.kind == Kind::InverseReal {
            axes.reverse();
        }
        for axis in axes {
            let (last, n) = (axis == rank - 1, lengths[axis - first]);
            let mut order: Axes = (0..rank).collect();
            order.swap(axis, rank - 1);
            let moved = x.permute(&order);
            let mut shape = moved.shape.clone();
            let mut data = copy::same(moved.expect::<Complex<T>>()?);
            if last && self.kind == Kind::InverseReal {
                data = fourier::mirrored(&data, shape[rank - 1], n);
                shape[rank - 1] = n;
            }
            fourier::transform(&mut data, n, inverse);
            if last && self.kind == Kind::Real {
                let half = n / 2 + 1;
                let lines = data.len().checked_div(n).unwrap_or(0);
                data = copy::strided(&data, &[lines, half.min(n)], &[n as isize, 1], 0);
                shape[rank - 1] = half.min(n);
            }
            x = Tensor::new(shape, data).permute(&order);
        }
        if self.kind == Kind::InverseReal {
            let values = vector::map(x.expect::<Complex<T>>()?, |x| x.re);
            return Ok(Tensor::new::<T>(x.shape.clone(), values));
        }
        Ok(x)
    }
}
