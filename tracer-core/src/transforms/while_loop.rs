//! `while`: a graph repeated as long as another says so.

use std::rc::Rc;

use smallvec::SmallVec;

use super::graphs::{Placement, batch_jaxpr, batch_jaxpr_axes, jvp_jaxpr};
use super::split::partial_eval_jaxpr;
use super::{calls, dce, eval, jvp, vmap};
use crate::array::{Aval, Tensor};
use crate::primitives::select::SelectN;
use crate::primitives::{Avals, Dims, Operand, Param, Params, Primitive, Tangents, build};
use crate::python::{Halt, Step};
use crate::trace::{Axis, ClosedJaxpr, Digest, Effects, Engine, Eqn, Jaxpr, TraceRef, Val, Vals, Var};

/// A graph repeated as long as another says so.
#[derive(Clone, Debug)]
pub struct While {
    /// From its constants and the carry to a truth value.
    pub cond: ClosedJaxpr,
    /// The first inputs are constants of the condition.
    pub cond_consts: usize,
    /// From its constants and the carry to the carry.
    pub body: ClosedJaxpr,
    /// The next inputs are constants of the body.
    pub body_consts: usize,
}

/// A round counts as so many operations at least, where there are many of them: a loop of scalars is known to be endless by
/// nothing but its rounds.
const COST_OF_ROUND: u64 = 1 << 14;

/// Rounds of little that any number of operations is enough for.
const MOST_ROUNDS: u64 = 1 << 20;

/// Elements of a carry that are compared with what a round makes of them.
const COMPARED: usize = 64;

/// Whether two parts of a carry are certainly the same to the bit; NaNs are not.
fn unchanged(a: &Tensor, b: &Tensor) -> bool {
    let sign = |x: f64| x.is_sign_negative();
    a.len() <= COMPARED
        && a == b
        && a.numbers().zip(b.numbers()).all(|(x, y)| {
            let (x, y) = (x.as_complex(), y.as_complex());
            sign(x.re) == sign(y.re) && sign(x.im) == sign(y.im)
        })
}

/// Makes it from keyword parameters.
///
/// # Errors
/// Unknown where they do not fit.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    Ok(Rc::new(While {
        cond: calls::graph(params, "cond_jaxpr")?,
        cond_consts: params.index("cond_nconsts")?,
        body: calls::graph(params, "body_jaxpr")?,
        body_consts: params.index("body_nconsts")?,
    }))
}

impl While {
    fn init(&self) -> usize {
        self.cond_consts + self.body_consts
    }
}

impl While {
    /// Runs the rounds.
    fn run_rounds(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (consts, init) = inputs.split_at(self.init());
        let (cond_consts, body_consts) = consts.split_at(self.cond_consts);
        let mut carry = init.to_vec();
        let mut round = 0;
        let least = (cx.fuel.get() / MOST_ROUNDS).min(COST_OF_ROUND);
        let pure = self.cond.jaxpr.effects == Effects::NONE && self.body.jaxpr.effects == Effects::NONE;
        loop {
            let before = cx.fuel.get();
            let all: Vec<Tensor> = cond_consts.iter().chain(&carry).cloned().collect();
            let go = eval::eval_tensors(cx, &self.cond, &all)?;
            let Some(go) = go.into_iter().next() else { return Ok(carry.into()) };
            let (any, all_go) = go.view::<bool>().map_or((false, true), |v| (v.contains(&true), !v.contains(&false)));
            if !any {
                return Ok(carry.into());
            }
            let all: Vec<Tensor> = body_consts.iter().chain(&carry).cloned().collect();
            let next = eval::eval_round(cx, &self.body, &all, round)?;
            let next = if all_go { next } else { still(&go, carry.clone(), next)? };
            if pure && carry.iter().zip(&next).all(|(a, b)| unchanged(a, b)) {
                return Err(Halt::unknown("an endless loop: its rounds change nothing"));
            }
            carry = next;
            round += 1;
            eval::spend(cx, least.saturating_sub(before - cx.fuel.get()).max(1))?;
        }
    }
}

/// Whether calls of functions of the program's are made that may do anything, in any order: what is printed for whoever looks is none of these.
fn calls_out(graph: &Jaxpr) -> bool {
    let goes_out = |eqn: &&Eqn| eqn.primitive.effects().0 & Effects::IO.0 != 0;
    graph
        .eqns
        .iter()
        .filter(goes_out)
        .any(|eqn| eqn.primitive.name() == "io_callback" || eqn.primitive.graphs().iter().any(|inner| calls_out(inner)))
}

impl Primitive for While {
    fn name(&self) -> &'static str {
        "while"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("body_jaxpr", Param::Graph(self.body.jaxpr.clone())),
            ("body_nconsts", Param::Text(self.body_consts.to_string())),
            ("cond_jaxpr", Param::Graph(self.cond.jaxpr.clone())),
            ("cond_nconsts", Param::Text(self.cond_consts.to_string())),
        ]
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(self.body.jaxpr.out_avals().cloned().collect())
    }
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        eval::compiled(cx, || self.run_rounds(cx, inputs))
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let (c, i) = (self.cond_consts, self.init());
        let mut nonzero: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let found = loop {
            let found = jvp_jaxpr(cx, &self.body, &nonzero[c..], &nonzero[i..])?;
            if found.nonzero == nonzero[i..] {
                break found;
            }
            nonzero[i..].iter_mut().zip(&found.nonzero).for_each(|(a, b)| *a |= *b);
        };
        let mut dots: Vec<Option<Val>> = Vec::new();
        for ((t, nz), p) in tangents.iter().zip(&nonzero).zip(primals) {
            dots.push(if *nz { Some(jvp::instantiate(cx, t.clone(), p)?) } else { None });
        }
        let b_dot: Vec<Val> = dots[c..i].iter().flatten().cloned().collect();
        let i_dot: Vec<Val> = dots[i..].iter().flatten().cloned().collect();
        let carry = primals.len() - i;
        let body =
            calls::interleave(&found.jaxpr, &[(i - c, b_dot.len()), (carry, i_dot.len())], &[(carry, i_dot.len())]);
        let mut cond = (*self.cond.jaxpr).clone();
        for dot in &i_dot {
            cond.invars.push(Var(cond.vars.len() as u32));
            cond.vars.push(dot.aval.clone());
        }
        let loop_ = While {
            cond: ClosedJaxpr { jaxpr: Rc::new(cond), consts: self.cond.consts.clone() },
            cond_consts: c,
            body,
            body_consts: i - c + b_dot.len(),
        };
        let inputs = [&primals[..i], &b_dot, &primals[i..], &i_dot].concat();
        let mut out = cx.bind(Rc::new(loop_), &inputs)?;
        let tangents: Vec<Val> = out.drain(carry..).collect();
        Ok((out, calls::spread(&nonzero[i..], tangents)))
    }
    fn partial_eval(&self, cx: &Engine, tape: &TraceRef, inputs: &[Val], unknown: &[bool]) -> Option<Step<Vals>> {
        Some(self.split(cx, tape, inputs, unknown))
    }
    fn transpose(&self, _: &Engine, _: &[Option<Val>], _: &[Operand]) -> Step<Tangents> {
        Err(Halt::value_error(
            "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with dynamic start/stop values. Try \
             using lax.scan, or using fori_loop with static start/stop.",
        ))
    }
    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let (c, i) = (self.cond_consts, self.init());
        let front = |flags: &[bool]| -> Vec<Option<usize>> { flags.iter().map(|b| b.then_some(0)).collect() };
        let mut batched: Vec<bool> = dims.iter().map(Option::is_some).collect();
        loop {
            let found = batch_jaxpr(cx, &self.body, axis, &front(&batched[c..]), Placement::Front(&batched[i..]))?;
            let out: Vec<bool> = found.dims.iter().map(Option::is_some).collect();
            if out == batched[i..] {
                break;
            }
            batched[i..].iter_mut().zip(&out).for_each(|(a, b)| *a |= *b);
        }
        let both: Vec<bool> = batched[..c].iter().chain(&batched[i..]).copied().collect();
        let condition = batch_jaxpr(cx, &self.cond, axis, &front(&both), Placement::Front(&[false]))?;
        let each = condition.dims[0].is_some();
        if each && [&self.cond, &self.body].into_iter().any(|graph| calls_out(&graph.jaxpr)) {
            return Err(Halt::raise(
                "Exception",
                "Unordered IO effects not supported in while_loop with batched predicate",
            ));
        }
        let rank = self.cond.jaxpr.out_avals().next().map_or(0, Aval::rank);
        let carry: Vec<Option<usize>> =
            batched[i..].iter().map(|b| if each { Some(0) } else { b.then_some(rank) }).collect();
        let body_dims: Vec<Option<usize>> = dims[c..i].iter().chain(&carry).copied().collect();
        let cond_dims: Vec<Option<usize>> = dims[..c].iter().chain(&carry).copied().collect();
        let body = batch_jaxpr_axes(cx, &self.body, axis, &body_dims, &carry)?;
        let cond = batch_jaxpr_axes(cx, &self.cond, axis, &cond_dims, &[each.then_some(0)])?;
        let mut args = inputs[..i].to_vec();
        for ((value, from), to) in inputs[i..].iter().zip(&dims[i..]).zip(&carry) {
            args.push(match (from, to) {
                (None, Some(to)) => vmap::insert(cx, value, axis.size, *to)?,
                (Some(from), Some(to)) => build::move_axis(cx, value, *from, *to)?,
                _ => value.clone(),
            });
        }
        let loop_ = While { cond, cond_consts: c, body, body_consts: self.body_consts };
        Ok((cx.bind(Rc::new(loop_), &args)?, carry.into_iter().collect()))
    }
    fn batches_always(&self) -> bool {
        self.effects().0 & Effects::AXIS.0 != 0
    }
    fn depends(&self, unknown: &[bool], results: usize) -> SmallVec<[bool; 4]> {
        let (c, i) = (self.cond_consts, self.init());
        let mut flags = unknown.to_vec();
        loop {
            let found = dce::depends(&self.body.jaxpr, &flags[c..]);
            if found.iter().zip(&flags[i..]).all(|(a, b)| !*a || *b) {
                break;
            }
            flags[i..].iter_mut().zip(&found).for_each(|(a, b)| *a |= *b);
        }
        let both: Vec<bool> = flags[..c].iter().chain(&flags[i..]).copied().collect();
        if dce::depends(&self.cond.jaxpr, &both).contains(&true) {
            return SmallVec::from_elem(true, results);
        }
        flags[i..].into()
    }
    fn effects(&self) -> Effects {
        self.cond.jaxpr.effects.and(self.body.jaxpr.effects)
    }
    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        SmallVec::from_buf([self.body.jaxpr.clone(), self.cond.jaxpr.clone()])
    }
    fn digest(&self, to: &mut Digest) -> Option<()> {
        to.text(format_args!("{} {}", self.cond_consts, self.body_consts))?;
        to.graph(&self.cond)?;
        to.graph(&self.body)
    }
    fn is_cheap(&self) -> bool {
        false
    }
    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        eval::cost(&self.body).saturating_add(eval::cost(&self.cond)).max(1)
    }
}

/// The carry after a round of a loop whose condition has an element for each row: what is done stays.
fn still(go: &Tensor, carry: Vec<Tensor>, next: Vec<Tensor>) -> Step<Vec<Tensor>> {
    let axes: Vec<usize> = (0..go.shape.len()).collect();
    let one = |(old, new): (Tensor, Tensor)| -> Step<Tensor> {
        let go = go.broadcast_in_dim(&new.shape, &axes);
        Ok(SelectN.eval(&[go, old, new])?.swap_remove(0))
    };
    carry.into_iter().zip(next).map(one).collect()
}

impl While {
    /// Known carries are computed by a loop of their own; the whole loop goes onto the tape.
    fn split(&self, cx: &Engine, tape: &TraceRef, inputs: &[Val], unknown: &[bool]) -> Step<Vals> {
        let (c, i) = (self.cond_consts, self.init());
        let whole: Rc<dyn Primitive> = Rc::new(self.clone());
        let mut flags = unknown.to_vec();
        let body = loop {
            let parts = partial_eval_jaxpr(cx, &self.body, &flags[c..], &flags[i..], None)?;
            if parts.unknown_results == flags[i..] {
                break parts;
            }
            flags[i..].iter_mut().zip(&parts.unknown_results).for_each(|(a, b)| *a |= *b);
        };
        let both: Vec<bool> = flags[..c].iter().chain(&flags[i..]).copied().collect();
        let cond = partial_eval_jaxpr(cx, &self.cond, &both, &[false], None)?;
        if cond.unknown_results[0] || !unknown.contains(&false) {
            return cx.bind_in(tape, whole, inputs);
        }
        let (known, _) = calls::partition(&flags, inputs);
        let counts = |range: std::ops::Range<usize>| flags[range].iter().filter(|u| !**u).count();
        let results = counts(i..flags.len());
        let keep: Vec<bool> = (0..body.known.jaxpr.outvars.len()).map(|n| n < results).collect();
        let known_loop = While {
            cond: cond.known,
            cond_consts: counts(0..c),
            body: ClosedJaxpr {
                jaxpr: Rc::new(body.known.jaxpr.with_outputs(&keep)),
                consts: body.known.consts.clone(),
            },
            body_consts: counts(c..i),
        };
        let now = cx.bind(Rc::new(known_loop), &known)?;
        let all = cx.bind_in(tape, whole, inputs)?;
        let (_, later) = calls::partition(&flags[i..], &all);
        Ok(calls::merge(&flags[i..], now, later))
    }
}
