//! `psum`, `pmax`, `pmin` and `axis_index`.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::{Across, across, check_names, check_varying, effects, names, names_axis, show_names};
use crate::array::{Aval, DType, Tensor};
use crate::primitives::{
    Avals, Axes, Dims, Operand, Param, ParamValue, Params, Primitive, Tangents, build, from_params, missing, repr,
    rules,
};
use crate::python::{Halt, Step};
use crate::trace::{Axis, Effects, Engine, Val, Vals};

/// How numbers become one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Fold {
    Sum,
    Max,
    Min,
}

/// `psum`, `pmax`, `pmin`
#[derive(Clone, Debug)]
pub struct ReduceAcross {
    /// Which of them.
    pub fold: Fold,
    /// Across which axes.
    pub axes: Vec<Across>,
    /// Groups of positions along the named axis.
    pub groups: ParamValue,
}

impl ReduceAcross {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let fold = match params.primitive {
            "psum" => Fold::Sum,
            "pmax" => Fold::Max,
            _ => Fold::Min,
        };
        let groups = params.get("axis_index_groups").cloned().unwrap_or(ParamValue::None);
        Ok(Rc::new(ReduceAcross { fold, axes: across(params, "axes")?.0, groups }))
    }

    fn names(&self) -> Vec<Rc<str>> {
        let name = |axis: &Across| match axis {
            Across::Name(name) => Some(name.clone()),
            Across::Position(_) => None,
        };
        self.axes.iter().filter_map(name).collect()
    }

    fn positions(&self) -> Axes {
        let position = |axis: &Across| match axis {
            Across::Position(axis) => Some(*axis),
            Across::Name(_) => None,
        };
        self.axes.iter().filter_map(position).collect()
    }

    fn over(&self, axes: Vec<Across>) -> ReduceAcross {
        ReduceAcross { axes, ..self.clone() }
    }

    /// The axes for an array with a batch axis in front.
    fn shifted(&self, batch: impl Fn(&Rc<str>) -> Across) -> Vec<Across> {
        let one = |axis: &Across| match axis {
            Across::Position(axis) => Across::Position(axis + 1),
            Across::Name(name) => batch(name),
        };
        self.axes.iter().map(one).collect()
    }

    fn has_groups(&self) -> bool {
        !matches!(self.groups, ParamValue::None)
    }
}

impl Primitive for ReduceAcross {
    fn name(&self) -> &'static str {
        match self.fold {
            Fold::Sum => "psum",
            Fold::Max => "pmax",
            Fold::Min => "pmin",
        }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let axes = repr::tuple(self.axes.iter().map(|axis| match axis {
            Across::Name(name) => format!("'{name}'"),
            Across::Position(axis) => axis.to_string(),
        }));
        vec![("axes", Param::Text(axes)), ("axis_index_groups", Param::Text(repr::value(&self.groups)))]
    }

    fn effects(&self) -> Effects {
        effects(self.names().len())
    }

    fn batches_always(&self) -> bool {
        true
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let positions = self.positions();
        if self.has_groups() && !positions.is_empty() {
            return Err(Halt::value_error(
                "axis_index_groups can only be used with reductions over named axes, but got: an axis of the array",
            ));
        }
        if positions.iter().any(|&axis| axis >= inputs[0].rank()) {
            return Err(Halt::unknown("a collective over an axis that the array does not have"));
        }
        let kept = inputs[0].shape.iter().enumerate().filter(|(axis, _)| !positions.contains(axis));
        Ok(smallvec![Aval::with_shape(inputs[0].dtype, kept.map(|(_, size)| *size).collect())])
    }

    fn abstract_eval_in(&self, cx: &Engine, inputs: &[&Aval]) -> Step<Avals> {
        check_varying(cx, &self.names(), "psum")?;
        self.abstract_eval(inputs)
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        if !self.names().is_empty() {
            return Err(Halt::unknown("numbers of other devices"));
        }
        let name = match self.fold {
            Fold::Sum => "reduce_sum",
            Fold::Max => "reduce_max",
            Fold::Min => "reduce_min",
        };
        let axes = self.positions().iter().map(|&axis| ParamValue::Int(axis as i64)).collect();
        from_params(name, [("axes".into(), ParamValue::Tuple(axes))])?.eval(inputs)
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        if self.fold != Fold::Sum {
            return Err(missing::jvp(self.name()));
        }
        rules::linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(cotangents, inputs, |ct, aval| {
            let positions = self.positions();
            let mut ct = ct.clone();
            if !positions.is_empty() {
                let kept: Axes = (0..aval.rank()).filter(|axis| !positions.contains(axis)).collect();
                ct = build::broadcast_in_dim(cx, &ct, &aval.shape, &kept)?;
            }
            // A sum across devices is a sum and a copy to each, and so is its transpose.
            let names = self.names().into_iter().map(Across::Name).collect();
            cx.bind1(self.over(names), &[ct])
        })
    }

    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let x = &inputs[0];
        let named = names_axis(&self.names(), axis);
        let is_axis = |name: &Rc<str>| axis.name.as_ref() == Some(name);
        let Some(dim) = dims[0] else {
            if !named {
                return Ok((cx.bind(Rc::new(self.clone()), inputs)?, smallvec![None]));
            }
            if self.has_groups() {
                return Err(Halt::raise("NotImplementedError", ""));
            }
            let others: Vec<Across> = self
                .axes
                .iter()
                .filter(|other| !matches!(other, Across::Name(name) if is_axis(name)))
                .cloned()
                .collect();
            let mut out = x.clone();
            if !others.is_empty() {
                out = cx.bind1(self.over(others), &[out])?;
            }
            if self.fold == Fold::Sum {
                out = build::mul(cx, &build::scalar_like(cx, &out, axis.size.get()? as i64), &out)?;
            }
            return Ok((smallvec![out], smallvec![None]));
        };
        if !named && self.positions().is_empty() {
            return Ok((cx.bind(Rc::new(self.clone()), inputs)?, smallvec![Some(dim)]));
        }
        if self.has_groups() {
            return Err(Halt::raise(
                "NotImplementedError",
                "axis_index_groups not supported in vmap collectives. Please open a feature request!",
            ));
        }
        let x = rules::move_to_front(cx, x, dim)?;
        let axes = self.shifted(|name| if is_axis(name) { Across::Position(0) } else { Across::Name(name.clone()) });
        let out = cx.bind1(self.over(axes), &[x])?;
        Ok((smallvec![out], smallvec![if named { None } else { Some(0) }]))
    }
}

/// `axis_index`
#[derive(Clone, Debug)]
pub struct AxisIndex {
    names: Vec<Rc<str>>,
    tuple: bool,
}

impl AxisIndex {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let (names, tuple) = names(params, "axis_name")?;
        Ok(Rc::new(AxisIndex { names, tuple }))
    }
}

impl Primitive for AxisIndex {
    fn name(&self) -> &'static str {
        "axis_index"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("axis_name", Param::Text(show_names(&self.names, self.tuple)))]
    }

    fn effects(&self) -> Effects {
        effects(self.names.len())
    }

    fn batches_always(&self) -> bool {
        true
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(smallvec![Aval::scalar(DType::I32, false)])
    }

    fn abstract_eval_in(&self, cx: &Engine, inputs: &[&Aval]) -> Step<Avals> {
        check_names(cx, &self.names, "axis_index")?;
        self.abstract_eval(inputs)
    }

    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], _: &[Option<usize>]) -> Step<(Vals, Dims)> {
        if !names_axis(&self.names, axis) {
            return Ok((cx.bind(Rc::new(self.clone()), inputs)?, smallvec![None]));
        }
        Ok(rules::batched(build::iota(cx, DType::I32, &[axis.size], 0)?, 0))
    }
}
