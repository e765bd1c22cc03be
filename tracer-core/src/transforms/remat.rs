//! `remat2`: a graph whose linear part computes again what it needs instead of keeping it.

use std::fmt;
use std::rc::Rc;

use smallvec::SmallVec;

use super::graphs::{Placement, batch_jaxpr, eval_jaxpr, jvp_jaxpr, unnamed};
use super::recompute::{Policy, split};
use super::split::partial_eval_jaxpr;
use super::{backward, calls, dce, eval, trace_to_jaxpr};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Dims, Operand, Param, ParamValue, Params, Primitive, Pruned, Tangents};
use crate::python::Step;
use crate::trace::memo::Request;
use crate::trace::{Axis, ClosedJaxpr, Digest, Effects, Engine, Jaxpr, TraceRef, Val, Vals};

/// A graph whose linear part computes again what it needs.
#[derive(Clone)]
pub struct Remat {
    /// The graph, without constants.
    pub jaxpr: ClosedJaxpr,
    /// Whether it is (part of) a derivative.
    pub differentiated: bool,
    /// `prevent_cse`: one flag, or one for each input.
    pub prevent_cse: Result<bool, Vec<bool>>,
    /// What may be kept.
    pub policy: Option<Rc<Policy>>,
}

impl fmt::Debug for Remat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "remat2({:?})", self.differentiated)
    }
}

/// Makes it from keyword parameters. `policy` is `None` or holds a [`Policy`].
///
/// # Errors
/// Unknown where they do not fit.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    let prevent_cse = match params.get("prevent_cse") {
        Some(ParamValue::Tuple(flags)) => Err(flags.iter().map(|f| matches!(f, ParamValue::Bool(true))).collect()),
        _ => Ok(params.flag("prevent_cse")?),
    };
    let policy = match params.get("policy") {
        Some(ParamValue::Opaque(any)) => any.clone().downcast::<Policy>().ok(),
        _ => None,
    };
    let jaxpr = calls::graph(params, "jaxpr")?;
    Ok(Rc::new(Remat { jaxpr, differentiated: params.flag("differentiated")?, prevent_cse, policy }))
}

impl Remat {
    /// The same of another graph. `cse` gives the flags of its inputs from those of this one's.
    fn of(&self, jaxpr: ClosedJaxpr, cse: impl FnOnce(&[bool]) -> Vec<bool>) -> Remat {
        let prevent_cse = self.prevent_cse.as_ref().map(|flag| *flag).map_err(|flags| cse(flags));
        Remat { jaxpr, prevent_cse, ..self.clone() }
    }
    /// Binds it with the constants of its graph as leading inputs.
    fn bind(cx: &Engine, mut call: Remat, inputs: &[Val]) -> Step<Vals> {
        let (jaxpr, consts) = call.jaxpr.separate();
        if !consts.is_empty() {
            call.prevent_cse = call.prevent_cse.map_err(|flags| [vec![true; consts.len()], flags].concat());
        }
        call.jaxpr = jaxpr;
        let all: Vec<Val> = consts.iter().chain(inputs).cloned().collect();
        cx.bind(Rc::new(call), &all)
    }
}

impl Primitive for Remat {
    fn lasts(&self) -> bool {
        false
    }
    fn name(&self) -> &'static str {
        "remat2"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        let flag = |b: &bool| if *b { "True" } else { "False" };
        let cse = match &self.prevent_cse {
            Ok(one) => flag(one).to_owned(),
            Err(all) => {
                let flags: Vec<&str> = all.iter().map(flag).collect();
                format!("({}{})", flags.join(", "), if flags.len() == 1 { "," } else { "" })
            }
        };
        let policy = self.policy.as_ref().map_or_else(|| "None".to_owned(), |p| p.shown.to_string());
        vec![
            ("differentiated", Param::Text(flag(&self.differentiated).into())),
            ("jaxpr", Param::Graph(self.jaxpr.jaxpr.clone())),
            ("policy", Param::Text(policy)),
            ("prevent_cse", Param::Text(cse)),
        ]
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(self.jaxpr.jaxpr.out_avals().cloned().collect())
    }
    fn compute(&self, cx: &Engine, inputs: &[Val]) -> Option<Step<Vals>> {
        Some(eval_jaxpr(cx, &self.jaxpr.jaxpr, &self.jaxpr.consts, inputs).map(Vals::from_vec))
    }
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        eval::eval_tensors(cx, &self.jaxpr, inputs).map(SmallVec::from_vec)
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let nonzero: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let outs = self.jaxpr.jaxpr.outvars.len();
        let found = jvp_jaxpr(cx, &self.jaxpr, &nonzero, &vec![false; outs])?;
        let dots: Vec<Val> = tangents.iter().flatten().cloned().collect();
        let call = self.of(found.jaxpr, |flags| [flags, &vec![true; dots.len()]].concat());
        let mut out = Remat::bind(cx, call, &[primals, &dots].concat())?;
        let tangents: Vec<Val> = out.drain(outs..).collect();
        Ok((out, calls::spread(&found.nonzero, tangents)))
    }
    fn partial_eval(&self, cx: &Engine, tape: &TraceRef, inputs: &[Val], unknown: &[bool]) -> Option<Step<Vals>> {
        Some(self.split(cx, tape, inputs, unknown))
    }
    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let linear: Vec<bool> = inputs.iter().map(Operand::is_linear).collect();
        let nonzero: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
        let (jaxpr, flags) = transpose(cx, &self.jaxpr, &linear, &nonzero)?;
        let cts: Vec<Val> = cotangents.iter().flatten().cloned().collect();
        let args: Vec<Val> = calls::known(inputs).chain(&cts).cloned().collect();
        let call = self.of(jaxpr, |cse| [calls::partition(&linear, cse).0, vec![true; cts.len()]].concat());
        Ok(calls::spread(&flags, Remat::bind(cx, call, &args)?))
    }
    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let outs = vec![false; self.jaxpr.jaxpr.outvars.len()];
        let batched = batch_jaxpr(cx, &self.jaxpr, axis, dims, Placement::Front(&outs))?;
        let call = self.of(batched.jaxpr, <[bool]>::to_vec);
        Ok((Remat::bind(cx, call, inputs)?, batched.dims.into_iter().collect()))
    }
    fn batches_always(&self) -> bool {
        self.effects().0 & Effects::AXIS.0 != 0
    }
    fn prune(&self, used: &[bool]) -> Option<Pruned> {
        let inner = &self.jaxpr.jaxpr;
        let (pruned, kept) = dce::part(inner, used, &vec![false; inner.invars.len()]);
        let jaxpr = ClosedJaxpr { jaxpr: pruned, consts: self.jaxpr.consts.clone() };
        let call = self.of(jaxpr, |cse| calls::partition(&kept, cse).1);
        Some(Pruned { primitive: Some(Rc::new(call)), inputs: kept.into(), outputs: used.into() })
    }
    fn depends(&self, unknown: &[bool], _: usize) -> SmallVec<[bool; 4]> {
        dce::depends(&self.jaxpr.jaxpr, unknown).into()
    }
    fn effects(&self) -> Effects {
        self.jaxpr.jaxpr.effects
    }
    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        SmallVec::from_elem(self.jaxpr.jaxpr.clone(), 1)
    }
    fn digest(&self, to: &mut Digest) -> Option<()> {
        to.text(format_args!("{} {:?}", self.differentiated, self.prevent_cse))?;
        to.graph(&self.jaxpr)
    }
    fn is_cheap(&self) -> bool {
        false
    }
    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        eval::cost(&self.jaxpr)
    }
}

impl Remat {
    /// The known part is computed in place; the rest goes onto the tape and computes what it needs again.
    fn split(&self, cx: &Engine, tape: &TraceRef, inputs: &[Val], unknown: &[bool]) -> Step<Vals> {
        let inner = &self.jaxpr.jaxpr;
        let parts = split(cx, inner, unknown, self.policy.as_deref())?;
        // Of the staged part only unknown results count, of the residuals only what it then uses.
        let none = vec![false; parts.staged.invars.len()];
        let (_, wanted) = calls::partition(&parts.staged_results, &parts.unknown_results);
        let (staged, used) = dce::prune(&parts.staged, &wanted, &none);
        let (used_residuals, used_inputs) = used.split_at(parts.residuals);
        let now = parts.unknown_results.iter().filter(|u| !**u).count();
        let keep: Vec<bool> = (0..now).map(|_| true).chain(used_residuals.iter().copied()).collect();
        let (known, used_known) = dce::prune(&parts.known, &keep, &vec![false; parts.known.invars.len()]);
        let residuals = used_residuals.iter().filter(|u| **u).count();
        let known = super::recompute::round_residuals(known, residuals)?;

        let (known_in, _) = calls::partition(unknown, inputs);
        let (_, known_in) = calls::partition(&used_known, &known_in);
        let mut results = eval_jaxpr(cx, &known, &[], &known_in)?;
        let mut later = results.split_off(now);
        let (_, rest) = calls::partition(used_inputs, inputs);
        later.extend(rest);
        let jaxpr = ClosedJaxpr { jaxpr: Rc::new(staged), consts: Rc::from([]) };
        let mut call = self.of(jaxpr, |cse| [vec![true; residuals], calls::partition(used_inputs, cse).1].concat());
        call.differentiated = true;
        let out = cx.bind_in(tape, Rc::new(call), &later)?;
        Ok(calls::merge(&parts.unknown_results, results, out))
    }
}

/// The graph of the cotangents: what is not linear is computed first.
fn transpose(cx: &Engine, jaxpr: &ClosedJaxpr, linear: &[bool], nonzero: &[bool]) -> Step<(ClosedJaxpr, Vec<bool>)> {
    let mut flags: Vec<u64> = linear.iter().map(|l| u64::from(*l)).collect();
    flags.extend(nonzero.iter().map(|n| 2 + u64::from(*n)));
    cx.memoized(jaxpr, Request { what: "transpose remat", flags: flags.into(), text: None }, || {
        let in_avals = jaxpr.in_avals();
        let (mut avals, _) = calls::partition(linear, &in_avals);
        let known = avals.len();
        avals.extend(
            jaxpr.jaxpr.out_avals().zip(nonzero).filter(|(_, nz)| **nz).map(|(a, _)| backward::cotangent_aval(a)),
        );
        let found = std::cell::RefCell::new(Vec::new());
        let body = |args: &[Val]| {
            let outs = vec![false; nonzero.len()];
            let parts = partial_eval_jaxpr(cx, jaxpr, linear, &outs, None)?;
            let now = parts.unknown_results.iter().filter(|u| !**u).count();
            let residuals = eval_jaxpr(cx, &parts.known.jaxpr, &parts.known.consts, &args[..known])?.split_off(now);
            let count = residuals.len();
            let mut operands: Vec<Operand> = residuals.into_iter().map(Operand::Known).collect();
            operands.extend(parts.unknown.in_avals().into_iter().skip(count).map(Operand::Linear));
            let cotangents = calls::spread(nonzero, args[known..].iter().cloned());
            let (_, cotangents) = calls::partition(&parts.unknown_results, &cotangents);
            let mut results =
                backward::backward(cx, &parts.unknown.jaxpr, &parts.unknown.consts, &operands, &cotangents)?;
            let mut results = results.drain(count..).collect::<Vec<_>>().into_iter();
            let all: Vec<Option<Val>> =
                linear.iter().map(|l| if *l { results.next().flatten() } else { None }).collect();
            *found.borrow_mut() = all.iter().map(Option::is_some).collect();
            Ok(all.into_iter().flatten().collect())
        };
        let traced = trace_to_jaxpr(cx, &body, &avals, unnamed(jaxpr))?;
        Ok((traced, found.into_inner()))
    })
}
