//! `ragged_dot_general`: products of groups of rows.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::dot_general::{DotDims, DotGeneral, result_dtype};
use super::indexing::Ints;
use super::precision::Precision;
use super::select::SelectN;
use super::{Avals, Operand, Param, ParamValue, Params, Primitive, Tangents, build, repr, rules};
use crate::array::layout::row_major;
use crate::array::{Aval, DType, Dim, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `ragged_dot_general`
#[derive(Clone, Debug)]
pub struct RaggedDotGeneral {
    /// The axes of the product.
    pub dims: DotDims,
    /// The axis of the left operand that is made of groups.
    pub ragged: Ints,
    /// The axis of the right operand that has an element for each group.
    pub group: Ints,
    /// How precise it has to be.
    pub precision: Precision,
    /// The dtype of the result, where it is not that of the operands.
    pub preferred: Option<DType>,
}

/// What the groups divide.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Mode {
    Kept,
    Contracted,
    Batch,
}

impl RaggedDotGeneral {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let fields = params.tuple("ragged_dot_dimension_numbers")?;
        let odd = || Halt::unknown("odd dimension numbers of `ragged_dot_general`");
        let field = |i: usize| fields.get(i).and_then(ParamValue::as_tuple).ok_or_else(odd);
        let axes = |i: usize| -> Step<Ints> {
            field(i)?.iter().map(ParamValue::as_int).collect::<Option<Ints>>().ok_or_else(odd)
        };
        Ok(Rc::new(RaggedDotGeneral {
            dims: DotDims::from_tuple(params, field(0)?)?,
            ragged: axes(1)?,
            group: axes(2)?,
            precision: Precision::from_params(params)?,
            preferred: params.dtype_or_none("preferred_element_type")?,
        }))
    }

    fn mode(&self, axis: i64) -> Mode {
        let DotDims { lhs_contract, lhs_batch, .. } = &self.dims;
        if lhs_contract.contains(&axis) {
            Mode::Contracted
        } else if lhs_batch.contains(&axis) {
            Mode::Batch
        } else {
            Mode::Kept
        }
    }

    /// The axes of the left operand that the sizes of groups may differ along.
    fn prefix(&self, mode: Mode, axis: i64, rank: usize) -> Vec<usize> {
        let DotDims { lhs_contract, lhs_batch, .. } = &self.dims;
        let until = |axes: Vec<usize>| axes.into_iter().take_while(|&i| i as i64 != axis).collect::<Vec<_>>();
        let plain = |axes: &Ints| axes.iter().map(|&i| i as usize).collect::<Vec<_>>();
        let mut prefix = plain(lhs_batch);
        match mode {
            Mode::Kept => prefix.extend(until(DotDims::kept(lhs_contract, lhs_batch, rank).into_vec())),
            Mode::Contracted => prefix.extend(until(plain(lhs_contract))),
            Mode::Batch => prefix = until(prefix),
        }
        prefix
    }
}

impl Primitive for RaggedDotGeneral {
    fn name(&self) -> &'static str {
        "ragged_dot_general"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let DotDims { lhs_contract, rhs_contract, lhs_batch, rhs_batch } = &self.dims;
        let pair = |a: &Ints, b: &Ints| repr::tuple([repr::tuple(a), repr::tuple(b)]);
        let dims = repr::tuple([pair(lhs_contract, rhs_contract), pair(lhs_batch, rhs_batch)]);
        let dims = format!(
            "RaggedDotDimensionNumbers(dot_dimension_numbers={dims}, lhs_ragged_dimensions={}, rhs_group_dimensions={})",
            repr::tuple(&self.ragged),
            repr::tuple(&self.group)
        );
        vec![
            ("group_offset", Param::Text("None".into())),
            ("out_sharding", Param::Text("None".into())),
            ("precision", Param::Text(self.precision.to_string())),
            ("preferred_element_type", Param::Text(repr::option(self.preferred))),
            ("ragged_dot_dimension_numbers", Param::Text(dims)),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let [lhs, rhs, sizes] = inputs else { return Err(Halt::unknown("ragged_dot_general has three inputs")) };
        let fail = |message: String| Err(Halt::type_error(message));
        let in_range = |dim: i64, rank: usize, what: &str, side: &str| {
            if (0..rank as i64).contains(&dim) {
                return Ok(());
            }
            Err(Halt::type_error(format!(
                "ragged_dot_general requires {what} numbers to be nonnegative and less than the number of axes of the {side} \
                 value, got {dim} for {side} of rank {rank}."
            )))
        };
        let [axis] = self.ragged[..] else {
            return fail("ragged_dot_general expects exactly one lhs ragged dimension.".into());
        };
        in_range(axis, lhs.rank(), "lhs ragged dimension", "lhs")?;
        let mode = self.mode(axis);
        let Some((&count, given)) = sizes.shape.split_last() else {
            return fail("expected rank of group_sizes to be >=1.".into());
        };
        if !given.is_empty() {
            let mut expected: Vec<Dim> =
                self.prefix(mode, axis, lhs.rank()).into_iter().filter_map(|i| lhs.shape.get(i).copied()).collect();
            expected.push(count);
            if !rules::same_shape(&sizes.shape, &expected)? {
                return fail(format!(
                    "expected group_sizes to have shape {}, got {}.",
                    repr::tuple(&expected),
                    sizes.shape_tuple()
                ));
            }
        }
        match (mode, &self.group[..]) {
            (Mode::Kept, &[group]) => {
                in_range(group, rhs.rank(), "rhs group dimension", "rhs")?;
                if self.dims.rhs_batch.contains(&group) || self.dims.rhs_contract.contains(&group) {
                    return fail(
                        "ragged_dot_general requires rhs group dimension numbers to be distinct from contracting and batch \
                         dimensions."
                            .into(),
                    );
                }
                let size = rhs.shape[group as usize];
                if !size.same(count)? {
                    return fail(format!("expected rhs group dimension size to be {count}, got {size}."));
                }
            }
            (Mode::Kept, _) => {
                return fail(
                    "ragged_dot_general requires exactly one rhs group dimension when lhs ragged dimension is \
                     noncontracting."
                        .into(),
                );
            }
            (_, []) => {}
            _ => {
                return fail(
                    "ragged_dot_general requires zero group dimensions in the rhs when lhs ragged dimension is contracting or \
                     batch."
                        .into(),
                );
            }
        }
        self.dims.check(lhs, rhs)?;
        let mut shape = self.dims.result_shape(&lhs.shape, &rhs.shape, &self.group);
        if mode == Mode::Contracted {
            shape.insert(0, count);
        }
        if !sizes.dtype.is_integer() {
            return fail("ragged_dot_general requires that group_sizes.dtype is subtype of np.integer.".into());
        }
        let dtype = result_dtype("lax.ragged_dot_general", lhs.dtype, rhs.dtype, &self.precision, self.preferred)?;
        let weak = lhs.weak && rhs.weak && sizes.weak;
        Ok(smallvec![Aval { dtype, shape, weak }])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let [lhs, rhs, sizes] = inputs else { return Err(Halt::unknown("ragged_dot_general has three inputs")) };
        let DotDims { lhs_contract, rhs_contract, lhs_batch, rhs_batch } = &self.dims;
        let axis = *self.ragged.first().ok_or_else(|| Halt::unknown("no ragged axis"))?;
        let (mode, up) = (self.mode(axis), |axes: &Ints| axes.iter().map(|axis| axis + 1).collect::<Ints>());
        let spread = |x: &Tensor, axis: i64, prefix: Vec<usize>| in_groups(x, axis as usize, &prefix, sizes);
        let prefix = self.prefix(mode, axis, lhs.shape.len());
        let also = |extra: i64, axes: Ints| axes.into_iter().chain([extra]).collect::<Ints>();
        let (lhs, rhs, dims) = match mode {
            // Of each group the other rows are zeros; groups are summed over.
            Mode::Kept => {
                let dims = DotDims {
                    lhs_contract: also(0, up(lhs_contract)),
                    rhs_contract: also(self.group[0], rhs_contract.clone()),
                    lhs_batch: up(lhs_batch),
                    rhs_batch: rhs_batch.clone(),
                };
                (spread(lhs, axis, prefix)?, rhs.clone(), dims)
            }
            Mode::Contracted => {
                let at = lhs_contract.iter().position(|&a| a == axis).unwrap_or(0);
                // Sizes of groups are given by axes of the batch first.
                let of_rhs = rhs_batch.iter().chain(&rhs_contract[..at]).map(|&a| a as usize).collect();
                let first = |axes: &Ints| std::iter::once(0).chain(up(axes)).collect::<Ints>();
                let dims = DotDims {
                    lhs_contract: up(lhs_contract),
                    rhs_contract: up(rhs_contract),
                    lhs_batch: first(lhs_batch),
                    rhs_batch: first(rhs_batch),
                };
                (spread(lhs, axis, prefix)?, spread(rhs, rhs_contract[at], of_rhs)?, dims)
            }
            Mode::Batch => (lhs.clone(), rhs.clone(), self.dims.clone()),
        };
        DotGeneral { dims, precision: self.precision.clone(), preferred: self.preferred }.eval(&[lhs, rhs])
    }

    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let out = cx.bind1(self.clone(), x)?;
        let product = |lhs: &Val, rhs: &Val| cx.bind1(self.clone(), &[lhs.clone(), rhs.clone(), x[2].clone()]);
        let left = t[0].as_ref().map_or_else(|| build::zeros_like(cx, &out.aval), |t| product(t, &x[1]))?;
        let right = t[1].as_ref().map_or_else(|| build::zeros_like(cx, &out.aval), |t| product(&x[0], t))?;
        let tangent = build::add_any(cx, &left, &right)?;
        Ok((smallvec![out], smallvec![Some(tangent)]))
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let (Some(ct), Operand::Known(sizes)) = (&cotangents[0], &inputs[2]) else {
            return Ok(smallvec![None, None, None]);
        };
        let (x, y) = match (&inputs[0], &inputs[1]) {
            (Operand::Linear(x), Operand::Known(y)) => (x, &y.aval),
            (Operand::Known(x), Operand::Linear(y)) => (&x.aval, y),
            _ => return Ok(smallvec![None, None, None]),
        };
        let left = matches!(inputs[0], Operand::Linear(_));
        let axis = self.ragged[0];
        let mode = self.mode(axis);
        if mode != Mode::Kept {
            let which = if left { "grad_x_dims" } else { "grad_y_dims" };
            let mode = if mode == Mode::Contracted { "RAGGED_CONTRACTING" } else { "RAGGED_BATCH" };
            let message = format!("Unimplemented {which} for ragged dot general in mode {mode}.");
            return Err(Halt::raise("NotImplementedError", message));
        }
        let DotDims { lhs_contract, rhs_contract, lhs_batch, rhs_batch } = &self.dims;
        let ints = |axes: SmallVec<[usize; 4]>| axes.into_iter().map(|a| a as i64).collect::<Ints>();
        let x_kept = ints(DotDims::kept(lhs_contract, lhs_batch, x.rank()));
        let group_or_batch: Ints = rhs_batch.iter().chain(&self.group).copied().collect();
        let y_kept = ints(DotDims::kept(rhs_contract, &group_or_batch, y.rank()));
        let batch = lhs_batch.len() as i64;
        let ct_batch: Ints = (0..batch).collect();
        let ct_x: Ints = (batch..).take(x_kept.len()).collect();
        let ct_y: Ints = (batch + x_kept.len() as i64..).take(y_kept.len()).collect();
        let sorted_by = |axes: &Ints, by: &Ints| -> Ints {
            let mut pairs: Vec<(i64, i64)> = by.iter().copied().zip(axes.iter().copied()).collect();
            pairs.sort_unstable();
            pairs.into_iter().map(|pair| pair.1).collect()
        };
        let sizes = sizes.clone();
        let (primitive, given, axes, aval) = if left {
            let Operand::Known(y) = &inputs[1] else { return Ok(smallvec![None, None, None]) };
            let ragged = batch + x_kept.iter().position(|&a| a == axis).unwrap_or(0) as i64;
            let dims =
                DotDims { lhs_contract: ct_y, rhs_contract: y_kept, lhs_batch: ct_batch, rhs_batch: rhs_batch.clone() };
            let primitive = RaggedDotGeneral { dims, ragged: [ragged].into_iter().collect(), ..self.clone() };
            let axes = [lhs_batch.clone(), x_kept, sorted_by(lhs_contract, rhs_contract)].concat();
            (primitive, [ct.clone(), y.clone(), sizes], axes, x)
        } else {
            let Operand::Known(x) = &inputs[0] else { return Ok(smallvec![None, None, None]) };
            let dims =
                DotDims { lhs_contract: x_kept, rhs_contract: ct_x, lhs_batch: lhs_batch.clone(), rhs_batch: ct_batch };
            let primitive = RaggedDotGeneral { dims, group: Ints::new(), ..self.clone() };
            let axes = [self.group.clone(), rhs_batch.clone(), sorted_by(rhs_contract, lhs_contract), y_kept].concat();
            (primitive, [x.clone(), ct.clone(), sizes], axes, y)
        };
        let mut order: Vec<usize> = (0..axes.len()).collect();
        order.sort_by_key(|&i| axes[i]);
        let out = build::transpose(cx, &cx.bind1(primitive, &given)?, &order)?;
        let out =
            if out.aval.dtype == aval.dtype { out } else { build::convert_weak(cx, &out, aval.dtype, aval.weak)? };
        Ok(if left { smallvec![Some(out), None, None] } else { smallvec![None, Some(out), None] })
    }

    fn cost(&self, inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        let depth = self.dims.lhs_contract.iter().filter_map(|&axis| inputs[0].shape[axis as usize].known());
        let depth = depth.fold(1u64, |n, size| n.saturating_mul(size as u64));
        (outputs[0].size().unwrap_or(0) as u64).saturating_mul(depth).saturating_mul(2)
    }
}

/// The array once for each group, with zeros for what belongs to other groups along an axis. `prefix`: the axes along which the sizes of
/// groups may differ.
fn in_groups(x: &Tensor, axis: usize, prefix: &[usize], sizes: &Tensor) -> Step<Tensor> {
    let number = |i: usize| sizes.number(i).and_then(|n| n.as_int()).ok_or_else(|| Halt::unknown("not an integer"));
    let groups = *sizes.shape.last().ok_or_else(|| Halt::unknown("sizes of no groups"))?;
    let own = sizes.shape.len() > 1;
    let strides = row_major(&x.shape);
    let mut out = Tensor::zeros(x.dtype, [&[groups][..], &x.shape].concat().as_slice());
    let zeros = Tensor::zeros(x.dtype, x.shape.clone());
    for group in 0..groups {
        let mut mask = Vec::with_capacity(x.len());
        for element in 0..x.len() {
            let place = |axis: usize| element / strides[axis].max(1) as usize % x.shape[axis].max(1);
            let row = if own { prefix.iter().fold(0, |row, &axis| row * x.shape[axis] + place(axis)) } else { 0 };
            let mut start = 0;
            for before in 0..group {
                start += number(row * groups + before)?;
            }
            let at = place(axis) as i64;
            mask.push(start <= at && at < start + number(row * groups + group)?);
        }
        let mask = Tensor::new(x.shape.clone(), mask);
        out.put_row(group, &SelectN.eval(&[mask, zeros.clone(), x.clone()])?.swap_remove(0))?;
    }
    Ok(out)
}
