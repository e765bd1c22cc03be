//! `custom_jvp_call`: a function with a rule of its own for tangents.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::graphs::{eval_closed, unnamed};
use super::{FlatRc, calls, dce, eval, jvp, trace_to_jaxpr, vmap};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Dims, Operand, Param, Primitive, Pruned, Tangents};
use crate::python::{Halt, Step};
use crate::trace::{
    Axis, ClosedJaxpr, DebugInfo, Digest, Effects, Engine, Jaxpr, Tag, Trace, TraceRef, Val, Vals, staging,
};

/// Values and tangents (`None`: a symbolic zero).
pub type Pair = (Vec<Val>, Vec<Option<Val>>);

/// From values and tangents to values and tangents.
pub type JvpRule = Rc<dyn Fn(&Engine, &[Val], &[Option<Val>]) -> Step<Pair>>;

/// A function with a rule of its own for tangents.
#[derive(Clone)]
pub struct CustomJvp {
    /// The function's name.
    pub name: Rc<str>,
    /// The rule's name.
    pub rule_name: Rc<str>,
    /// The function.
    pub fun: FlatRc,
    /// The rule. Unless `symbolic_zeros`, all tangents are there.
    pub rule: JvpRule,
    /// Whether the rule takes and gives symbolic zeros.
    pub symbolic_zeros: bool,
    /// The function as a graph, once staged.
    pub graph: Option<ClosedJaxpr>,
    /// How many of the inputs are constants of the graph.
    pub consts: usize,
}

impl fmt::Debug for CustomJvp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "custom_jvp_call({})", self.name)
    }
}

/// Applies a function with a rule of its own under the current trace.
///
/// # Errors
/// What the function or the rule raises.
pub fn custom_jvp_call(cx: &Engine, call: CustomJvp, inputs: &[Val]) -> Step<Vec<Val>> {
    Ok(cx.bind(Rc::new(call), inputs)?.into_vec())
}

impl CustomJvp {
    fn apply_rule(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let tangents: Vec<Option<Val>> = if self.symbolic_zeros {
            tangents.to_vec()
        } else {
            jvp::instantiate_all(cx, tangents, primals)?.into_vec()
        };
        let (results, tangents) = (self.rule)(cx, primals, &tangents)?;
        Ok((results.into(), tangents.into()))
    }

    fn staged(&self, cx: &Engine, trace: &TraceRef, inputs: &[Val]) -> Step<Vals> {
        let avals: Vec<Aval> = inputs.iter().map(|v| v.aval.clone()).collect();
        let debug = match &self.graph {
            Some(graph) => unnamed(graph),
            None => DebugInfo::new("custom_jvp fun", &self.name),
        };
        let fun = self.fun.clone();
        let traced = cx.within(trace, || trace_to_jaxpr(cx, &|a| fun(cx, a), &avals, debug))?;
        let (graph, consts) = traced.separate();
        let count = consts.len();
        let rule = memoized_rule(self.rule.clone(), avals, count);
        let (body, names) = (graph.clone(), (self.name.clone(), self.rule_name.clone()));
        let out_avals: Avals = graph.jaxpr.out_avals().cloned().collect();
        let call = CustomJvp {
            name: names.0,
            rule_name: names.1,
            fun: Rc::new(move |cx, a| eval_closed(cx, &body, a)),
            rule,
            symbolic_zeros: self.symbolic_zeros,
            graph: Some(graph),
            consts: count,
        };
        let all: Vec<Val> = consts.iter().chain(inputs).cloned().collect();
        Ok(staging::emit(cx, trace, Rc::new(call), &all, out_avals))
    }
}

/// A rule that is traced once for every pattern of zeros, and takes constants in front that it ignores.
fn memoized_rule(rule: JvpRule, avals: Vec<Aval>, consts: usize) -> JvpRule {
    type Traced = (ClosedJaxpr, Vec<bool>);
    let known: RefCell<FxHashMap<Vec<bool>, Traced>> = RefCell::default();
    Rc::new(move |cx, primals, tangents| {
        let (primals, tangents) = (&primals[consts..], &tangents[consts..]);
        let nonzero: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let found = known.borrow().get(&nonzero).cloned();
        let (jaxpr, flags) = match found {
            Some(found) => found,
            None => {
                let mut all = avals.clone();
                all.extend(avals.iter().zip(&nonzero).filter(|(_, nz)| **nz).map(|(a, _)| a.tangent()));
                let flags = RefCell::new(Vec::new());
                let body = |args: &[Val]| {
                    let (primals, rest) = args.split_at(avals.len());
                    let tangents = calls::spread(&nonzero, rest.iter().cloned());
                    let (mut results, tangents) = rule(cx, primals, &tangents)?;
                    *flags.borrow_mut() = tangents.iter().map(Option::is_some).collect();
                    results.extend(tangents.into_iter().flatten());
                    Ok(results)
                };
                let traced = trace_to_jaxpr(cx, &body, &all, DebugInfo::new("custom_jvp jvp", ""))?;
                let made = (traced, flags.into_inner());
                known.borrow_mut().insert(nonzero, made.clone());
                made
            }
        };
        let inputs: Vec<Val> = primals.iter().chain(tangents.iter().flatten()).cloned().collect();
        let mut results = eval_closed(cx, &jaxpr, &inputs)?;
        let tangents = results.split_off(flags.len());
        Ok((results, calls::spread(&flags, tangents).into_vec()))
    })
}

impl Primitive for CustomJvp {
    fn lasts(&self) -> bool {
        false
    }
    fn calls_rules(&self) -> bool {
        true
    }
    fn name(&self) -> &'static str {
        "custom_jvp_call"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        let mut params = vec![("name", Param::Text(self.name.to_string()))];
        params.extend(self.graph.iter().map(|g| ("call_jaxpr", Param::Graph(g.jaxpr.clone()))));
        params.push(("jvp", Param::Text(self.rule_name.to_string())));
        if self.consts > 0 {
            params.push(("num_consts", Param::Text(self.consts.to_string())));
        }
        params.push(("symbolic_zeros", Param::Text(if self.symbolic_zeros { "True" } else { "False" }.into())));
        params
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        let graph =
            self.graph.as_ref().ok_or_else(|| Halt::unknown("a custom rule that is not staged has no types"))?;
        Ok(graph.jaxpr.out_avals().cloned().collect())
    }
    fn compute(&self, cx: &Engine, inputs: &[Val]) -> Option<Step<Vals>> {
        Some((self.fun)(cx, inputs).map(Vals::from_vec))
    }
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let graph =
            self.graph.as_ref().ok_or_else(|| Halt::unknown("a custom rule that is not staged has no numbers"))?;
        eval::eval_tensors(cx, graph, inputs).map(SmallVec::from_vec)
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        self.apply_rule(cx, primals, tangents)
    }
    fn partial_eval(&self, cx: &Engine, tape: &TraceRef, inputs: &[Val], _: &[bool]) -> Option<Step<Vals>> {
        // Only linear functions are split this way, and those do not need their rule any more.
        let partial = Rc::new(Trace::Partial { parent: cx.trace(), tape: tape.clone() });
        Some(cx.within(&partial, || (self.fun)(cx, inputs)).map(Vals::from_vec))
    }
    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let graph =
            self.graph.as_ref().ok_or_else(|| Halt::unknown("a custom rule that is not staged has no transpose"))?;
        let found = super::backward::backward(cx, &graph.jaxpr, &graph.consts, inputs, cotangents)?;
        Ok(found.into())
    }
    fn batches_always(&self) -> bool {
        // A function that is no graph may hold mapped values itself.
        self.graph.is_none()
    }
    fn gives_tracers(&self) -> bool {
        self.graph.is_none()
    }
    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let tag = cx.batching.get();
        let out_dims: Rc<RefCell<Vec<Option<usize>>>> = Rc::default();
        let call = CustomJvp {
            fun: batched(self.fun.clone(), tag, axis, dims, &out_dims),
            rule: batched_rule(self.rule.clone(), tag, axis, dims, &out_dims),
            graph: None,
            consts: 0,
            ..self.clone()
        };
        let results = cx.bind(Rc::new(call), inputs)?;
        let dims = out_dims.borrow().iter().copied().collect();
        Ok((results, dims))
    }
    fn stage(&self, cx: &Engine, trace: &TraceRef, inputs: &[Val]) -> Option<Step<Vals>> {
        Some(self.staged(cx, trace, inputs))
    }
    fn prune(&self, used: &[bool]) -> Option<Pruned> {
        let graph = self.graph.clone()?;
        let all = vec![true; graph.jaxpr.invars.len()];
        let graph = ClosedJaxpr { jaxpr: Rc::new(dce::prune(&graph.jaxpr, used, &all).0), consts: graph.consts };
        let (rule, keep, body) = (self.rule.clone(), used.to_vec(), graph.clone());
        let call = CustomJvp {
            fun: Rc::new(move |cx, a| eval_closed(cx, &body, a)),
            rule: Rc::new(move |cx, p, t| {
                let (results, tangents) = rule(cx, p, t)?;
                Ok((calls::partition(&keep, &results).1, calls::partition(&keep, &tangents).1))
            }),
            graph: Some(graph),
            ..self.clone()
        };
        Some(Pruned { primitive: Some(Rc::new(call)), inputs: all.into(), outputs: used.into() })
    }
    fn effects(&self) -> Effects {
        self.graph.as_ref().map_or(Effects::NONE, |g| g.jaxpr.effects)
    }
    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        self.graph.iter().map(|g| g.jaxpr.clone()).collect()
    }
    fn digest(&self, to: &mut Digest) -> Option<()> {
        to.graph(self.graph.as_ref()?)
    }
    fn is_cheap(&self) -> bool {
        false
    }
    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        self.graph.as_ref().map_or(0, eval::cost)
    }
}

/// A function over all elements along an axis at once; the batch axes of its results are left in `out`.
pub(super) fn batched(
    fun: FlatRc,
    tag: Tag,
    axis: &Axis,
    dims: &[Option<usize>],
    out: &Rc<RefCell<Vec<Option<usize>>>>,
) -> FlatRc {
    let (axis, dims, out) = (axis.clone(), dims.to_vec(), out.clone());
    Rc::new(move |cx, args| {
        let (results, found) = cx.with_axis(&axis, || vmap::subtrace(cx, tag, &axis, &|a| fun(cx, a), args, &dims))?;
        *out.borrow_mut() = found;
        Ok(results)
    })
}

/// A rule over all elements along an axis at once: values and tangents get the same axes.
fn batched_rule(
    rule: JvpRule,
    tag: Tag,
    axis: &Axis,
    dims: &[Option<usize>],
    out: &Rc<RefCell<Vec<Option<usize>>>>,
) -> JvpRule {
    let (axis, dims, out) = (axis.clone(), dims.to_vec(), out.clone());
    Rc::new(move |cx, primals, tangents| {
        let nonzero: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let args: Vec<Val> = primals.iter().chain(tangents.iter().flatten()).cloned().collect();
        let tangent_dims = dims.iter().zip(&nonzero).filter(|(_, nz)| **nz).map(|(d, _)| *d);
        let all_dims: Vec<Option<usize>> = dims.iter().copied().chain(tangent_dims).collect();
        let flags = RefCell::new(Vec::new());
        let body = |args: &[Val]| {
            let (primals, rest) = args.split_at(dims.len());
            let (mut results, tangents) = rule(cx, primals, &calls::spread(&nonzero, rest.iter().cloned()))?;
            *flags.borrow_mut() = tangents.iter().map(Option::is_some).collect();
            results.extend(tangents.into_iter().flatten());
            Ok(results)
        };
        let (mut results, found) = cx.with_axis(&axis, || vmap::subtrace(cx, tag, &axis, &body, &args, &all_dims))?;
        let flags = flags.into_inner();
        let tangents = calls::spread(&flags, results.split_off(flags.len()));
        let mut tangent_dims = found[flags.len()..].iter().copied();
        let mut placed: Pair = (Vec::new(), Vec::new());
        let mut merged = Vec::new();
        for ((primal, tangent), dim) in results.iter().zip(tangents).zip(&found) {
            let own = if tangent.is_some() { tangent_dims.next().flatten() } else { None };
            let to = dim.or(own);
            let wrong = || Halt::unknown("a result is batched that should not be");
            placed.0.push(vmap::place(cx, &axis, primal, *dim, to)?.ok_or_else(wrong)?);
            placed.1.push(match tangent {
                Some(tangent) => Some(vmap::place(cx, &axis, &tangent, own, to)?.ok_or_else(wrong)?),
                None => None,
            });
            merged.push(to);
        }
        *out.borrow_mut() = merged;
        Ok(placed)
    })
}
