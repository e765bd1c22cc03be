//! Differentiation of Python functions.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use super::graph::{arrays, graph_of, list};
use super::services::zero_value;
use super::tree::{self, Def, def_of, def_value};
use super::{Members, conversion, introspection};
use crate::array::DType;
use crate::frameworks::jax::prims;
use crate::frameworks::numpy::array::{NdArray, numbers_of};
use crate::interp::{How, Interp};
use crate::primitives::Operand;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, Object, Value};
use crate::trace::{DebugInfo, Jaxpr, Staging, Val, staging};
use crate::transforms::graphs::eval_jaxpr;
use crate::transforms::{backward, dce, jvp, linearize};

/// The linear part of a function: a graph from tangents to tangents whose constants are the residuals.
pub struct LinearObject(pub Rc<Jaxpr>);

impl Object for LinearObject {
    fn type_name(&self) -> String {
        "LinearJaxpr".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.types.object.clone()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn repr(self: Rc<Self>, _: &Rc<Interp>, _: bool) -> Step<Option<String>> {
        Ok(Some(self.0.to_string()))
    }
}

fn linear_of(value: &Value) -> Step<Rc<Jaxpr>> {
    match value {
        Value::Object(object) => match object.downcast::<LinearObject>() {
            Some(linear) => Ok(linear.0.clone()),
            None => Err(Halt::unknown("not a linear graph")),
        },
        _ => Err(Halt::unknown("not a linear graph")),
    }
}

/// Calls a function on the leaves of its positional arguments.
fn call(it: &Rc<Interp>, f: &Value, def: &Def, leaves: &[Val]) -> Step<Value> {
    let result = it.in_trace(How::Differentiated, || {
        let args = tree::unflatten_asking(it, def, leaves.iter().cloned().map(Value::Array), 1)?;
        it.call(f, Args::of(it.to_vec(&args)?))
    });
    match result? {
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        value => Ok(value),
    }
}

/// The result of a function and its auxiliary part.
fn with_aux(it: &Rc<Interp>, value: Value, has_aux: bool) -> Step<(Value, Value)> {
    if !has_aux {
        return Ok((value, Value::None));
    }
    let shown = conversion::class_text(it, &value);
    let wrong = |what: String| {
        Err(Halt::type_error(format!(
            "expected function with aux output to return a two-element tuple, but got {what}"
        )))
    };
    match &value {
        Value::Tuple(items) => match &**items {
            [out, aux] => Ok((out.clone(), aux.clone())),
            _ => wrong(format!("type {shown} with value {}", introspection::shown(it, &value))),
        },
        other => wrong(format!("type {shown} with value {}", introspection::shown(it, other))),
    }
}

/// The leaves of a result as arrays.
/// The leaves of a result: its tree, the leaves as they are, and as arrays.
fn outputs(it: &Rc<Interp>, value: &Value) -> Step<(Def, Vec<Value>, Vec<Val>)> {
    let (leaves, def) = tree::flatten_asking(it, value, tree::Asks::ONCE)?;
    let arrays = leaves.iter().map(|leaf| super::services::array_of(it, leaf)).collect::<Step<Vec<_>>>()?;
    Ok((def, leaves.into_iter().collect(), arrays))
}

/// Primal results: numbers of Python's and arrays of NumPy's that a function returns come back as they are.
fn as_returned(leaves: Vec<Value>, outs: &[Val], given: &Given) -> Value {
    let one = |(leaf, out): (Value, &Val)| match leaf {
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(_) | Value::Object(_) => leaf,
        _ => given.or_array(out),
    };
    Value::list(leaves.into_iter().zip(outs).map(one).collect::<Vec<_>>())
}

/// An argument in the type that JAX computes with.
fn canonical(array: &Val, given: Value) -> Value {
    match numbers_of(&given) {
        Some(own) if own.aval.dtype == array.aval.dtype => given,
        Some(_) => NdArray::value(array.clone()),
        None => Value::Array(array.clone()),
    }
}

/// Arguments as they were given, and the arrays that stand for them.
pub struct Given {
    values: Vec<Value>,
    arrays: Vec<Val>,
}

impl Given {
    /// Arguments and their arrays.
    pub fn new(values: Vec<Value>, arrays: &[Val]) -> Given {
        Given { values, arrays: arrays.to_vec() }
    }
    /// Whether an array stands for an argument.
    fn has(&self, array: &Val) -> bool {
        self.arrays.iter().any(|given| Rc::ptr_eq(given, array))
    }
    /// A result: what was given and comes back untouched is still what it was, a NumPy array or a number of Python's.
    pub fn or_array(&self, out: &Val) -> Value {
        let place = self.arrays.iter().position(|array| Rc::ptr_eq(array, out));
        match place.map(|i| &self.values[i]) {
            Some(value @ (Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(_) | Value::Object(_))) => {
                value.clone()
            }
            _ => Value::Array(out.clone()),
        }
    }
}

/// The parts of the auxiliary output with the tracers of a trace replaced by what they stand for: it is made of them outside of the trace.
fn lowered(it: &Rc<Interp>, aux: &Value, strip: impl Fn(&Val) -> Val) -> Step<(Def, Vec<Value>)> {
    let (leaves, def) = tree::flatten_asking(it, aux, tree::Asks::ONCE)?;
    let leaves = leaves.into_iter().map(|leaf| match leaf {
        Value::Array(array) => Value::Array(strip(&array)),
        other => other,
    });
    let leaves = leaves.collect();
    Ok((def, leaves))
}

/// A tangent or cotangent from Python: none for float0 and symbolic zeros.
///
/// # Errors
/// `TypeError` for what is no array.
pub fn maybe_zero(it: &Rc<Interp>, value: &Value) -> Step<Option<Val>> {
    if let Value::Instance(instance) = value {
        let class = instance.class();
        if matches!(class.name.as_str(), "Zero" | "SymbolicZero") && class.module.as_str() == "jax._engine" {
            return Ok(None);
        }
    }
    let array = prims::input(it, value)?;
    Ok((array.aval.dtype != DType::Float0).then_some(array))
}

fn flag(it: &Rc<Interp>, value: &Value) -> Step<bool> {
    if value.is_unbound() { Ok(false) } else { it.truth(value) }
}

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    // `jvp_call(f, in_tree, primals, tangents, has_aux=False)`: Forward mode: calls `f` on the unflattened primals with
    // tangents; `(out_tree, out_primals, out_tangents)`, and the auxiliary output as a fourth. Zero tangents come back
    // as zeros. `in_tree` is the tree of the positional arguments. float0 tangents mean none.
    members.function("jvp_call", |it, args| {
        let [f, def, primals, tangents, has_aux] =
            args.bind("jvp_call", ["f", "in_tree", "primals", "tangents", "has_aux"], 4)?;
        let (def, has_aux) = (def_of(&def)?, flag(it, &has_aux)?);
        let given = it.to_vec(&primals)?;
        let primals = arrays(it, &primals)?;
        let given = Given::new(given, &primals);
        let dots = it.to_vec(&tangents)?;
        let tangents = dots.iter().map(|t| maybe_zero(it, t)).collect::<Step<Vec<_>>>()?;
        let (dots, arrays): (Vec<Value>, Vec<Val>) =
            dots.into_iter().zip(&tangents).filter_map(|(dot, array)| Some((dot, array.clone()?))).unzip();
        let given_dots = Given::new(dots, &arrays);
        let tag = it.engine.fresh_tag();
        let about = RefCell::new((Def::leaf(), Vec::new(), (Def::leaf(), Vec::new())));
        let body = |args: &[Val]| {
            let (out, aux) = with_aux(it, call(it, &f, &def, args)?, has_aux)?;
            let (out_def, leaves, outs) = outputs(it, &out)?;
            *about.borrow_mut() = (out_def, leaves, lowered(it, &aux, |v| jvp::split(tag, v).0)?);
            Ok(outs)
        };
        let (outs, dots) = jvp::subtrace(&it.engine, tag, &body, &primals, &tangents)?;
        let mut all = Vec::with_capacity(dots.len());
        for (dot, out) in dots.into_iter().zip(&outs) {
            all.push(match dot {
                // A tangent is the one that was given where its primal is.
                Some(dot) if given.has(out) => given_dots.or_array(&dot),
                Some(dot) => Value::Array(dot),
                None => zero_value(it, &out.aval.tangent())?,
            });
        }
        let (out_def, leaves, aux) = about.into_inner();
        let mut found = vec![def_value(out_def), as_returned(leaves, &outs, &given), Value::list(all)];
        if has_aux {
            found.push(tree::unflatten_asking(it, &aux.0, aux.1, 1)?);
        }
        Ok(Value::tuple(found))
    });
    // `linearize_call(f, in_tree, primals, has_aux=False, is_vjp=False)`: Linearizes `f` at the primals: `(out_tree,
    // out_primals, out_zero, linear, residuals)` and the auxiliary output as a sixth. `linear` is a `LinearJaxpr` from
    // tangents to those output tangents where `out_zero` is false. With `has_aux` a result that is no pair raises
    // TypeError `expected function with aux output to return a two-element tuple, but got type …`. With `is_vjp` only
    // what the transpose needs is kept.
    members.function("linearize_call", |it, args| {
        let names = ["f", "in_tree", "primals", "has_aux", "is_vjp"];
        let [f, def, primals, has_aux, is_vjp] = args.bind("linearize_call", names, 3)?;
        let (def, has_aux) = (def_of(&def)?, flag(it, &has_aux)?);
        let (given, is_vjp) = (it.to_vec(&primals)?, flag(it, &is_vjp)?);
        let primals = arrays(it, &primals)?;
        // A pullback is taken at what JAX computes with: numbers of NumPy's in JAX's own types.
        let given = if is_vjp { primals.iter().zip(given).map(|(p, g)| canonical(p, g)).collect() } else { given };
        let given = Given::new(given, &primals);
        let cx = &it.engine;
        let tag = cx.fresh_tag();
        let parent = cx.trace();
        let debug = DebugInfo::new("linearize", &introspection::source(it, &f)?);
        let tape = Staging::new(Some(parent.clone()), debug);
        let trace = linearize::trace(cx, tag, parent, &tape);
        let inputs: Vec<Val> = primals
            .iter()
            .map(|p| linearize::join(&trace, p.clone(), Some(staging::argument(&tape, p.aval.tangent()))))
            .collect();
        let (out_def, leaves, outs, aux) = cx.within(&trace, || {
            let (out, aux) = with_aux(it, call(it, &f, &def, &inputs)?, has_aux)?;
            let (out_def, leaves, outs) = outputs(it, &out)?;
            Ok::<_, Halt>((out_def, leaves, outs, lowered(it, &aux, |v| linearize::split(tag, v).0)?))
        })?;
        let (outs, dots): (Vec<Val>, Vec<Option<Val>>) = outs.iter().map(|v| linearize::split(tag, v)).unzip();
        let zero = dots.iter().map(|d| Value::Bool(d.is_none())).collect();
        let dots: Vec<Val> = dots.into_iter().flatten().collect();
        let tape = dce::live(&staging::finish(&tape, &dots));
        let mut found = vec![
            def_value(out_def),
            as_returned(leaves, &outs, &given),
            Value::list(zero),
            Value::Object(Rc::new(LinearObject(tape.jaxpr.clone()))),
            list(tape.consts.iter().cloned()),
        ];
        if has_aux {
            found.push(tree::unflatten_asking(it, &aux.0, aux.1, 1)?);
        }
        Ok(Value::tuple(found))
    });
    // `eval_linear(linear, residuals, tangents)`: Applies a linear jaxpr to tangents: the output tangents where not
    // known to be zero.
    members.function("eval_linear", |it, args| {
        let [linear, residuals, tangents] = args.exactly("eval_linear")?;
        let linear = linear_of(&linear)?;
        let (residuals, tangents) = (arrays(it, &residuals)?, arrays(it, &tangents)?);
        Ok(list(eval_jaxpr(&it.engine, &linear, &residuals, &tangents)?))
    });
    // `backward_pass(linear, residuals, cotangents)`: Applies the transpose of a linear jaxpr to the cotangents of its
    // outputs: cotangents of its inputs, zeros instantiated (float0 ones as NumPy arrays).
    members.function("backward_pass", |it, args| {
        let [linear, residuals, cotangents] = args.exactly("backward_pass")?;
        let linear = linear_of(&linear)?;
        let residuals = arrays(it, &residuals)?;
        let cotangents = it.to_vec(&cotangents)?.iter().map(|c| maybe_zero(it, c)).collect::<Step<Vec<_>>>()?;
        pull_back(it, &linear, &residuals, &[], &cotangents)
    });
    // `linear_source(linear)`: `name at path:line` of the function that a linear jaxpr came from.
    members.function("linear_source", |_, args| {
        let [linear] = args.exactly("linear_source")?;
        Ok(Value::str(&*linear_of(&linear)?.debug.function))
    });
    // `transpose_linear(jaxpr, consts, in_avals, cotangents)`: The cotangents of the inputs of a function staged by
    // `stage_linear`.
    members.function("transpose_linear", |it, args| {
        let [graph, consts, _avals, cotangents] = args.exactly("transpose_linear")?;
        let graph = graph_of(&graph)?;
        let consts = arrays(it, &consts)?;
        let cotangents = it.to_vec(&cotangents)?.iter().map(|c| maybe_zero(it, c)).collect::<Step<Vec<_>>>()?;
        pull_back(it, &graph.jaxpr, &graph.consts, &consts, &cotangents)
    });
    // `maybe_perturbed(x)`: Whether a running differentiation may see `x` vary: false for known arrays and integer
    // tracers.
    members.function("maybe_perturbed", |_, args| {
        let [x] = args.exactly("maybe_perturbed")?;
        Ok(Value::Bool(matches!(&x, Value::Array(a) if a.is_tracer() && a.aval.tangent().dtype != DType::Float0)))
    });
}

/// The cotangents of the inputs of a linear graph after the known ones.
fn pull_back(
    it: &Rc<Interp>,
    linear: &Jaxpr,
    consts: &[Val],
    known: &[Val],
    cotangents: &[Option<Val>],
) -> Step<Value> {
    let mut inputs: Vec<Operand> = known.iter().cloned().map(Operand::Known).collect();
    inputs.extend(linear.in_avals().skip(known.len()).cloned().map(Operand::Linear));
    let found = backward::backward(&it.engine, linear, consts, &inputs, cotangents)?;
    let mut all = Vec::with_capacity(found.len());
    for (found, aval) in found.into_iter().zip(linear.in_avals()).skip(known.len()) {
        all.push(match found {
            Some(found) => Value::Array(found),
            None => zero_value(it, &backward::cotangent_aval(aval))?,
        });
    }
    Ok(Value::list(all))
}
