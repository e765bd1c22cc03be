//! Differentiation of the scatters.

use smallvec::smallvec;

use super::super::gather::Gather;
use super::super::indexing::Mode;
use super::super::{Operand, Tangents, build};
use super::{Combine, Scatter};
use crate::array::{DType, Dim, Shape};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val};

/// The result and its tangent.
pub fn jvp(scatter: &Scatter, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Val, Option<Val>)> {
    match scatter.combine {
        Combine::Add | Combine::Sub => {
            let out = cx.bind1(scatter.clone(), x)?;
            let (t, u) = (build::instantiate(cx, &t[0], &x[0].aval)?, build::instantiate(cx, &t[2], &x[2].aval)?);
            Ok((out, Some(cx.bind1(scatter.clone(), &[t, x[1].clone(), u])?)))
        }
        Combine::Mul => product(scatter, cx, x, t),
        Combine::Min | Combine::Max => extreme(scatter, cx, x, t),
        Combine::Set if scatter.applied.is_some() => {
            Err(Halt::raise("NotImplementedError", "scatter_apply JVP not implemented"))
        }
        Combine::Set => replace(scatter, cx, x, t),
    }
}

/// The cotangents of operand and updates.
pub fn transpose(scatter: &Scatter, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
    let (Some(ct), Operand::Known(indices)) = (&cotangents[0], &inputs[1]) else {
        return Ok(smallvec![None, None, None]);
    };
    let (for_operand, for_updates) = (inputs[0].is_linear(), inputs[2].is_linear());
    let updates = &inputs[2].aval().shape;
    let unique = |message: &str| {
        if scatter.unique_indices { Ok(()) } else { Err(Halt::raise("NotImplementedError", message)) }
    };
    let back = |ct: &Val| {
        cx.bind1(scatter.inverse(&ct.aval.shape, updates, scatter.mode).zero_filled(), &[ct.clone(), indices.clone()])
    };
    let (mut operand_ct, mut updates_ct) = (None, None);
    match scatter.combine {
        Combine::Add | Combine::Sub => {
            if for_operand {
                operand_ct = Some(ct.clone());
            }
            if for_updates {
                let got = back(ct)?;
                updates_ct = Some(if scatter.combine == Combine::Sub { build::neg(cx, &got)? } else { got });
            }
        }
        Combine::Mul => {
            if let (true, Operand::Known(values)) = (for_operand, &inputs[2]) {
                operand_ct = Some(cx.bind1(scatter.clone(), &[ct.clone(), indices.clone(), values.clone()])?);
            }
            if let (true, Operand::Known(operand)) = (for_updates, &inputs[0]) {
                unique("scatter_mul gradients are only implemented if `unique_indices=True`")?;
                updates_ct = Some(back(&build::mul(cx, ct, operand)?)?);
            }
        }
        Combine::Set => {
            unique("scatter transpose is only implemented where unique_indices=True")?;
            if for_operand {
                let zeros = build::full(cx, ct.aval.dtype, updates, 0i64)?;
                operand_ct = Some(cx.bind1(scatter.clone(), &[ct.clone(), indices.clone(), zeros])?);
            }
            if for_updates {
                updates_ct = Some(back(ct)?);
            }
        }
        Combine::Min | Combine::Max => {
            return Err(Halt::unknown(format!("no transpose rule of `{:?}` scatters", scatter.combine)));
        }
    }
    Ok(smallvec![operand_ct, None, updates_ct])
}

impl Scatter {
    /// The gather of the windows that this scatters to.
    fn inverse(&self, operand: &[Dim], updates: &[Dim], mode: Mode) -> Gather {
        let mut offset = self.dims.offset.iter();
        let one = Dim::from(1usize);
        let size = |axis| if self.dims.drops(axis) { one } else { offset.next().map_or(one, |&d| updates[d as usize]) };
        let sizes: Shape = (0..operand.len()).map(size).collect();
        Gather::new(self.dims.clone(), sizes, mode)
    }

    fn adding(&self) -> Scatter {
        Scatter {
            indices_are_sorted: self.indices_are_sorted,
            unique_indices: self.unique_indices,
            ..Scatter::new(Combine::Add, self.dims.clone(), self.mode)
        }
    }
}

fn product(scatter: &Scatter, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Val, Option<Val>)> {
    let out = cx.bind1(scatter.clone(), x)?;
    let operand = match &t[0] {
        Some(t) => Some(cx.bind1(scatter.clone(), &[t.clone(), x[1].clone(), x[2].clone()])?),
        None => None,
    };
    let updates = match &t[2] {
        Some(_) if !scatter.unique_indices => {
            let message = "scatter_mul gradients are only implemented if `unique_indices=True`";
            return Err(Halt::raise("NotImplementedError", message));
        }
        Some(t) => {
            let zeros = build::zeros_like(cx, &x[0].aval)?;
            let added = cx.bind1(scatter.adding(), &[zeros, x[1].clone(), t.clone()])?;
            Some(build::mul(cx, &x[0], &added)?)
        }
        None => None,
    };
    Ok((out, build::add_tangents(cx, operand, updates)?))
}

/// Updates that contend for one place share its tangent, together with what stood there if it is as large.
fn extreme(scatter: &Scatter, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Val, Option<Val>)> {
    let (operand, indices, updates) = (&x[0], &x[1], &x[2]);
    let out = cx.bind1(scatter.clone(), x)?;
    let operand_t = build::instantiate(cx, &t[0], &operand.aval)?;
    let updates_t = build::instantiate(cx, &t[2], &updates.aval)?;
    let inverse = scatter.inverse(&operand.aval.shape, &updates.aval.shape, Mode::PromiseInBounds);
    let gather = |x: &Val| cx.bind1(inverse.clone(), &[x.clone(), indices.clone()]);
    let adding = Scatter::new(Combine::Add, scatter.dims.clone(), Mode::FillOrDrop);
    let (ones, zeros) = (|| build::full_like(cx, &updates.aval, 1i64), || build::full_like(cx, &updates.aval, 0i64));

    let initial = gather(operand)?;
    let target = gather(&out)?;
    let successful = build::eq(cx, updates, &target)?;
    let retained = build::eq(cx, &initial, &target)?;
    // The order of these equations is that of JAX's own rule.
    let operand_zeros = build::full_like(cx, &operand.aval, 0i64)?;
    let wins = build::select(cx, &successful, &ones()?, &zeros()?)?;
    let winners = gather(&cx.bind1(adding.clone(), &[operand_zeros, indices.clone(), wins])?)?;
    let operand_zeros = build::full_like(cx, &operand.aval, 0i64)?;
    let references = gather(&cx.bind1(adding.clone(), &[operand_zeros, indices.clone(), ones()?])?)?;

    let one = build::scalar_like(cx, &winners, 1i64);
    let shared = || build::div(cx, &one, &build::add(cx, &winners, &one)?);
    let with_old = shared()?;
    let without_old = build::div(cx, &one, &winners)?;
    let normalizer = build::select(cx, &retained, &with_old, &without_old)?;
    let updates_share = build::select(cx, &successful, &normalizer, &zeros()?)?;
    let kept = build::select(cx, &retained, &shared()?, &build::full_like(cx, &winners.aval, 0i64)?)?;
    let minus_one = build::scalar_like(cx, &winners, -1i64);
    let operand_share = build::div(cx, &build::add(cx, &minus_one, &kept)?, &references)?;
    let old = build::mul(cx, &gather(&operand_t)?, &operand_share)?;
    let change = build::add(cx, &old, &build::mul(cx, &updates_t, &updates_share)?)?;
    let tangent = cx.bind1(scatter.adding(), &[operand_t, indices.clone(), change])?;
    Ok((out, Some(tangent)))
}

/// Where updates contend for a place, which one wins is found by scattering their numbers.
fn replace(scatter: &Scatter, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Val, Option<Val>)> {
    let (operand, indices, updates) = (&x[0], &x[1], &x[2]);
    let operand_t = build::instantiate(cx, &t[0], &operand.aval)?;
    let updates_t = build::instantiate(cx, &t[2], &updates.aval)?;
    if scatter.unique_indices {
        let out = cx.bind1(scatter.clone(), x)?;
        return Ok((out, Some(cx.bind1(scatter.clone(), &[operand_t, indices.clone(), updates_t])?)));
    }
    let mut shape = updates.aval.shape.clone();
    for &axis in &scatter.dims.offset {
        let size = shape.get_mut(axis as usize);
        *size.ok_or_else(|| Halt::raise("IndexError", "list assignment index out of range"))? = Dim::from(1usize);
    }
    let total: Dim = shape.iter().copied().product();
    let dtype = if total.known().is_some_and(|n| u32::try_from(n).is_err()) { DType::U64 } else { DType::U32 };
    let numbers = build::reshape(cx, &build::iota(cx, dtype, &[total], 0)?, &shape)?;
    let ids = build::add(cx, &numbers, &build::full(cx, dtype, &updates.aval.shape, 1i64)?)?;
    let nobody = build::full(cx, dtype, &operand.aval.shape, 0i64)?;
    let winners = cx.bind1(scatter.clone(), &[nobody, indices.clone(), ids.clone()])?;
    let inverse = scatter.inverse(&operand.aval.shape, &updates.aval.shape, Mode::PromiseInBounds);
    let seen = cx.bind1(inverse, &[winners.clone(), indices.clone()])?;

    let old = |x: &Val| -> Step<Val> {
        let untouched = build::eq(cx, &winners, &build::full_like(cx, &winners.aval, 0i64)?)?;
        build::select(cx, &untouched, x, &build::full_like(cx, &x.aval, 0i64)?)
    };
    let new = |u: &Val| -> Step<Val> {
        let wins = build::eq(cx, &ids, &seen)?;
        build::select(cx, &wins, u, &build::full_like(cx, &u.aval, 0i64)?)
    };
    let (operand, updates, operand_t, updates_t) = (old(operand)?, new(updates)?, old(&operand_t)?, new(&updates_t)?);
    let out = cx.bind1(scatter.adding(), &[operand, indices.clone(), updates])?;
    let tangent = cx.bind1(scatter.adding(), &[operand_t, indices.clone(), updates_t])?;
    Ok((out, Some(tangent)))
}
