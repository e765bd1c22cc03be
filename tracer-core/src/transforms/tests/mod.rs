//! Transformed programs against the text that JAX 0.10.2 prints for them. `jax.py` writes `jax.txt`.

mod kept;
mod programs;

use std::rc::Rc;

use super::*;
use crate::array::{DType, Dim, Tensor};
use crate::primitives::{DotDims, DotGeneral, Operand};
use crate::trace::Repr;

/// The type of a float array.
fn f32(shape: &[usize]) -> Aval {
    Aval::new(DType::F32, shape.iter().copied())
}

fn one(cx: &Engine, like: &Val) -> Val {
    build::unit_like(cx, &like.aval, 1i64)
}

/// The sum of all elements.
fn sum(cx: &Engine, x: &Val) -> Step<Val> {
    build::reduce_sum(cx, x, &(0..x.aval.rank()).collect::<Vec<_>>())
}

/// The text of a function's graph.
fn show(f: Flat<'_>, avals: &[Aval], cx: &Engine) -> String {
    match trace_to_jaxpr(cx, f, avals, DebugInfo::default()) {
        Ok(closed) => closed.to_string(),
        Err(halt) => format!("{halt:?}"),
    }
}

/// The gradient of a function with one result.
fn grad(cx: &Engine, f: Flat<'_>, inputs: &[Val]) -> Step<Vec<Val>> {
    let done = linearize::linearize(cx, f, inputs, DebugInfo::default())?;
    let operands: Vec<Operand> = inputs.iter().map(|v| Operand::Linear(v.aval.tangent())).collect();
    let cotangent = if done.nonzero[0] { vec![Some(one(cx, &done.results[0]))] } else { vec![] };
    let found = backward::backward(cx, &done.tape.jaxpr, &done.tape.consts, &operands, &cotangent)?;
    found.into_iter().zip(inputs).map(|(g, v)| g.map_or_else(|| zeros(cx, &v.aval.tangent()), Ok)).collect()
}

/// `jax.jvp` of all inputs along themselves.
fn jvp_self(cx: &Engine, f: Flat<'_>, inputs: &[Val]) -> Step<Vec<Val>> {
    let tangents: Vec<Option<Val>> = inputs.iter().cloned().map(Some).collect();
    let (mut results, tangents) = jvp::jvp(cx, f, inputs, &tangents)?;
    for (i, tangent) in tangents.into_iter().enumerate() {
        let tangent = jvp::instantiate(cx, tangent, &results[i])?;
        results.push(tangent);
    }
    Ok(results)
}

/// The linear part of a function at a point, applied to the point.
fn linear_self(cx: &Engine, f: Flat<'_>, inputs: &[Val]) -> Step<Vec<Val>> {
    let done = linearize::linearize(cx, f, inputs, DebugInfo::default())?;
    let mut found = graphs::eval_closed(cx, &done.tape, inputs)?.into_iter();
    let mut all = Vec::new();
    for (nonzero, result) in done.nonzero.iter().zip(&done.results) {
        all.push(if *nonzero { found.next().unwrap() } else { zeros(cx, &result.aval.tangent())? });
    }
    Ok(all)
}

/// `jax.vmap` along one axis.
fn vmap_of(cx: &Engine, f: Flat<'_>, inputs: &[Val], dims: &[Option<usize>], out: usize) -> Step<Vec<Val>> {
    let size = vmap::size_of(inputs, dims).unwrap();
    let axis = crate::trace::Axis { name: None, size, of_devices: false };
    let (results, found) = vmap::batch(cx, &axis, f, inputs, dims)?;
    results.iter().zip(found).map(|(v, d)| Ok(vmap::place(cx, &axis, v, d, Some(out))?.unwrap())).collect()
}

/// `jax.jit`: a graph is traced once per function.
struct Jitted {
    name: &'static str,
    graph: ClosedJaxpr,
}

impl Jitted {
    fn new(cx: &Engine, name: &'static str, f: Flat<'_>, avals: &[Aval]) -> Jitted {
        Jitted { name, graph: trace_to_jaxpr(cx, f, avals, DebugInfo::default()).unwrap() }
    }
    fn call(&self, cx: &Engine, inputs: &[Val]) -> Step<Vec<Val>> {
        let (graph, consts) = if self.graph.consts.iter().any(|c| c.is_tracer()) {
            self.graph.separate()
        } else {
            (self.graph.clone(), Vec::new())
        };
        let all: Vec<Val> = consts.iter().chain(inputs).cloned().collect();
        Ok(cx.bind(Rc::new(jit::Jit::new(self.name.into(), graph, false)), &all)?.into_vec())
    }
}

/// `lax.scan` with a carry and scanned inputs of one axis.
fn scan_of(cx: &Engine, body: Flat<'_>, carry: &[Val], xs: &[Val]) -> Step<Vec<Val>> {
    let length = xs[0].aval.shape[0];
    let mut avals: Vec<Aval> = carry.iter().map(|v| v.aval.clone()).collect();
    avals.extend(xs.iter().map(|x| Aval { shape: x.aval.shape[1..].into(), ..x.aval.clone() }));
    let (jaxpr, consts) = trace_to_jaxpr(cx, body, &avals, DebugInfo::default())?.separate();
    let inputs: Vec<Val> = consts.iter().chain(carry).chain(xs).cloned().collect();
    let scan =
        scan::Scan { jaxpr, length, reverse: false, num_consts: consts.len(), num_carry: carry.len(), unroll: 1 };
    Ok(cx.bind(Rc::new(scan), &inputs)?.into_vec())
}

/// `lax.while_loop`
fn while_of(cx: &Engine, cond: Flat<'_>, body: Flat<'_>, carry: &[Val]) -> Step<Vec<Val>> {
    let avals: Vec<Aval> = carry.iter().map(|v| v.aval.clone()).collect();
    let (cond, cond_consts) = trace_to_jaxpr(cx, cond, &avals, DebugInfo::default())?.separate();
    let (body, body_consts) = trace_to_jaxpr(cx, body, &avals, DebugInfo::default())?.separate();
    let inputs: Vec<Val> = cond_consts.iter().chain(&body_consts).chain(carry).cloned().collect();
    let primitive = while_loop::While { cond, cond_consts: cond_consts.len(), body, body_consts: body_consts.len() };
    Ok(cx.bind(Rc::new(primitive), &inputs)?.into_vec())
}

#[test]
fn transformed_programs_print_as_in_jax() {
    let expected = include_str!("jax.txt");
    let mut wrong = Vec::new();
    let only = std::env::var("PROGRAM").ok();
    let mut seen = 0;
    for part in expected.split("--- ").filter(|p| !p.is_empty()) {
        let (name, text) = part.split_once('\n').unwrap();
        // JAX shows that it made some axes with NumPy; we do not.
        let text = &text.replace("np.int64(1)", "1");
        if only.as_deref().is_some_and(|o| o != name) {
            continue;
        }
        seen += 1;
        let ours = programs::run(name);
        if ours.trim_end() != text.trim_end() {
            wrong.push(format!("=== {name}\n--- JAX\n{text}\n--- ours\n{ours}\n"));
        }
    }
    assert!(wrong.is_empty(), "{} of {seen} differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn values_of_eager_arrays_wait_and_come() {
    let cx = Engine::default();
    let n = 3000usize;
    let x = build::iota(&cx, DType::F32, &[Dim::from(n)], 0).unwrap();
    let mut y = x;
    for _ in 0..20_000 {
        y = build::neg(&cx, &y).unwrap();
    }
    let total = sum(&cx, &y).unwrap();
    assert!(total.tensor().is_none() && matches!(total.repr, Repr::Deferred(..)));
    cx.fuel.set(u64::MAX);
    let tensor = cx.force(&total).unwrap();
    assert_eq!(tensor.view::<f32>().unwrap(), [(n * (n - 1) / 2) as f32]);
    let small = build::add(&cx, &total, &total).unwrap();
    assert!(small.tensor().is_some());
}

#[test]
fn long_chains_go_without_overflowing() {
    let cx = Engine::default();
    let mut y = build::iota(&cx, DType::F32, &[Dim::from(100usize)], 0).unwrap();
    for _ in 0..300_000 {
        y = build::neg(&cx, &y).unwrap();
    }
    drop(y);
}

#[test]
fn numbers_past_the_limit_are_unknown() {
    let cx = Engine::default();
    cx.fuel.set(1000);
    let x = build::iota(&cx, DType::F32, &[Dim::from(3000usize)], 0).unwrap();
    assert!(format!("{:?}", cx.force(&x)).contains("too large"));
}

#[test]
fn a_tracer_outside_of_its_trace_raises() {
    let cx = Engine::default();
    let leaked = std::cell::RefCell::new(None);
    let keep = |args: &[Val]| {
        let y = build::sin(&cx, &args[0])?;
        *leaked.borrow_mut() = Some(y.clone());
        Ok(vec![y])
    };
    trace_to_jaxpr(&cx, &keep, &[f32(&[3])], DebugInfo::default()).unwrap();
    let y = leaked.borrow().clone().unwrap();
    let error = format!("{:?}", build::sin(&cx, &y));
    assert!(error.contains("with type float32[3] wrapped in a DynamicJaxprTracer to escape"), "{error}");
    let x = build::iota(&cx, DType::F32, &[Dim::from(3usize)], 0).unwrap();
    grad(&cx, &|a| keep(a).and_then(|y| Ok(vec![sum(&cx, &y[0])?])), &[x]).unwrap();
    let y = leaked.borrow().clone().unwrap();
    assert!(format!("{:?}", build::sin(&cx, &y)).contains("LinearizeTracer"));
    assert!(y.concrete().is_some());
    assert!(cx.is_top_level());
}

#[test]
fn numbers_flow_through_transformations() {
    let cx = Engine::default();
    let x = cx.constant(crate::array::Tensor::scalar(2.0f32));
    let cube = |args: &[Val]| Ok(vec![build::mul(&cx, &build::mul(&cx, &args[0], &args[0])?, &args[0])?]);
    let slope = grad(&cx, &cube, &[x.clone()]).unwrap();
    assert_eq!(cx.force(&slope[0]).unwrap().view::<f32>().unwrap(), [12.0]);
    let curve = |args: &[Val]| grad(&cx, &cube, args);
    let second = grad(&cx, &curve, &[x]).unwrap();
    assert_eq!(cx.force(&second[0]).unwrap().view::<f32>().unwrap(), [12.0]);
}

#[test]
fn transposed_products_are_made_at_once() {
    let cx = Engine::default();
    cx.fuel.set(u64::MAX);
    let dims = DotDims {
        lhs_contract: [0].into_iter().collect(),
        rhs_contract: [0].into_iter().collect(),
        ..DotDims::default()
    };
    let dot = DotGeneral { dims, precision: Default::default(), preferred: None };
    let product = |args: &[Val]| cx.bind1(dot.clone(), args);
    let alone = |args: &[Val]| Ok(vec![build::transpose(&cx, &product(args)?, &[1, 0])?]);
    let beside = |args: &[Val]| {
        let product = product(args)?;
        Ok(vec![build::transpose(&cx, &product, &[1, 0])?, product])
    };
    let (k, m, n) = (5, 70, 90);
    let numbers = |size: usize| -> Vec<f32> { (0..size).map(|i| (i * 7 % 13) as f32 - 6.0).collect() };
    let (lhs, rhs) = (numbers(k * m), numbers(k * n));
    let inputs = [Tensor::new(&[k, m][..], lhs.clone()), Tensor::new(&[k, n][..], rhs.clone())];
    let element = |i: usize| (0..k).map(|l| lhs[l * m + i % m] * rhs[l * n + i / m]).sum::<f32>();
    let expected: Vec<f32> = (0..m * n).map(element).collect();
    let mut texts = Vec::new();
    for (f, pairs) in [(&alone as Flat<'_>, 1), (&beside as Flat<'_>, 0)] {
        let closed = trace_to_jaxpr(&cx, f, &[f32(&[k, m]), f32(&[k, n])], DebugInfo::default()).unwrap();
        let work = chain::find(&closed.jaxpr);
        let turned = work.iter().flatten().filter(|work| matches!(work, chain::Work::Turned(_)));
        assert_eq!(turned.count(), pairs);
        // Whoever looks at every array is told of the product, too.
        let told: Rc<std::cell::RefCell<Vec<String>>> = Rc::default();
        let note = told.clone();
        let observer: crate::trace::Observer = Rc::new(move |primitive, inputs, outputs| {
            let of =
                |all: &[Tensor]| all.iter().map(|t| format!("{:?} {:?}", t.shape, t.view::<f32>())).collect::<String>();
            note.borrow_mut().push(format!("{} {} {}", primitive.name(), of(inputs), of(outputs)));
        });
        *cx.observer.borrow_mut() = Some(observer);
        for observed in [false, true] {
            cx.observed.set(observed);
            let found = eval::eval_tensors(&cx, &closed, &inputs).unwrap();
            assert_eq!((&found[0].shape[..], found[0].view::<f32>().unwrap()), (&[n, m][..], &expected[..]));
        }
        *cx.observer.borrow_mut() = None;
        texts.push(told.borrow().clone());
    }
    assert!(texts[0].len() == 2 && texts[0] == texts[1]);
}

/// Unwraps results with one element.
fn single(results: Vec<Val>) -> Val {
    results.into_iter().next().unwrap()
}
