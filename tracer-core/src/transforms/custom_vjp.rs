//! `custom_vjp_call`: a function with rules of its own for reverse mode; and `custom_lin`, its linear part on a tape.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::custom_jvp::batched;
use super::graphs::{eval_closed, unnamed};
use super::{FlatRc, calls, dce, eval, trace_to_jaxpr, vmap, zeros};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Dims, Operand, Param, Primitive, Pruned, Tangents, build};
use crate::python::{Halt, Step};
use crate::trace::{Axis, ClosedJaxpr, DebugInfo, Digest, Effects, Engine, Jaxpr, Tag, TraceRef, Val, Vals, staging};

/// What a forward rule gives.
#[derive(Clone, Debug)]
pub struct Forward {
    /// Residuals that are not arguments.
    pub residuals: Vec<Val>,
    /// Results.
    pub results: Vec<Val>,
    /// For every residual the argument that it is, or none.
    pub forwarded: Vec<Option<usize>>,
}

/// From arguments, and which of them vary, to residuals and results.
pub type ForwardRule = Rc<dyn Fn(&Engine, &[Val], &[bool]) -> Step<Forward>>;

/// From all residuals and the cotangents of the results (`None`: a symbolic zero) to those of the arguments.
pub type BackwardRule = Rc<dyn Fn(&Engine, &[Val], &[Option<Val>]) -> Step<Vec<Option<Val>>>>;

/// A function with rules of its own for reverse mode.
#[derive(Clone)]
pub struct CustomVjp {
    /// The function's name.
    pub name: Rc<str>,
    /// The forward rule's name.
    pub forward_name: Rc<str>,
    /// The backward rule's name.
    pub backward_name: Rc<str>,
    /// The function.
    pub fun: FlatRc,
    /// The forward rule.
    pub forward: ForwardRule,
    /// The backward rule. Unless `symbolic_zeros`, all cotangents are there.
    pub backward: BackwardRule,
    /// Whether the backward rule takes symbolic zeros.
    pub symbolic_zeros: bool,
    /// The function as a graph, once staged.
    pub graph: Option<ClosedJaxpr>,
    /// How many of the inputs are constants of the graph.
    pub consts: usize,
}

impl fmt::Debug for CustomVjp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "custom_vjp_call({})", self.name)
    }
}

/// Applies a function with rules of its own under the current trace.
///
/// # Errors
/// What the function or a rule raises.
pub fn custom_vjp_call(cx: &Engine, call: CustomVjp, inputs: &[Val]) -> Step<Vec<Val>> {
    Ok(cx.bind(Rc::new(call), inputs)?.into_vec())
}

impl CustomVjp {
    fn graph(&self) -> Step<&ClosedJaxpr> {
        self.graph.as_ref().ok_or_else(|| Halt::unknown("a custom rule that is not staged has no graph"))
    }

    /// Results, and the linear part bound where `bind` says.
    fn rules(
        &self,
        cx: &Engine,
        primals: &[Val],
        tangents: &[Option<Val>],
        bind: impl FnOnce(Rc<dyn Primitive>, &[Val]) -> Step<Vals>,
    ) -> Step<(Vals, Tangents)> {
        let nonzero: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let forward = (self.forward)(cx, primals, &nonzero)?;
        let mut inputs = calls::substitute(&forward.forwarded, primals, &forward.residuals);
        let linear = CustomLin {
            name: self.backward_name.clone(),
            residuals: inputs.len(),
            backward: self.backward.clone(),
            avals: forward.results.iter().map(|v| v.aval.tangent()).collect(),
            in_zeros: nonzero.iter().map(|nz| !nz).collect(),
            symbolic_zeros: self.symbolic_zeros,
        };
        inputs.extend(tangents.iter().flatten().cloned());
        let tangents = bind(Rc::new(linear), &inputs)?;
        Ok((forward.results.into(), tangents.into_iter().map(Some).collect()))
    }

    fn staged(&self, cx: &Engine, trace: &TraceRef, inputs: &[Val]) -> Step<Vals> {
        let avals: Vec<Aval> = inputs.iter().map(|v| v.aval.clone()).collect();
        let debug = match &self.graph {
            Some(graph) => unnamed(graph),
            None => DebugInfo::new("custom_vjp fun", &self.name),
        };
        let fun = self.fun.clone();
        let traced = cx.within(trace, || trace_to_jaxpr(cx, &|a| fun(cx, a), &avals, debug))?;
        let (graph, consts) = traced.separate();
        let count = consts.len();
        let out_avals: Avals = graph.jaxpr.out_avals().cloned().collect();
        let (body, backward) = (graph.clone(), self.backward.clone());
        let call = CustomVjp {
            fun: Rc::new(move |cx, a| eval_closed(cx, &body, a)),
            forward: memoized_forward(self.forward.clone(), avals, count),
            backward: Rc::new(move |cx, r, ct| {
                let mut all = vec![None; count];
                all.extend(backward(cx, r, ct)?);
                Ok(all)
            }),
            graph: Some(graph),
            consts: count,
            ..self.clone()
        };
        let all: Vec<Val> = consts.iter().chain(inputs).cloned().collect();
        Ok(staging::emit(cx, trace, Rc::new(call), &all, out_avals))
    }
}

/// A forward rule that is traced once for every pattern of what varies, and takes constants in front that must not vary.
fn memoized_forward(rule: ForwardRule, avals: Vec<Aval>, consts: usize) -> ForwardRule {
    type Traced = (ClosedJaxpr, usize, Vec<Option<usize>>);
    let known: RefCell<FxHashMap<Vec<bool>, Traced>> = RefCell::default();
    Rc::new(move |cx, args, nonzero| {
        if nonzero[..consts].contains(&true) {
            return Err(Halt::raise(
                "jax._src.interpreters.ad.CustomVJPException",
                "Detected differentiation of a custom_vjp function with respect to a closed-over value. That isn't supported \
                 because the custom VJP rule only specifies how to differentiate the custom_vjp function with respect to \
                 explicit input parameters. Try passing the closed-over value into the custom_vjp function as an argument, and \
                 adapting the custom_vjp fwd and bwd rules.",
            ));
        }
        let flags = nonzero[consts..].to_vec();
        let found = known.borrow().get(&flags).cloned();
        let (jaxpr, residuals, forwarded) = match found {
            Some(found) => found,
            None => {
                let about = RefCell::new((0, Vec::new()));
                let body = |args: &[Val]| {
                    let forward = rule(cx, args, &flags)?;
                    *about.borrow_mut() = (forward.residuals.len(), forward.forwarded);
                    Ok([forward.residuals, forward.results].concat())
                };
                let traced = trace_to_jaxpr(cx, &body, &avals, DebugInfo::new("custom_vjp fwd", ""))?;
                let (residuals, forwarded) = about.into_inner();
                let made = (traced, residuals, forwarded);
                known.borrow_mut().insert(flags, made.clone());
                made
            }
        };
        let mut out = eval_closed(cx, &jaxpr, &args[consts..])?;
        let results = out.split_off(residuals);
        let forwarded = forwarded.iter().map(|f| f.map(|f| f + consts)).collect();
        Ok(Forward { residuals: out, results, forwarded })
    })
}

impl Primitive for CustomVjp {
    fn lasts(&self) -> bool {
        false
    }
    fn calls_rules(&self) -> bool {
        true
    }
    fn name(&self) -> &'static str {
        "custom_vjp_call"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        let mut params = vec![("name", Param::Text(self.name.to_string()))];
        params.push(("bwd", Param::Text(self.backward_name.to_string())));
        params.extend(self.graph.iter().map(|g| ("call_jaxpr", Param::Graph(g.jaxpr.clone()))));
        params.push(("fwd", Param::Text(self.forward_name.to_string())));
        if self.consts > 0 {
            params.push(("num_consts", Param::Text(self.consts.to_string())));
        }
        params.push(("symbolic_zeros", Param::Text(if self.symbolic_zeros { "True" } else { "False" }.into())));
        params
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(self.graph()?.jaxpr.out_avals().cloned().collect())
    }
    fn compute(&self, cx: &Engine, inputs: &[Val]) -> Option<Step<Vals>> {
        Some((self.fun)(cx, inputs).map(Vals::from_vec))
    }
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        eval::eval_tensors(cx, self.graph()?, inputs).map(SmallVec::from_vec)
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        self.rules(cx, primals, tangents, |linear, inputs| cx.bind(linear, inputs))
    }
    fn linearize(
        &self,
        cx: &Engine,
        tape: &TraceRef,
        primals: &[Val],
        tangents: &[Option<Val>],
    ) -> Option<Step<(Vals, Tangents)>> {
        Some(self.rules(cx, primals, tangents, |linear, inputs| cx.bind_in(tape, linear, inputs)))
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
        let residual_dims: Rc<RefCell<Vec<Option<usize>>>> = Rc::default();
        let call = CustomVjp {
            fun: batched(self.fun.clone(), tag, axis, dims, &out_dims),
            forward: batched_forward(self.forward.clone(), tag, axis, dims, (&residual_dims, &out_dims)),
            backward: batched_backward(self.backward.clone(), axis, dims, (&residual_dims, &out_dims)),
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
        let avals: Vec<Aval> = graph.out_avals();
        let graph = ClosedJaxpr { jaxpr: Rc::new(dce::prune(&graph.jaxpr, used, &all).0), consts: graph.consts };
        let (forward, backward, body) = (self.forward.clone(), self.backward.clone(), graph.clone());
        let (keep, keep_too, symbolic) = (used.to_vec(), used.to_vec(), self.symbolic_zeros);
        let call = CustomVjp {
            fun: Rc::new(move |cx, a| eval_closed(cx, &body, a)),
            forward: Rc::new(move |cx, args, nonzero| {
                let mut found = forward(cx, args, nonzero)?;
                found.results = calls::partition(&keep, &found.results).1;
                Ok(found)
            }),
            backward: Rc::new(move |cx, residuals, cotangents| {
                let mut given = cotangents.iter().cloned();
                let mut all = Vec::new();
                for (used, aval) in keep_too.iter().zip(&avals) {
                    all.push(match used {
                        true => given.next().flatten(),
                        false if symbolic => None,
                        false => Some(zeros(cx, &aval.tangent())?),
                    });
                }
                backward(cx, residuals, &all)
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

/// The batch axes of residuals (all of them) and of results, known once the forward rule has run.
type OutDims<'a> = (&'a Rc<RefCell<Vec<Option<usize>>>>, &'a Rc<RefCell<Vec<Option<usize>>>>);

fn batched_forward(rule: ForwardRule, tag: Tag, axis: &Axis, dims: &[Option<usize>], out: OutDims<'_>) -> ForwardRule {
    let (axis, dims, residual_dims, out_dims) = (axis.clone(), dims.to_vec(), out.0.clone(), out.1.clone());
    Rc::new(move |cx, args, nonzero| {
        let about = RefCell::new((0, Vec::new()));
        let body = |args: &[Val]| {
            let forward = rule(cx, args, nonzero)?;
            *about.borrow_mut() = (forward.residuals.len(), forward.forwarded);
            Ok([forward.residuals, forward.results].concat())
        };
        let (mut residuals, mut found) = cx.with_axis(&axis, || vmap::subtrace(cx, tag, &axis, &body, args, &dims))?;
        let (count, forwarded) = about.into_inner();
        let results = residuals.split_off(count);
        *out_dims.borrow_mut() = found.split_off(count);
        let mut found = found.into_iter();
        *residual_dims.borrow_mut() =
            forwarded.iter().map(|f| f.map_or_else(|| found.next().flatten(), |i| dims[i])).collect();
        Ok(Forward { residuals, results, forwarded })
    })
}

/// The backward rule over the batch. The run that the function was mapped in has ended when it is called: what the rule itself holds of that
/// run has left it.
fn batched_backward(rule: BackwardRule, axis: &Axis, dims: &[Option<usize>], out: OutDims<'_>) -> BackwardRule {
    let (axis, dims, residual_dims, out_dims) = (axis.clone(), dims.to_vec(), out.0.clone(), out.1.clone());
    Rc::new(move |cx, residuals, cotangents| {
        let nonzero: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
        let args: Vec<Val> = residuals.iter().chain(cotangents.iter().flatten()).cloned().collect();
        let mut all_dims = residual_dims.borrow().clone();
        all_dims.extend(out_dims.borrow().iter().zip(&nonzero).filter(|(_, nz)| **nz).map(|(d, _)| *d));
        let flags = RefCell::new(Vec::new());
        let body = |args: &[Val]| {
            let (residuals, rest) = args.split_at(residuals.len());
            let found = rule(cx, residuals, &calls::spread(&nonzero, rest.iter().cloned()))?;
            *flags.borrow_mut() = found.iter().map(Option::is_some).collect();
            Ok(found.into_iter().flatten().collect())
        };
        let (results, found) = vmap::batch(cx, &axis, &body, &args, &all_dims)?;
        let flags = flags.into_inner();
        let wanted = dims.iter().zip(&flags).filter(|(_, nz)| **nz).map(|(d, _)| *d);
        let mut placed = Vec::new();
        for ((value, from), to) in results.iter().zip(found).zip(wanted) {
            placed.push(match vmap::place(cx, &axis, value, from, to)? {
                Some(placed) => placed,
                None => build::reduce_sum(cx, value, &[from.unwrap_or(0)])?,
            });
        }
        Ok(calls::spread(&flags, placed).into_vec())
    })
}

/// The linear part of a function with rules of its own: all that is known of it is its transpose.
#[derive(Clone)]
pub struct CustomLin {
    name: Rc<str>,
    residuals: usize,
    backward: BackwardRule,
    avals: Vec<Aval>,
    in_zeros: Vec<bool>,
    symbolic_zeros: bool,
}

impl fmt::Debug for CustomLin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "custom_lin({})", self.name)
    }
}

fn no_forward_mode<T>() -> Step<T> {
    Err(Halt::type_error("can't apply forward-mode autodiff (jvp) to a custom_vjp function."))
}

impl Primitive for CustomLin {
    fn lasts(&self) -> bool {
        false
    }
    fn calls_rules(&self) -> bool {
        true
    }
    fn name(&self) -> &'static str {
        "custom_lin"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        let flag = |b: &bool| if *b { "True" } else { "False" };
        let zeros: Vec<&str> = self.in_zeros.iter().map(flag).collect();
        vec![
            ("bwd", Param::Text(self.name.to_string())),
            ("in_zeros", Param::Text(format!("[{}]", zeros.join(", ")))),
            ("num_res", Param::Text(self.residuals.to_string())),
            ("symbolic_zeros", Param::Text(flag(&self.symbolic_zeros).into())),
        ]
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(self.avals.iter().cloned().collect())
    }
    fn batch(&self, _: &Engine, _: &[Val], _: &[Option<usize>]) -> Step<(Vals, Dims)> {
        no_forward_mode()
    }
    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let residuals: Vec<Val> = calls::known(&inputs[..self.residuals]).cloned().collect();
        let mut all = Vec::new();
        for (cotangent, aval) in cotangents.iter().zip(&self.avals) {
            all.push(match cotangent {
                None if !self.symbolic_zeros => Some(zeros(cx, aval)?),
                cotangent => cotangent.clone(),
            });
        }
        let found = (self.backward)(cx, &residuals, &all)?;
        let mut result: Tangents = Tangents::from_elem(None, self.residuals);
        result.extend(found.into_iter().zip(&self.in_zeros).filter(|(_, zero)| !**zero).map(|(ct, _)| ct));
        Ok(result)
    }
    fn effects(&self) -> Effects {
        Effects::FORWARD
    }
}
