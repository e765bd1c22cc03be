//! `all_gather` and `reduce_scatter`, transposes of each other, and `all_gather_invariant`.

use std::rc::Rc;

use smallvec::smallvec;

use super::{check_names, effects, fold_axis, names, names_axis, show_names, split_axis};
use crate::array::{Aval, Dim};
use crate::primitives::{Avals, Dims, Operand, Param, ParamValue, Params, Primitive, Tangents, build, repr, rules};
use crate::python::{Halt, Step};
use crate::trace::{Axis, Effects, Engine, Val, Vals};

/// `all_gather`, or `reduce_scatter`.
#[derive(Clone, Debug)]
pub struct GatherAcross {
    /// Whether it gathers, else it sums and scatters.
    pub gathers: bool,
    /// Whether what is gathered is known to be alike on all devices (`all_gather_invariant`).
    pub alike: bool,
    /// Across which axes.
    pub names: Vec<Rc<str>>,
    /// Elements of them together.
    pub size: usize,
    /// The axis of the array that parts are laid along.
    pub dimension: usize,
    /// Whether parts are joined along it, else it is an axis of its own.
    pub tiled: bool,
    /// Groups of positions along the named axis.
    pub groups: ParamValue,
}

impl GatherAcross {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let gathers = params.primitive != "reduce_scatter";
        Ok(Rc::new(GatherAcross {
            gathers,
            alike: params.primitive == "all_gather_invariant",
            names: names(params, "axis_name")?.0,
            size: params.index("axis_size")?,
            dimension: params.index(if gathers { "all_gather_dimension" } else { "scatter_dimension" })?,
            tiled: params.flag("tiled")?,
            groups: params.get("axis_index_groups").cloned().unwrap_or(ParamValue::None),
        }))
    }
}

impl Primitive for GatherAcross {
    fn name(&self) -> &'static str {
        match (self.gathers, self.alike) {
            (true, true) => "all_gather_invariant",
            (true, false) => "all_gather",
            (false, _) => "reduce_scatter",
        }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let dimension = if self.gathers { "all_gather_dimension" } else { "scatter_dimension" };
        let mut params = vec![
            ("axis_name", Param::Text(show_names(&self.names, true))),
            ("axis_size", Param::Text(self.size.to_string())),
            (dimension, Param::Text(self.dimension.to_string())),
            ("tiled", Param::Text(repr::flag(self.tiled).into())),
        ];
        if !self.alike {
            params.push(("axis_index_groups", Param::Text(repr::value(&self.groups))));
        }
        params.sort_by_key(|(name, _)| *name);
        params
    }

    fn effects(&self) -> Effects {
        effects(self.names.len())
    }

    fn batches_always(&self) -> bool {
        true
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (mut out, axis, size) = (inputs[0].clone(), self.dimension, Dim::from(self.size));
        let rank = out.rank() + usize::from(self.gathers && !self.tiled);
        if axis >= rank {
            return Err(Halt::raise("IndexError", "list index out of range"));
        }
        match (self.gathers, self.tiled) {
            (true, true) => out.shape[axis] = out.shape[axis] * size,
            (true, false) => out.shape.insert(axis, size),
            (false, true) => {
                let given = out.shape[axis];
                if !given.modulo(size)?.same(Dim::from(0usize))? {
                    return Err(Halt::value_error(format!(
                        "tiled reduce_scatter operand scatter dimension size {given} must be divisible by shard_count {size}"
                    )));
                }
                out.shape[axis] = given.floor_div(size)?;
            }
            (false, false) => {
                let given = out.shape.remove(axis);
                if !given.same(size)? {
                    return Err(Halt::value_error(format!(
                        "reduce_scatter operand scatter dimension size {given} must match shard count {size}"
                    )));
                }
            }
        }
        Ok(smallvec![out])
    }

    fn abstract_eval_in(&self, cx: &Engine, inputs: &[&Aval]) -> Step<Avals> {
        check_names(cx, &self.names, self.name())?;
        self.abstract_eval(inputs)
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        if self.alike {
            return Err(Halt::unknown("no transpose of `all_gather_invariant` yet"));
        }
        let other = GatherAcross { gathers: !self.gathers, ..self.clone() };
        rules::transpose_one(cotangents, inputs, |ct, _| cx.bind1(other, &[ct.clone()]))
    }

    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let (x, at) = (&inputs[0], self.dimension);
        if !names_axis(&self.names, axis) {
            let mut moved = self.clone();
            let dim = dims[0].map(|dim| {
                let before = dim <= at;
                moved.dimension += usize::from(before);
                match (before || self.tiled, self.gathers) {
                    (true, _) => dim,
                    // The axis of the parts is new, or gone, before the batch axis.
                    (false, true) => dim + 1,
                    (false, false) => dim - 1,
                }
            });
            return Ok((cx.bind(Rc::new(moved), inputs)?, smallvec![dim]));
        }
        if !matches!(self.groups, ParamValue::None) {
            return Err(Halt::raise("NotImplementedError", "axis_index_groups not supported in vmap"));
        }
        if self.names.len() > 1 {
            return Err(Halt::raise("NotImplementedError", "Please open a feature request!"));
        }
        let size = axis.size;
        if self.gathers {
            let out = match dims[0] {
                Some(dim) => build::move_axis(cx, x, dim, at)?,
                None => rules::insert_axis(cx, x, at, size)?,
            };
            let out = if self.tiled { fold_axis(cx, &out, at)? } else { out };
            return Ok((smallvec![out], smallvec![None]));
        }
        let out = match dims[0] {
            Some(dim) => build::reduce_sum(cx, x, &[dim])?,
            None => build::mul(cx, x, &build::scalar_like(cx, x, axis.size.get()? as i64))?,
        };
        let out = if self.tiled { split_axis(cx, &out, at, size)? } else { out };
        Ok(rules::batched(out, at))
    }
}
