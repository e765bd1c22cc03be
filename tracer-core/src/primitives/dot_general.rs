//! `dot_general`: products of arrays, with any number of contracted and batch axes.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::indexing::Ints;
use super::precision::Precision;
use super::rules::same_shape;
use super::{Avals, Dims, Operand, Param, Params, Primitive, Tangents, bilinear, build, product, repr, rules};
use crate::array::tensor::Sizes;
use crate::array::{Aval, DType, Dim, Shape, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// Contracted and batch axes of both operands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DotDims {
    /// Contracted axes of the left operand.
    pub lhs_contract: Ints,
    /// Contracted axes of the right operand.
    pub rhs_contract: Ints,
    /// Batch axes of the left operand.
    pub lhs_batch: Ints,
    /// Batch axes of the right operand.
    pub rhs_batch: Ints,
}

/// `dot_general`
#[derive(Clone, Debug)]
pub struct DotGeneral {
    /// Which axes are contracted and which are batch axes.
    pub dims: DotDims,
    /// How precise it has to be.
    pub precision: Precision,
    /// The dtype of the result, where it is not that of the operands.
    pub preferred: Option<DType>,
}

/// From keyword parameters.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    Ok(Rc::new(DotGeneral {
        dims: DotDims::from_tuple(params, params.tuple("dimension_numbers")?)?,
        precision: Precision::from_params(params)?,
        preferred: params.dtype_or_none("preferred_element_type")?,
    }))
}

impl Primitive for DotGeneral {
    fn name(&self) -> &'static str {
        "dot_general"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let DotDims { lhs_contract, rhs_contract, lhs_batch, rhs_batch } = &self.dims;
        let dims = repr::tuple([
            repr::tuple([repr::list(lhs_contract), repr::list(rhs_contract)]),
            repr::tuple([repr::list(lhs_batch), repr::list(rhs_batch)]),
        ]);
        let mut params = vec![("dimension_numbers", Param::Text(dims))];
        if self.precision != Precision::Default {
            params.push(("precision", Param::Text(self.precision.to_string())));
        }
        if let Some(dtype) = self.preferred {
            params.push(("preferred_element_type", Param::Text(dtype.name().into())));
        }
        params
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (lhs, rhs) = (inputs[0], inputs[1]);
        self.dims.check(lhs, rhs)?;
        let shape = self.dims.result_shape(&lhs.shape, &rhs.shape, &[]);
        let dtype = result_dtype("lax.dot_general", lhs.dtype, rhs.dtype, &self.precision, self.preferred)?;
        Ok(smallvec![Aval { dtype, shape, weak: lhs.weak && rhs.weak }])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let [lhs, rhs] = inputs else { unreachable!("dot_general has two inputs") };
        if self.precision.computes_otherwise(lhs.dtype) {
            return Err(Halt::unknown("a product by an algorithm of another type"));
        }
        let out = self.abstract_eval(&[&lhs.aval(), &rhs.aval()])?.swap_remove(0);
        let shape: Sizes = out.known_shape().ok_or_else(|| Halt::unknown("the size of an axis is symbolic"))?;
        Ok(smallvec![product::dot(lhs, rhs, &self.dims, shape, out.dtype)?])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        bilinear::jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        bilinear::transpose(
            cotangents,
            inputs,
            |ct, lhs, rhs| self.transpose_left(cx, ct, lhs, rhs, false).map(Some),
            |ct, rhs, lhs| self.mirrored().transpose_left(cx, ct, rhs, lhs, true).map(Some),
        )
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let ranks = [inputs[0].aval.rank(), inputs[1].aval.rank()];
        let (dot_dims, dim) = self.dims.batched(ranks, [dims[0], dims[1]], 0);
        Ok(rules::batched(cx.bind1(DotGeneral { dims: dot_dims, ..self.clone() }, inputs)?, dim))
    }

    fn cost(&self, inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        let depth = self.dims.lhs_contract.iter().try_fold(1u64, |n, &axis| {
            inputs[0].shape[axis as usize].known().map(|size| n.saturating_mul(size as u64))
        });
        let size = outputs[0].size().unwrap_or(0) as u64;
        size.saturating_mul(depth.unwrap_or(0)).saturating_mul(2)
    }
}

impl DotGeneral {
    /// The same with its operands exchanged, but for the order of the result's axes.
    fn mirrored(&self) -> DotGeneral {
        let DotDims { lhs_contract, rhs_contract, lhs_batch, rhs_batch } = self.dims.clone();
        let dims = DotDims {
            lhs_contract: rhs_contract,
            rhs_contract: lhs_contract,
            lhs_batch: rhs_batch,
            rhs_batch: lhs_batch,
        };
        DotGeneral { dims, ..self.clone() }
    }

    /// What gives the result with its axes in this order of the exchanged operands, of these ranks: where the axes that are kept of one operand and of the other change places.
    pub fn turned(&self, ranks: [usize; 2], permutation: &[usize]) -> Option<DotGeneral> {
        let DotDims { lhs_contract, rhs_contract, lhs_batch, .. } = &self.dims;
        let batch = lhs_batch.len();
        let left = ranks[0] - batch - lhs_contract.len();
        let right = ranks[1] - batch - rhs_contract.len();
        let end = batch + left + right;
        let exchanged = (0..batch).chain(batch + left..end).chain(batch..batch + left);
        permutation.iter().copied().eq(exchanged).then(|| self.mirrored())
    }

    /// The cotangent of the left operand. `swapped`: the result's axes are those of the mirrored product.
    fn transpose_left(&self, cx: &Engine, ct: &Val, lhs: &Aval, rhs: &Val, swapped: bool) -> Step<Val> {
        let DotDims { lhs_contract, rhs_contract, lhs_batch, rhs_batch } = &self.dims;
        let lhs_kept = DotDims::kept(lhs_contract, lhs_batch, lhs.rank());
        let rhs_kept = DotDims::kept(rhs_contract, rhs_batch, rhs.aval.rank());
        let first = lhs_batch.len() + if swapped { 0 } else { lhs_kept.len() };
        let dims = DotDims {
            lhs_contract: (first as i64..).take(rhs_kept.len()).collect(),
            rhs_contract: rhs_kept.iter().map(|&axis| axis as i64).collect(),
            lhs_batch: (0..lhs_batch.len() as i64).collect(),
            rhs_batch: rhs_batch.clone(),
        };
        let out = cx.bind1(DotGeneral { dims, ..self.clone() }, &[ct.clone(), rhs.clone()])?;
        // Axes of the product: batch, kept, contracted in the order of the right operand.
        let mut contracted: Vec<(i64, i64)> = rhs_contract.iter().copied().zip(lhs_contract.iter().copied()).collect();
        contracted.sort_unstable();
        let kept = lhs_kept.iter().map(|&axis| axis as i64);
        let axes: Vec<i64> =
            lhs_batch.iter().copied().chain(kept).chain(contracted.iter().map(|pair| pair.1)).collect();
        let mut order: Vec<usize> = (0..axes.len()).collect();
        order.sort_by_key(|&i| axes[i]);
        let out = build::transpose(cx, &out, &order)?;
        if out.aval.dtype == lhs.dtype { Ok(out) } else { build::convert_weak(cx, &out, lhs.dtype, lhs.weak) }
    }
}

impl DotDims {
    /// The axes of a product over a batch, and the batch axis of the result. A batch axis of both operands becomes a batch
    /// axis of the product, that of one of them a kept axis. `groups` axes of the right operand are not in the result.
    pub fn batched(&self, ranks: [usize; 2], batch: [Option<usize>; 2], groups: usize) -> (DotDims, usize) {
        let bump = |axes: &Ints, at: Option<usize>| -> Ints {
            axes.iter().map(|&axis| axis + i64::from(at.is_some_and(|at| axis >= at as i64))).collect()
        };
        let mut dims = DotDims {
            lhs_contract: bump(&self.lhs_contract, batch[0]),
            rhs_contract: bump(&self.rhs_contract, batch[1]),
            lhs_batch: bump(&self.lhs_batch, batch[0]),
            rhs_batch: bump(&self.rhs_batch, batch[1]),
        };
        // As in JAX, the axes before the batch axis are counted by their numbers without it.
        let before = |contract: &Ints, of: &Ints, rank: usize, at: usize| {
            DotDims::kept(contract, of, rank).iter().filter(|&&axis| axis < at).count()
        };
        match batch {
            [Some(left), Some(right)] => {
                dims.lhs_batch.insert(0, left as i64);
                dims.rhs_batch.insert(0, right as i64);
                (dims, 0)
            }
            [Some(left), None] => {
                let at = self.lhs_batch.len() + before(&self.lhs_contract, &self.lhs_batch, ranks[0], left);
                (dims, at)
            }
            [_, right] => {
                // Axes that are not there are refused when the product is bound.
                let kept =
                    before(&self.rhs_contract, &self.rhs_batch, ranks[1], right.unwrap_or(0)).saturating_sub(groups);
                (dims, (ranks[0] + kept).saturating_sub(self.lhs_contract.len()))
            }
        }
    }

    /// From `((lhs_contract, rhs_contract), (lhs_batch, rhs_batch))`.
    ///
    /// # Errors
    /// Unknown for anything else.
    pub fn from_tuple(params: &Params, tuple: &[super::ParamValue]) -> Step<DotDims> {
        let axes = |i: usize, j: usize| -> Step<Ints> {
            tuple
                .get(i)
                .and_then(|pair| pair.as_tuple()?.get(j)?.as_tuple()?.iter().map(|axis| axis.as_int()).collect())
                .ok_or_else(|| Halt::unknown(format!("odd dimension numbers of `{}`", params.primitive)))
        };
        Ok(DotDims {
            lhs_contract: axes(0, 0)?,
            rhs_contract: axes(0, 1)?,
            lhs_batch: axes(1, 0)?,
            rhs_batch: axes(1, 1)?,
        })
    }

    /// The axes that are neither contracted nor batch axes.
    pub fn kept(contract: &Ints, batch: &Ints, rank: usize) -> SmallVec<[usize; 4]> {
        (0..rank).filter(|&axis| !contract.contains(&(axis as i64)) && !batch.contains(&(axis as i64))).collect()
    }

    /// Batch axes, kept axes of the left operand, kept axes of the right one but for `group`.
    pub fn result_shape(&self, lhs: &[Dim], rhs: &[Dim], group: &[i64]) -> Shape {
        let lhs_kept = DotDims::kept(&self.lhs_contract, &self.lhs_batch, lhs.len());
        let rhs_kept = DotDims::kept(&self.rhs_contract, &self.rhs_batch, rhs.len());
        let batch = self.lhs_batch.iter().map(|&axis| lhs[axis as usize]);
        let right = rhs_kept.iter().filter(|&&axis| !group.contains(&(axis as i64))).map(|&axis| rhs[axis]);
        batch.chain(lhs_kept.iter().map(|&axis| lhs[axis])).chain(right).collect()
    }

    /// # Errors
    /// `TypeError` for axes that are out of range, repeated, or of different sizes.
    pub fn check(&self, lhs: &Aval, rhs: &Aval) -> Step<()> {
        let DotDims { lhs_contract, rhs_contract, lhs_batch, rhs_batch } = self;
        let fail = |message: String| Err(Halt::type_error(format!("dot_general requires {message}")));
        let sides = [("lhs", lhs, lhs_contract, lhs_batch), ("rhs", rhs, rhs_contract, rhs_batch)];
        for (side, aval, contract, batch) in sides {
            if contract.iter().chain(batch).any(|&axis| axis < 0 || axis >= aval.rank() as i64) {
                return fail(format!(
                    "{side} dimension numbers to be nonnegative and less than the number of axes of the {side} value, got \
                     {side}_batch of {} and {side}_contracting of {} for {side} of rank {}",
                    repr::tuple(batch),
                    repr::tuple(contract),
                    aval.rank()
                ));
            }
        }
        if lhs_batch.len() != rhs_batch.len() {
            return fail(format!(
                "equal numbers of lhs_batch and rhs_batch dimensions, got lhs_batch {} and rhs_batch {}.",
                repr::tuple(lhs_batch),
                repr::tuple(rhs_batch)
            ));
        }
        let repeats = |axes: &Ints| (1..axes.len()).any(|i| axes[..i].contains(&axes[i]));
        for (side, _, _, batch) in sides {
            if repeats(batch) {
                return fail(format!(
                    "{side} batch dimensions to be distinct, got {side}_batch {}.",
                    repr::tuple(batch)
                ));
            }
        }
        for (side, _, contract, _) in sides {
            if repeats(contract) {
                return fail(format!(
                    "{side} contracting dimensions to be distinct, got {side}_contracting {}.",
                    repr::tuple(contract)
                ));
            }
        }
        for (side, _, contract, batch) in sides {
            if contract.iter().any(|axis| batch.contains(axis)) {
                return fail(format!(
                    "{side} batch dimensions to be disjoint from contracting dimensions, got {side}_batch {} and \
                     {side}_contracting {}.",
                    repr::tuple(batch),
                    repr::tuple(contract)
                ));
            }
        }
        let sizes = |aval: &Aval, axes: &Ints| -> Vec<Dim> { axes.iter().map(|&d| aval.shape[d as usize]).collect() };
        let (a, b) = (sizes(lhs, lhs_batch), sizes(rhs, rhs_batch));
        if !same_shape(&a, &b)? {
            return fail(format!(
                "lhs batch dimensions and rhs batch dimensions to have the same shape, got {} and {}.",
                repr::tuple(a),
                repr::tuple(b)
            ));
        }
        let (a, b) = (sizes(lhs, lhs_contract), sizes(rhs, rhs_contract));
        if !same_shape(&a, &b)? {
            return fail(format!(
                "contracting dimensions to have the same shape, got {} and {}.",
                repr::tuple(a),
                repr::tuple(b)
            ));
        }
        Ok(())
    }
}

/// The dtype of a product: that of the richer operand (complex over real, then range, precision, width, sign), or the
/// preferred one.
///
/// # Errors
/// `TypeError` where neither is richer, or where an integer result would be narrowed.
pub fn result_dtype(
    name: &str,
    lhs: DType,
    rhs: DType,
    precision: &Precision,
    preferred: Option<DType>,
) -> Step<DType> {
    let (a, b) = (richness(lhs), richness(rhs));
    let result = match a.cmp(&b) {
        std::cmp::Ordering::Greater => lhs,
        std::cmp::Ordering::Less => rhs,
        _ if lhs != rhs => return Err(Halt::type_error(format!("{name} argument type error: {lhs}, {rhs}"))),
        _ => lhs,
    };
    let Some(preferred) = preferred.filter(|&dtype| dtype != result) else { return Ok(result) };
    if !precision.is_algorithm() && !result.is_float() && width(preferred) < width(result) {
        return Err(Halt::type_error(format!(
            "`preferred_element_type` must not be narrower than the original type, got preferred_element_type of \
             {preferred} for result type of {result}."
        )));
    }
    Ok(preferred)
}

/// Bits of a number, half of them for a complex one.
fn width(dtype: DType) -> u32 {
    match dtype {
        DType::Bool => 1,
        DType::C64 => 32,
        DType::C128 => 64,
        _ => dtype.bits(),
    }
}

fn richness(dtype: DType) -> (bool, i32, i32, u32, bool) {
    let (range, precision) = match dtype {
        DType::Narrow(narrow) => (narrow.range(), narrow.format().mantissa),
        DType::BF16 => (128, 7),
        DType::F16 => (16, 10),
        DType::F32 | DType::C64 => (128, 23),
        DType::F64 | DType::C128 => (1024, 52),
        _ => (-1, -1),
    };
    (dtype.is_complex(), range, precision, width(dtype), dtype.kind() != crate::array::Kind::Unsigned)
}
