//! `ragged_dot_general`: products of groups of rows. Its numbers are not computed.

use std::rc::Rc;

use smallvec::smallvec;

use super::dot_general::{DotDims, result_dtype};
use super::indexing::Ints;
use super::precision::Precision;
use super::{Avals, Param, ParamValue, Params, Primitive, repr, rules};
use crate::array::{Aval, DType, Dim};
use crate::python::{Halt, Step};

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

    fn cost(&self, inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        let depth = self.dims.lhs_contract.iter().filter_map(|&axis| inputs[0].shape[axis as usize].known());
        let depth = depth.fold(1u64, |n, size| n.saturating_mul(size as u64));
        (outputs[0].size().unwrap_or(0) as u64).saturating_mul(depth).saturating_mul(2)
    }
}
