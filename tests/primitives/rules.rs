//! Holds the rules of differentiation and batching against real JAX: the graphs that they make, as text, and their numbers.
//!
//! The cases lie in `rules/*.json` and are written by `rules.py`. `CASE=scatter` runs only the primitives whose name starts so.

use std::path::Path;
use std::rc::Rc;

use serde_json::Value;
use tracer_core::array::{Aval, Tensor};
use tracer_core::primitives::{Operand, Primitive, from_params};
use tracer_core::python::{Halt, Step};
use tracer_core::trace::{Array, Axis, DebugInfo, Engine, Val, print};
use tracer_core::transforms::{backward, jvp, linearize, trace_to_jaxpr, vmap};

mod support;
use support::{aval, close, list, param, tensor, text};

/// Primitives whose graph is known to read differently, and why. Their numbers are compared.
const OTHER_TEXT: &[(&str, &str)] = &[
    ("cumlogsumexp", "JAX calls `logaddexp` with its custom rule; we write out what it does"),
];

#[test]
fn rules_agree_with_jax() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("primitives/rules");
    let only = std::env::var("CASE").unwrap_or_default();
    let (mut count, mut failures) = (0, Vec::new());
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        for (i, case) in cases.iter().enumerate() {
            if !text(&case["p"]).starts_with(&only) {
                continue;
            }
            count += 1;
            if let Err(message) = check(case) {
                let types: Vec<String> = list(&case["in"]).iter().map(|a| format!("{:?}", aval(a))).collect();
                let name = file.file_name().unwrap().to_string_lossy();
                let head = format!("{} {} {}", text(&case["p"]), text(&case["rule"]), case["on"]);
                failures.push(format!("{name}:{} {head} {} of {}\n{message}\n", i + 2, case["params"], types.join(" ")));
            }
        }
    }
    let mut by_name: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for failure in &failures {
        let words: Vec<&str> = failure.split_whitespace().skip(1).take(2).collect();
        *by_name.entry(words.join(" ")).or_default() += 1;
    }
    let shown = failures.iter().take(30).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {count} cases fail: {by_name:?}\n{shown}", failures.len());
}

fn check(case: &Value) -> Result<(), String> {
    let cx = Engine::default();
    let params = case["params"].as_object().unwrap().iter().map(|(name, value)| (Rc::from(name.as_str()), param(value)));
    let primitive = from_params(text(&case["p"]), params).map_err(|halt| format!("is not made: {halt:?}"))?;
    let avals: Vec<Aval> = list(&case["in"]).iter().map(aval).collect();
    let tensors: Vec<Tensor> = list(&case["in"]).iter().zip(&avals).map(|(v, a)| tensor(v, a).unwrap()).collect();
    let values: Vec<Val> = tensors.into_iter().map(|t| Array::known(t, false)).collect();
    let rule = |cx: &Engine, values: &[Val]| apply(cx, case, &primitive, values);

    let show = |halt: Halt| format!("raises {halt:?}");
    let graph = trace_to_jaxpr(&cx, &|values| rule(&cx, values), &avals, DebugInfo::new("jit", "f")).map_err(show)?;
    let expected: Vec<Aval> = list(&case["out"]).iter().map(aval).collect();
    let same_types = graph.out_avals().iter().map(|a| (a.dtype, a.shape.clone())).eq(expected.iter().map(|a| (a.dtype, a.shape.clone())));
    if !same_types {
        return Err(format!("gives {:?}, not {expected:?}", graph.out_avals()));
    }
    let results = rule(&cx, &values).map_err(show)?;
    for (i, (result, (out, aval))) in results.iter().zip(list(&case["out"]).iter().zip(&expected)).enumerate() {
        let result = cx.force(result).map_err(show)?;
        let tolerance = case.get("tol").and_then(Value::as_f64);
        close(&result, &tensor(out, aval).unwrap(), tolerance).map_err(|message| format!("result {i}: {message}"))?;
    }
    let reads_differently = OTHER_TEXT.iter().any(|(name, _)| *name == text(&case["p"]));
    if let Some(expected) = case.get("graph").map(text).filter(|_| !reads_differently) {
        let shown = print::jaxpr(&graph.jaxpr);
        if shown.trim_end() != expected.trim_end() {
            return Err(format!("expected {expected}\nbut got  {shown}"));
        }
    }
    Ok(())
}

/// The primitive under the rule of the case.
fn apply(cx: &Engine, case: &Value, primitive: &Rc<dyn Primitive>, values: &[Val]) -> Step<Vec<Val>> {
    let bind = |all: &[Val]| cx.bind(primitive.clone(), all).map(|vals| vals.into_vec());
    let on = list(&case["on"]);
    if text(&case["rule"]) == "vmap" {
        let dims: Vec<Option<usize>> = on.iter().map(|d| d.as_u64().map(|d| d as usize)).collect();
        let size = values.iter().zip(&dims).find_map(|(v, d)| d.map(|d| v.aval.shape[d].known().unwrap())).unwrap();
        let axis = Axis { name: None, size };
        let (results, dims) = vmap::batch(cx, &axis, &bind, values, &dims)?;
        let placed = results.iter().zip(dims).map(|(v, d)| vmap::place(cx, &axis, v, d, Some(0)));
        return placed.map(|v| v.map(Option::unwrap)).collect();
    }
    let on: Vec<usize> = on.iter().map(|i| i.as_u64().unwrap() as usize).collect();
    if text(&case["rule"]) == "jvp" {
        let (args, moving) = values.split_at(values.len() - on.len());
        let at = |moved: &[Val]| bind(&replaced(args, &on, moved));
        let primals: Vec<Val> = on.iter().map(|&i| args[i].clone()).collect();
        let tangents: Vec<Option<Val>> = moving.iter().cloned().map(Some).collect();
        let (mut results, tangents) = jvp::jvp(cx, &at, &primals, &tangents)?;
        let tangents = tangents.into_iter().zip(&results).map(|(t, p)| jvp::instantiate(cx, t, p)).collect::<Step<Vec<_>>>()?;
        results.extend(tangents);
        return Ok(results);
    }
    let inputs = values.len() - cotangents(case);
    let (args, cts) = values.split_at(inputs);
    let primals: Vec<Val> = on.iter().map(|&i| args[i].clone()).collect();
    let linear = linearize::linearize(cx, &|moved| bind(&replaced(args, &on, moved)), &primals, DebugInfo::new("vjp", "f"))?;
    let operands: Vec<Operand> = primals.iter().map(|p| Operand::Linear(p.aval.tangent())).collect();
    let cts: Vec<Option<Val>> = cts.iter().zip(&linear.nonzero).filter(|(_, nonzero)| **nonzero).map(|(ct, _)| Some(ct.clone())).collect();
    let results = backward::backward(cx, &linear.tape.jaxpr, &linear.tape.consts, &operands, &cts)?;
    results.into_iter().zip(&primals).map(|(ct, p)| jvp::instantiate(cx, ct, p)).collect()
}

/// How many of the inputs of a `vjp` case are cotangents.
fn cotangents(case: &Value) -> usize {
    case["results"].as_u64().unwrap_or(1) as usize
}

fn replaced(args: &[Val], on: &[usize], moved: &[Val]) -> Vec<Val> {
    let mut args = args.to_vec();
    for (&i, value) in on.iter().zip(moved) {
        args[i] = value.clone();
    }
    args
}
