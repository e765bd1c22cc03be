//! `ppermute`, `pbroadcast` and `all_to_all`: parts that change places.

use std::rc::Rc;

use smallvec::smallvec;

use super::{check_names, check_varying, effects, fold_axis, names, names_axis, show_names, split_axis};
use crate::array::{Aval, DType, Dim, Tensor};
use crate::primitives::gather::Gather;
use crate::primitives::indexing::{Ints, Mode, WindowDims};
use crate::primitives::{Avals, Dims, Operand, Param, ParamValue, Params, Primitive, Tangents, build, repr, rules};
use crate::python::{Halt, Step};
use crate::trace::{Axis, Effects, Engine, Val, Vals};

/// `ppermute` with pairs of source and destination, or `pbroadcast` from one source.
#[derive(Clone, Debug)]
pub struct Permute {
    names: Vec<Rc<str>>,
    tuple: bool,
    how: How,
}

#[derive(Clone, Debug)]
enum How {
    Pairs(Vec<(i64, i64)>),
    Source(usize),
}

impl Permute {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let (names, tuple) = names(params, "axis_name")?;
        let how = if params.primitive == "pbroadcast" {
            How::Source(params.index("source")?)
        } else {
            let pair = |value: &ParamValue| match value.as_tuple()? {
                [from, to] => Some((from.as_int()?, to.as_int()?)),
                _ => None,
            };
            let pairs: Option<Vec<_>> = params.tuple("perm")?.iter().map(pair).collect();
            How::Pairs(pairs.ok_or_else(|| Halt::unknown("an odd `perm` of `ppermute`"))?)
        };
        Ok(Rc::new(Permute { names, tuple, how }))
    }
}

impl Primitive for Permute {
    fn name(&self) -> &'static str {
        match self.how {
            How::Pairs(_) => "ppermute",
            How::Source(_) => "pbroadcast",
        }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let names = ("axis_name", Param::Text(show_names(&self.names, self.tuple)));
        let how = match &self.how {
            How::Pairs(pairs) => ("perm", repr::tuple(pairs.iter().map(|&(from, to)| repr::tuple([from, to])))),
            How::Source(source) => ("source", source.to_string()),
        };
        vec![names, (how.0, Param::Text(how.1))]
    }

    fn effects(&self) -> Effects {
        effects(self.names.len())
    }

    fn batches_always(&self) -> bool {
        true
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        Ok(smallvec![inputs[0].clone()])
    }

    fn abstract_eval_in(&self, cx: &Engine, inputs: &[&Aval]) -> Step<Avals> {
        check_varying(cx, &self.names, "ppermute")?;
        self.abstract_eval(inputs)
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let How::Pairs(pairs) = &self.how else {
            return Err(Halt::unknown("no transpose rule of `pbroadcast` yet"));
        };
        let how = How::Pairs(pairs.iter().map(|&(from, to)| (to, from)).collect());
        let back = Permute { how, tuple: true, ..self.clone() };
        rules::transpose_one(cotangents, inputs, |ct, _| cx.bind1(back, &[ct.clone()]))
    }

    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        if !names_axis(&self.names, axis) {
            let same = Permute { tuple: true, ..self.clone() };
            return Ok((cx.bind(Rc::new(same), inputs)?, smallvec![dims[0]]));
        }
        let others: Vec<Rc<str>> =
            self.names.iter().filter(|&name| axis.name.as_ref() != Some(name)).cloned().collect();
        if !others.is_empty() {
            if matches!(self.how, How::Source(_)) {
                return Err(Halt::raise("NotImplementedError", "pbroadcast batcher only supports a single axis"));
            }
            let rest = Permute { names: others, tuple: true, ..self.clone() };
            return Ok((cx.bind(Rc::new(rest), inputs)?, smallvec![dims[0]]));
        }
        let size = axis.size.get()?;
        let from = match &self.how {
            How::Pairs(pairs) if axis.of_devices => sent(cx, pairs, size),
            How::Pairs(pairs) => permuted(pairs, size)?,
            How::Source(source) if *source >= size => {
                return Err(Halt::raise("AssertionError", "collective broadcast doesn't fit in the axis size!"));
            }
            How::Source(source) => vec![*source as i32; size],
        };
        // A device that nothing is sent to has zeros.
        let is_partial = axis.of_devices && from.contains(&NOWHERE);
        let (x, dim) = match dims[0] {
            Some(dim) => (inputs[0].clone(), dim),
            None if is_partial => (build::broadcast(cx, &inputs[0], &[axis.size])?, 0),
            None => return Ok((inputs.into(), smallvec![None])),
        };
        let fill = if is_partial { ParamValue::Int(0) } else { nan_or_none(x.aval.dtype) };
        Ok(rules::batched(take(cx, &x, from, dim, fill)?, dim))
    }
}

/// The position of nothing.
const NOWHERE: i32 = i32::MAX;

/// A position that may count from the end.
fn position(index: i64, size: usize) -> Option<usize> {
    let index = if index < 0 { index + size as i64 } else { index };
    usize::try_from(index).ok().filter(|index| *index < size)
}

/// From where each element of a mapped axis comes.
fn permuted(pairs: &[(i64, i64)], size: usize) -> Step<Vec<i32>> {
    if pairs.len() != size {
        return Err(Halt::raise("AssertionError", "Permutation doesn't match the axis size!"));
    }
    let mut from = vec![0i32; size];
    for &(source, to) in pairs {
        let Some(to) = position(to, size) else {
            let message = format!("index {to} is out of bounds for axis 0 with size {size}");
            return Err(Halt::raise("IndexError", message));
        };
        from[to] = position(source, size).map_or(NOWHERE, |source| source as i32);
    }
    Ok(from)
}

/// From where each device is sent something. What is odd is refused where it is compiled.
fn sent(cx: &Engine, pairs: &[(i64, i64)], size: usize) -> Vec<i32> {
    let twice = |of: fn(&(i64, i64)) -> i64| {
        let mut all: Vec<i64> = pairs.iter().map(of).collect();
        all.sort_unstable();
        all.windows(2).any(|pair| pair[0] == pair[1])
    };
    if twice(|pair| pair.0) || twice(|pair| pair.1) {
        let shown = repr::tuple(pairs.iter().map(|&(from, to)| repr::tuple([from, to])));
        cx.refuse(Halt::value_error(format!("ppermute sources and destinations must be unique, got {shown}.")));
    }
    let mut from = vec![NOWHERE; size];
    for &(source, to) in pairs {
        match (position(source, size), position(to, size)) {
            (Some(source), Some(to)) => from[to] = source as i32,
            _ => cx.refuse(Halt::raise("IndexError", "list index out of range")),
        }
    }
    from
}

/// The elements along an axis at these positions.
fn take(cx: &Engine, x: &Val, positions: Vec<i32>, axis: usize, fill_value: ParamValue) -> Step<Val> {
    let count = positions.len();
    let indices = cx.constant(Tensor::new([count, 1].as_slice(), positions));
    let one: Ints = smallvec![axis as i64];
    let dims = WindowDims {
        offset: (0..x.aval.rank() as i64).filter(|&i| i != axis as i64).collect(),
        collapsed: one.clone(),
        start_map: one,
        ..WindowDims::default()
    };
    let mut slices = x.aval.shape.clone();
    slices[axis] = Dim::from(1usize);
    let gather = Gather { fill_value, ..Gather::new(dims, slices, Mode::FillOrDrop) };
    cx.bind1(gather, &[x.clone(), indices])
}

/// What `jnp.take` fills with.
fn nan_or_none(dtype: DType) -> ParamValue {
    if dtype.is_inexact() { ParamValue::Float(f64::NAN) } else { ParamValue::None }
}

/// `all_to_all`
#[derive(Clone, Debug)]
pub struct AllToAll {
    names: Vec<Rc<str>>,
    tuple: bool,
    split: usize,
    concat: usize,
    tiled: bool,
    groups: ParamValue,
}

impl AllToAll {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let (names, tuple) = names(params, "axis_name")?;
        Ok(Rc::new(AllToAll {
            names,
            tuple,
            split: params.index("split_axis")?,
            concat: params.index("concat_axis")?,
            tiled: params.flag("tiled")?,
            groups: params.get("axis_index_groups").cloned().unwrap_or(ParamValue::None),
        }))
    }

    fn shape(&self, aval: &Aval, size: Dim) -> Step<Aval> {
        let mut out = Aval { weak: false, ..aval.clone() };
        if self.split.max(self.concat) >= aval.rank() {
            return Err(Halt::raise("IndexError", "list index out of range"));
        }
        if !out.shape[self.split].modulo(size)?.same(Dim::from(0usize))? {
            return Err(Halt::raise("AssertionError", format!("({}, {size})", out.shape[self.split])));
        }
        out.shape[self.split] = out.shape[self.split].floor_div(size)?;
        out.shape[self.concat] = out.shape[self.concat] * size;
        Ok(out)
    }
}

impl Primitive for AllToAll {
    fn name(&self) -> &'static str {
        "all_to_all"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("axis_index_groups", Param::Text(repr::value(&self.groups))),
            ("axis_name", Param::Text(show_names(&self.names, self.tuple))),
            ("concat_axis", Param::Text(self.concat.to_string())),
            ("split_axis", Param::Text(self.split.to_string())),
            ("tiled", Param::Text(repr::flag(self.tiled).into())),
        ]
    }

    fn effects(&self) -> Effects {
        effects(self.names.len())
    }

    fn batches_always(&self) -> bool {
        true
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Err(Halt::unknown("`all_to_all` across an axis of unknown size"))
    }

    fn abstract_eval_in(&self, cx: &Engine, inputs: &[&Aval]) -> Step<Avals> {
        check_names(cx, &self.names, "all_to_all")?;
        let size = match self.groups.as_tuple() {
            Some(groups) => groups.first().and_then(ParamValue::as_tuple).map_or(1, <[_]>::len),
            None => self.names.iter().filter_map(|name| cx.axis_size(name)).map(Dim::get).product::<Step<usize>>()?,
        };
        Ok(smallvec![self.shape(inputs[0], Dim::from(size))?])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let back = AllToAll { split: self.concat, concat: self.split, ..self.clone() };
        rules::transpose_one(cotangents, inputs, |ct, _| cx.bind1(back, &[ct.clone()]))
    }

    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        if !matches!(self.groups, ParamValue::None) {
            return Err(Halt::raise("NotImplementedError", "Please open a feature request!"));
        }
        if !names_axis(&self.names, axis) {
            let mut moved = self.clone();
            if let Some(dim) = dims[0] {
                moved.split += usize::from(dim <= self.split);
                moved.concat += usize::from(dim <= self.concat);
            }
            return Ok((cx.bind(Rc::new(moved), inputs)?, smallvec![dims[0]]));
        }
        if self.names.len() > 1 {
            return Err(Halt::unknown("`all_to_all` across several axes"));
        }
        let size = axis.size;
        let (x, dim) = match dims[0] {
            Some(dim) => (inputs[0].clone(), dim),
            None => (build::broadcast(cx, &inputs[0], &[size])?, 0),
        };
        if self.split == self.concat {
            let at = self.split + usize::from(dim <= self.split);
            let x = split_axis(cx, &x, at, size)?;
            let other = dim + usize::from(at <= dim);
            let mut order: Vec<usize> = (0..x.aval.rank()).collect();
            order.swap(other, at);
            let x = build::transpose(cx, &x, &order)?;
            return Ok(rules::batched(fold_axis(cx, &x, at)?, dim));
        }
        let x = build::move_axis(cx, &x, dim, self.concat)?;
        let x = fold_axis(cx, &x, self.concat)?;
        Ok(rules::batched(split_axis(cx, &x, self.split, size)?, self.split))
    }
}
