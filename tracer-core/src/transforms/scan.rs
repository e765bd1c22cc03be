//! `scan`: a graph along an axis, with a carry.

use std::rc::Rc;

use smallvec::SmallVec;

use super::graphs::{JvpJaxpr, Placement, batch_jaxpr, jvp_jaxpr};
use super::split::{hoist, linearize_jaxpr, partial_eval_jaxpr};
use super::{backward, calls, dce, eval, jvp, trace_to_jaxpr, vmap, zeros};
use crate::array::{Aval, Dim, Tensor};
use crate::primitives::{Avals, Dims, Operand, Param, Params, Primitive, Pruned, Tangents, build};
use crate::python::{Halt, Step};
use crate::trace::memo::Request;
use crate::trace::{Axis, ClosedJaxpr, Digest, Effects, Engine, Jaxpr, TraceRef, Val, Vals};

/// A graph along an axis, with a carry.
#[derive(Clone, Debug)]
pub struct Scan {
    /// From constants, carry and one slice of each scanned input to carry and one slice of each stacked result.
    pub jaxpr: ClosedJaxpr,
    /// The number of steps.
    pub length: Dim,
    /// Whether it runs from the end.
    pub reverse: bool,
    /// The first inputs are constants.
    pub num_consts: usize,
    /// The next ones are the carry.
    pub num_carry: usize,
    /// How many steps a compiled iteration has.
    pub unroll: i64,
}

/// Makes it from keyword parameters.
///
/// # Errors
/// Unknown where they do not fit.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    Ok(Rc::new(Scan {
        jaxpr: calls::graph(params, "jaxpr")?,
        length: params.dim("length")?,
        reverse: params.flag("reverse")?,
        num_consts: params.index("num_consts")?,
        num_carry: params.index("num_carry")?,
        unroll: params.int("unroll")?,
    }))
}

/// A stacked type.
fn stacked(aval: &Aval, length: Dim) -> Aval {
    let mut aval = aval.clone();
    aval.shape.insert(0, length);
    aval
}

fn or(a: &mut [bool], b: &[bool]) -> bool {
    let mut changed = false;
    for (a, b) in a.iter_mut().zip(b) {
        changed |= *b && !*a;
        *a |= *b;
    }
    changed
}

fn count(flags: &[bool]) -> usize {
    flags.iter().filter(|f| **f).count()
}

impl Scan {
    fn outs(&self) -> usize {
        self.jaxpr.jaxpr.outvars.len()
    }
    /// The carry among flags of the inputs.
    fn carry(&self) -> std::ops::Range<usize> {
        self.num_consts..self.num_consts + self.num_carry
    }
    fn of(&self, jaxpr: ClosedJaxpr, num_consts: usize, num_carry: usize) -> Rc<dyn Primitive> {
        Rc::new(Scan { jaxpr, num_consts, num_carry, ..self.clone() })
    }
    /// Flags of results that force those of a carry.
    fn forced(&self, carry: &[bool]) -> Vec<bool> {
        let mut flags = carry.to_vec();
        flags.resize(self.outs(), false);
        flags
    }
    /// Repeats a step that finds flags of results until those of the carry no longer grow.
    fn fixpoint<T>(&self, flags: &mut [bool], step: impl Fn(&[bool], &[bool]) -> Step<(T, Vec<bool>)>) -> Step<T> {
        loop {
            let forced = self.forced(&flags[self.carry()]);
            let (found, results) = step(flags, &forced)?;
            if !or(&mut flags[self.carry()], &results[..self.num_carry]) {
                return Ok(found);
            }
        }
    }
}

impl Scan {
    /// Runs the rounds.
    fn run_rounds(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let first_x = self.num_consts + self.num_carry;
        let mut carry: SmallVec<[Tensor; 8]> = inputs[self.num_consts..first_x].into();
        let mut stacks = Vec::new();
        for aval in &self.abstract_eval(&[])?[self.num_carry..] {
            let shape = aval.known_shape().ok_or_else(|| Halt::unknown("a size is symbolic"))?;
            stacks.push(Tensor::zeros(aval.dtype, shape));
        }
        let mut rounds = eval::Rounds::new(cx, &self.jaxpr);
        let mut all: Vec<Tensor> = Vec::with_capacity(inputs.len());
        let length = self.length.get()?;
        for step in 0..length {
            let at = if self.reverse { length - 1 - step } else { step };
            all.extend(inputs[..self.num_consts].iter().cloned().chain(carry.drain(..)));
            for x in &inputs[first_x..] {
                all.push(x.row(at));
            }
            rounds.run(cx, &mut all, step, |i, result| {
                match i.checked_sub(self.num_carry) {
                    None => carry.push(result),
                    Some(i) => {
                        stacks[i].put_row(at, &result)?;
                        result.recycle();
                    }
                }
                Ok(())
            })?;
        }
        Ok(carry.into_iter().chain(stacks).collect())
    }
}

impl Primitive for Scan {
    fn name(&self) -> &'static str {
        "scan"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("jaxpr", Param::Graph(self.jaxpr.jaxpr.clone())),
            ("length", Param::Text(self.length.to_string())),
            ("num_carry", Param::Text(self.num_carry.to_string())),
            ("num_consts", Param::Text(self.num_consts.to_string())),
            ("reverse", Param::Text(if self.reverse { "True" } else { "False" }.into())),
            ("unroll", Param::Text(self.unroll.to_string())),
        ]
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        let outs = self.jaxpr.jaxpr.out_avals().enumerate();
        Ok(outs.map(|(i, a)| if i < self.num_carry { a.clone() } else { stacked(a, self.length) }).collect())
    }
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        eval::compiled(cx, || self.run_rounds(cx, inputs))
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let mut nonzero: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let found: JvpJaxpr = self.fixpoint(&mut nonzero, |nonzero, forced| {
            let found = jvp_jaxpr(cx, &self.jaxpr, nonzero, forced)?;
            let results = found.nonzero.clone();
            Ok((found, results))
        })?;
        let mut dots: Vec<Option<Val>> = Vec::new();
        for ((tangent, nz), primal) in tangents.iter().zip(&nonzero).zip(primals) {
            dots.push(if *nz { Some(jvp::instantiate(cx, tangent.clone(), primal)?) } else { None });
        }
        let (c, k) = (self.num_consts, self.num_consts + self.num_carry);
        let dot = |range: std::ops::Range<usize>| dots[range].iter().flatten().cloned().collect::<Vec<Val>>();
        let (c_dot, i_dot, x_dot) = (dot(0..c), dot(c..k), dot(k..primals.len()));
        let ys = self.outs() - self.num_carry;
        let ys_dot = count(&found.nonzero) - i_dot.len();
        let jaxpr = calls::interleave(
            &found.jaxpr,
            &[(c, c_dot.len()), (self.num_carry, i_dot.len()), (primals.len() - k, x_dot.len())],
            &[(self.num_carry, i_dot.len()), (ys, ys_dot)],
        );
        let inputs = [&primals[..c], &c_dot, &primals[c..k], &i_dot, &primals[k..], &x_dot].concat();
        let out = cx.bind(self.of(jaxpr, c + c_dot.len(), self.num_carry + i_dot.len()), &inputs)?;
        let (a, b) = (self.num_carry, self.num_carry + i_dot.len());
        let results: Vals = out[..a].iter().chain(&out[b..b + ys]).cloned().collect();
        let tangents: Vec<Val> = out[a..b].iter().chain(&out[b + ys..]).cloned().collect();
        Ok((results, calls::spread(&found.nonzero, tangents)))
    }
    fn linearize(
        &self,
        cx: &Engine,
        tape: &TraceRef,
        primals: &[Val],
        tangents: &[Option<Val>],
    ) -> Option<Step<(Vals, Tangents)>> {
        Some(self.linearized(cx, tape, primals, tangents))
    }
    fn partial_eval(&self, cx: &Engine, tape: &TraceRef, inputs: &[Val], unknown: &[bool]) -> Option<Step<Vals>> {
        Some(self.split(cx, tape, inputs, unknown))
    }
    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        self.transposed(cx, cotangents, inputs)
    }
    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let mut batched: Vec<bool> = dims.iter().map(Option::is_some).collect();
        let was = batched.clone();
        let found = self.fixpoint(&mut batched, |batched, forced| {
            let dims: Vec<Option<usize>> = batched.iter().map(|b| b.then_some(0)).collect();
            let found = batch_jaxpr(cx, &self.jaxpr, axis, &dims, Placement::Front(forced))?;
            let results = found.dims.iter().map(Option::is_some).collect();
            Ok((found, results))
        })?;
        let mut moved = Vec::new();
        for (i, (value, dim)) in inputs.iter().zip(dims).enumerate() {
            let to = usize::from(i >= self.num_consts + self.num_carry);
            moved.push(match dim {
                Some(dim) => build::move_axis(cx, value, *dim, to)?,
                None if batched[i] && !was[i] => vmap::insert(cx, value, axis.size, 0)?,
                None => value.clone(),
            });
        }
        let out_dims = found.dims.iter().enumerate();
        let out_dims = out_dims.map(|(i, d)| d.map(|_| usize::from(i >= self.num_carry))).collect();
        Ok((cx.bind(self.of(found.jaxpr, self.num_consts, self.num_carry), &moved)?, out_dims))
    }
    fn batches_always(&self) -> bool {
        self.effects().0 & Effects::AXIS.0 != 0
    }
    fn prune(&self, used: &[bool]) -> Option<Pruned> {
        let inner = &self.jaxpr.jaxpr;
        let mut used = used.to_vec();
        let (pruned, kept) = loop {
            let mut keep = vec![false; inner.invars.len()];
            keep[self.carry()].copy_from_slice(&used[..self.num_carry]);
            let (pruned, kept) = dce::part(inner, &used, &keep);
            if !or(&mut used[..self.num_carry], &kept[self.carry()]) {
                break (pruned, kept);
            }
        };
        let jaxpr = ClosedJaxpr { jaxpr: pruned, consts: self.jaxpr.consts.clone() };
        let primitive = Some(self.of(jaxpr, count(&kept[..self.num_consts]), count(&kept[self.carry()])));
        Some(Pruned { primitive, inputs: kept.into(), outputs: used.into() })
    }
    fn depends(&self, unknown: &[bool], _: usize) -> SmallVec<[bool; 4]> {
        let mut unknown = unknown.to_vec();
        loop {
            let found = dce::depends(&self.jaxpr.jaxpr, &unknown);
            if !or(&mut unknown[self.carry()], &found[..self.num_carry]) {
                return found.into();
            }
        }
    }
    fn effects(&self) -> Effects {
        self.jaxpr.jaxpr.effects
    }
    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        SmallVec::from_elem(self.jaxpr.jaxpr.clone(), 1)
    }
    fn digest(&self, to: &mut Digest) -> Option<()> {
        let Scan { jaxpr, length, reverse, num_consts, num_carry, unroll: _ } = self;
        to.text(format_args!("{length} {reverse} {num_consts} {num_carry}"))?;
        to.graph(jaxpr)
    }
    fn is_cheap(&self) -> bool {
        false
    }
    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        eval::cost(&self.jaxpr).max(1).saturating_mul(self.length.known().unwrap_or(1) as u64)
    }
}

impl Scan {
    /// A call that computes what does not change from step to step first, and then runs: the part of a scan that
    /// `checkpoint` computes once.
    pub(super) fn as_call(&self, cx: &Engine, inputs: &[Aval]) -> Step<Rc<dyn Primitive>> {
        let body = |args: &[Val]| {
            let (consts, rest) = args.split_at(self.num_consts);
            let hoisted = hoist(cx, &self.jaxpr, consts, 0)?;
            let all: Vec<Val> = hoisted.consts.iter().chain(rest).cloned().collect();
            Ok(cx.bind(self.of(hoisted.jaxpr, hoisted.consts.len(), self.num_carry), &all)?.into_vec())
        };
        let jaxpr = trace_to_jaxpr(cx, &body, inputs, super::graphs::unnamed(&self.jaxpr))?;
        Ok(Rc::new(super::jit::Jit::closed_call(jaxpr)))
    }

    fn linearized(
        &self,
        cx: &Engine,
        tape: &TraceRef,
        primals: &[Val],
        tangents: &[Option<Val>],
    ) -> Step<(Vals, Tangents)> {
        let (c, k) = (self.num_consts, self.num_consts + self.num_carry);
        let own = self.jaxpr.consts.len();
        let may: Vec<bool> = (0..own).map(|_| true).chain((0..primals.len()).map(|i| i < c || i >= k)).collect();
        let mut nonzero: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let parts = self.fixpoint(&mut nonzero, |nonzero, forced| {
            let parts = linearize_jaxpr(cx, &self.jaxpr, nonzero, forced, Some(&may))?;
            let results = parts.nonzero.clone();
            Ok((parts, results))
        })?;
        let outs = self.outs();
        let hoisted = hoist(cx, &parts.primal, &primals[..c], parts.residuals)?;
        let moved = self.later(&parts.forwarded, &hoisted.residuals, own + k);
        let inner = parts.tangent.jaxpr.invars.len() - parts.forwarded.len();
        let mut marks = moved.clone();
        marks.resize(parts.forwarded.len() + inner, false);
        let tangent = calls::move_to_back(&parts.tangent, &marks);

        let mut results = self.run(cx, &hoisted.jaxpr, &hoisted.consts, &primals[c..], self.num_carry)?;
        let residuals = complete(
            &parts.forwarded,
            &hoisted.residuals,
            self.jaxpr.consts.iter().chain(primals),
            results.split_off(outs),
        );
        let (inside, along) = calls::partition(&moved, &residuals);
        let mut inputs = inside;
        let num_consts = inputs.len() + count(&nonzero[..c]);
        for ((t, nz), primal) in tangents.iter().zip(&nonzero).zip(primals) {
            if *nz {
                // Instantiated zeros are computed on the tape, where the tangents are.
                inputs.push(cx.within(tape, || jvp::instantiate(cx, t.clone(), primal))?);
            }
        }
        inputs.extend(along);
        let scan = self.of(tangent, num_consts, count(&nonzero[self.carry()]));
        let out = cx.bind_in(tape, scan, &inputs)?;
        Ok((results.into(), calls::spread(&parts.nonzero, out)))
    }

    /// Which residuals are scanned: those that a step gives, and those that are scanned inputs.
    fn later(&self, forwarded: &[Option<usize>], hoisted: &[Option<Val>], first_x: usize) -> Vec<bool> {
        let mut hoisted = hoisted.iter();
        forwarded
            .iter()
            .map(|f| match f {
                None => hoisted.next().is_some_and(Option::is_none),
                Some(i) => *i >= first_x,
            })
            .collect()
    }

    /// Binds the part that is known, unless it does nothing.
    fn run(&self, cx: &Engine, jaxpr: &ClosedJaxpr, consts: &[Val], rest: &[Val], num_carry: usize) -> Step<Vec<Val>> {
        if jaxpr.jaxpr.outvars.is_empty() && !jaxpr.jaxpr.effects.keeps() {
            return Ok(Vec::new());
        }
        let inputs: Vec<Val> = consts.iter().chain(rest).cloned().collect();
        Ok(cx.bind(self.of(jaxpr.clone(), consts.len(), num_carry), &inputs)?.into_vec())
    }

    fn split(&self, cx: &Engine, tape: &TraceRef, inputs: &[Val], unknown: &[bool]) -> Step<Vals> {
        let own = self.jaxpr.consts.len();
        let mut unknown = unknown.to_vec();
        let (parts, may) = self.fixpoint(&mut unknown, |unknown, forced| {
            let may: Vec<bool> = (0..own)
                .map(|_| true)
                .chain(unknown.iter().enumerate().filter(|(_, u)| !**u).map(|(i, _)| !self.carry().contains(&i)))
                .collect();
            let parts = partial_eval_jaxpr(cx, &self.jaxpr, unknown, forced, Some(&may))?;
            let results = parts.unknown_results.clone();
            Ok(((parts, may), results))
        })?;
        let _ = may;
        let consts_known = self.num_consts - count(&unknown[..self.num_consts]);
        let carry_known = self.num_carry - count(&unknown[self.carry()]);
        let (known, later) = calls::partition(&unknown, inputs);
        let hoisted = hoist(cx, &parts.known, &known[..consts_known], parts.residuals)?;
        let moved = self.later(&parts.forwarded, &hoisted.residuals, own + consts_known + carry_known);
        let mut marks = moved.clone();
        marks.resize(parts.unknown.jaxpr.invars.len(), false);
        let body = calls::move_to_back(&parts.unknown, &marks);
        let now = parts.unknown_results.iter().filter(|u| !**u).count();
        let mut results = self.run(cx, &hoisted.jaxpr, &hoisted.consts, &known[consts_known..], carry_known)?;
        let residuals = complete(
            &parts.forwarded,
            &hoisted.residuals,
            self.jaxpr.consts.iter().chain(&known),
            results.split_off(now),
        );
        let (inside, along) = calls::partition(&moved, &residuals);
        let num_consts = inside.len() + count(&unknown[..self.num_consts]);
        let all = [inside, later, along].concat();
        let out = cx.bind_in(tape, self.of(body, num_consts, count(&unknown[self.carry()])), &all)?;
        Ok(calls::merge(&parts.unknown_results, results, out))
    }

    /// Before: constants (known, linear), carry (linear), scanned (linear, known). After: constants (known), carry (sums of
    /// cotangents of constants, cotangents of the carry), scanned (cotangents of stacked results, known).
    fn transposed(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let linear: Vec<bool> = inputs.iter().map(Operand::is_linear).collect();
        let (c, k) = (self.num_consts, self.num_consts + self.num_carry);
        let ires = c - count(&linear[..c]);
        let lin_x = count(&linear[k..]);
        let in_order = !linear[..ires].contains(&true)
            && !linear[ires..c].contains(&false)
            && !linear[k..k + lin_x].contains(&false);
        if !in_order {
            return Err(Halt::unknown("a `scan` that is transposed has its linear inputs in an unexpected order"));
        }
        let in_avals = self.jaxpr.in_avals();
        let sums: Vec<Aval> = in_avals[ires..c].iter().map(backward::cotangent_aval).collect();
        // A cotangent is as weak as it is given.
        let given = self.jaxpr.jaxpr.out_avals().take(self.num_carry).zip(cotangents).map(|(aval, cotangent)| {
            let weak = cotangent.as_ref().map_or(aval.weak, |cotangent| cotangent.aval.weak);
            Aval { weak, ..backward::cotangent_aval(aval) }
        });
        let carries: Vec<Aval> = given.collect();
        let nonzero: Vec<bool> = cotangents[self.num_carry..].iter().map(Option::is_some).collect();
        let body = self.transposed_body(cx, &in_avals, &carries, (ires, lin_x), &nonzero)?;

        let mut args: Vec<Val> = calls::known(&inputs[..ires]).cloned().collect();
        for aval in &sums {
            args.push(zeros(cx, aval)?);
        }
        for (cotangent, aval) in cotangents.iter().zip(&carries) {
            args.push(match cotangent {
                Some(cotangent) => cotangent.clone(),
                None => zeros(cx, aval)?,
            });
        }
        args.extend(cotangents[self.num_carry..].iter().flatten().cloned());
        args.extend(calls::known(&inputs[k + lin_x..]).cloned());
        let scan = Scan {
            reverse: !self.reverse,
            jaxpr: body,
            num_consts: ires,
            num_carry: sums.len() + carries.len(),
            ..self.clone()
        };
        let out = cx.bind(Rc::new(scan), &args)?;
        // A carry that is not linear is a zero that was written out: its cotangent is not asked for.
        Ok(linear.iter().enumerate().map(|(i, l)| if *l { out.get(i - ires).cloned() } else { None }).collect())
    }

    fn transposed_body(
        &self,
        cx: &Engine,
        in_avals: &[Aval],
        carries: &[Aval],
        (ires, lin_x): (usize, usize),
        nonzero: &[bool],
    ) -> Step<ClosedJaxpr> {
        let (c, k) = (self.num_consts, self.num_consts + self.num_carry);
        let mut flags = vec![ires as u64, c as u64, k as u64, lin_x as u64];
        flags.extend(nonzero.iter().map(|n| u64::from(*n)));
        flags.extend(carries.iter().map(|aval| u64::from(aval.weak)));
        let request = Request { what: "transpose scan", flags: flags.into(), text: None };
        cx.memoized(&self.jaxpr, request, || {
            let out_avals = self.jaxpr.out_avals();
            let mut avals: Vec<Aval> = in_avals[..ires].to_vec();
            avals.extend(in_avals[ires..c].iter().map(backward::cotangent_aval));
            avals.extend(carries.iter().cloned());
            let ys = out_avals[self.num_carry..].iter().zip(nonzero).filter(|(_, nz)| **nz);
            avals.extend(ys.map(|(a, _)| backward::cotangent_aval(a)));
            let eres = in_avals[k + lin_x..].len();
            avals.extend(in_avals[k + lin_x..].iter().cloned());
            let body = |args: &[Val]| {
                let (sums, rest) = args[ires..].split_at(c - ires);
                let (carry, rest) = rest.split_at(self.num_carry);
                let (ys, eres) = rest.split_at(rest.len() - eres);
                let mut operands: Vec<Operand> = args[..ires].iter().cloned().map(Operand::Known).collect();
                operands.extend(in_avals[ires..k + lin_x].iter().enumerate().map(|(i, aval)| {
                    let given = (ires + i).checked_sub(c).and_then(|at| carries.get(at));
                    Operand::Linear(Aval { weak: given.map_or(aval.weak, |given| given.weak), ..aval.clone() })
                }));
                operands.extend(eres.iter().cloned().map(Operand::Known));
                let mut ys = ys.iter().cloned();
                let mut cotangents: Vec<Option<Val>> = carry.iter().cloned().map(Some).collect();
                cotangents.extend(nonzero.iter().map(|nz| if *nz { ys.next() } else { None }));
                let start: Vec<Option<Val>> =
                    (0..operands.len()).map(|i| sums.get(i.wrapping_sub(ires)).cloned()).collect();
                let found =
                    backward::backward_from(cx, &self.jaxpr.jaxpr, &self.jaxpr.consts, &operands, &cotangents, &start)?;
                let linear = found.into_iter().zip(in_avals).take(k + lin_x).skip(ires);
                linear.map(|(ct, aval)| ct.map_or_else(|| zeros(cx, &backward::cotangent_aval(aval)), Ok)).collect()
            };
            trace_to_jaxpr(cx, &body, &avals, super::graphs::unnamed(&self.jaxpr))
        })
    }
}

/// All residuals: forwarded, hoisted, and those that the loop gave.
fn complete<'a>(
    forwarded: &[Option<usize>],
    hoisted: &[Option<Val>],
    known: impl Iterator<Item = &'a Val>,
    given: Vec<Val>,
) -> Vec<Val> {
    let known: Vec<&Val> = known.collect();
    let mut given = given.into_iter();
    let mut hoisted = hoisted.iter();
    forwarded
        .iter()
        .filter_map(|f| match f {
            Some(i) => Some(known[*i].clone()),
            None => hoisted.next()?.clone().or_else(|| given.next()),
        })
        .collect()
}
