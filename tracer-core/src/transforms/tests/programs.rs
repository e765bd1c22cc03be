//! The programs of `jax.py`, over our own primitives.

use std::rc::Rc;

use super::*;
use crate::primitives::ParamValue;
use crate::primitives::build::{add, cos, lt, mul, sin};

/// The text of the graph of the program of this name.
pub fn run(name: &str) -> String {
    let cx = Engine::default();
    let cx = &cx;
    let s = f32(&[]);
    let (v3, v5, m43) = (f32(&[3]), f32(&[5]), f32(&[4, 3]));
    let g = |a: &[Val]| Ok(vec![mul(cx, &sin(cx, &a[0])?, &a[0])?]);
    let jg = |shape: &[usize]| Jitted::new(cx, "g", &g, &[f32(shape)]);
    let body = |a: &[Val]| Ok(vec![mul(cx, &a[0], &sin(cx, &a[1])?)?, add(cx, &a[0], &a[1])?]);
    let scan = |a: &[Val]| scan_of(cx, &body, &a[..1], &a[1..]);
    let scan_k = |a: &[Val]| {
        let k = &a[0];
        let body = |b: &[Val]| {
            let both = mul(cx, &sin(cx, &b[1])?, &sin(cx, k)?)?;
            Ok(vec![mul(cx, &b[0], &both)?, add(cx, &b[0], &b[1])?])
        };
        scan_of(cx, &body, &a[1..2], &a[2..])
    };
    let first = |r: Step<Vec<Val>>| r.map(|v| vec![single(v)]);
    let total = |r: Step<Vec<Val>>| r.and_then(|v| Ok(vec![sum(cx, &v[0])?]));
    let looped = |a: &[Val]| {
        let cond = |c: &[Val]| Ok(vec![lt(cx, &c[0], &build::scalar_like(cx, &c[0], 3.0))?]);
        let body = |c: &[Val]| Ok(vec![mul(cx, &c[0], &c[0])?, sin(cx, &c[1])?]);
        while_of(cx, &cond, &body, a)
    };
    let h = |a: &[Val]| Ok(vec![sin(cx, &sin(cx, &a[0])?)?]);
    let text = |avals: &[Aval], f: Flat<'_>| show(f, avals, cx);
    match name {
        "closure" => {
            let c = build::iota(cx, DType::F32, &[Dim::from(3usize)], 0).unwrap();
            text(&[v3], &|a| Ok(vec![add(cx, &a[0], &c)?]))
        }
        "jit twice" => {
            let j = jg(&[3]);
            text(&[v3], &|a| Ok(vec![add(cx, &single(j.call(cx, a)?), &single(j.call(cx, a)?))?]))
        }
        "grad" => text(&[v3], &|a| grad(cx, &|a| total(g(a)), a)),
        "grad of jit" => {
            let j = jg(&[3]);
            text(&[v3], &|a| grad(cx, &|a| total(j.call(cx, a)), a))
        }
        "grad of jit identity" => {
            let j = Jitted::new(cx, "<lambda>", &|a| Ok(a.to_vec()), &[s.clone()]);
            text(&[s], &|a| grad(cx, &|a| j.call(cx, a), a))
        }
        "jvp of jit" => {
            let j = jg(&[3]);
            text(&[v3], &|a| jvp_self(cx, &|a| j.call(cx, a), a))
        }
        "vmap" => text(&[m43, f32(&[3, 4])], &|a| {
            vmap_of(cx, &|b| Ok(vec![mul(cx, &sin(cx, &b[0])?, &b[1])?]), a, &[Some(0), Some(1)], 1)
        }),
        "vmap of jit" => {
            let j = jg(&[3]);
            text(&[m43], &|a| vmap_of(cx, &|a| j.call(cx, a), a, &[Some(0)], 0))
        }
        "vmap unmapped" => text(&[m43, v3], &|a| {
            vmap_of(cx, &|b| Ok(vec![add(cx, &b[0], &b[1])?, sin(cx, &b[1])?]), a, &[Some(0), None], 0)
        }),
        "hessian" => text(&[s], &|a| grad(cx, &|a| grad(cx, &g, a), a)),
        "jvp of grad" => text(&[s], &|a| jvp_self(cx, &|a| grad(cx, &g, a), a)),
        "vmap of grad" => text(&[v3], &|a| vmap_of(cx, &|a| grad(cx, &g, a), a, &[Some(0)], 0)),
        "scan" => text(&[s, v5], &scan),
        "scan closure" => text(&[s.clone(), s, v5], &scan_k),
        "jvp of scan" => text(&[s, v5], &|a| jvp_self(cx, &scan, a)),
        "jvp of scan, carry only becomes nonzero" => {
            text(&[s, v5], &|a| jvp_self(cx, &|x| scan(&[a[0].clone(), x[0].clone()]), &a[1..]))
        }
        "grad of scan" => text(&[s, v5], &|a| grad(cx, &|a| first(scan(a)), a)),
        "grad of scan closure" => text(&[s.clone(), s, v5], &|a| grad(cx, &|a| first(scan_k(a)), a)),
        "grad of scan, xs only" => text(&[s.clone(), s, v5], &|a| {
            let f = |x: &[Val]| total(scan_k(&[a[0].clone(), a[1].clone(), x[0].clone()]).map(|r| r[1..].to_vec()));
            grad(cx, &f, &a[2..])
        }),
        "vmap of scan, xs" => {
            text(&[s, f32(&[5, 4])], &|a| vmap_of(cx, &|x| scan(&[a[0].clone(), x[0].clone()]), &a[1..], &[Some(1)], 0))
        }
        "vmap of scan, consts" => text(&[f32(&[4]), s, v5], &|a| {
            vmap_of(cx, &|k| scan_k(&[k[0].clone(), a[1].clone(), a[2].clone()]), &a[..1], &[Some(0)], 0)
        }),
        "while" => text(&[s.clone(), s, v3], &|a| looped(&[a[0].clone(), a[2].clone()])),
        "jvp of while" => text(&[s, v3], &|a| jvp_self(cx, &|c| looped(&[a[0].clone(), c[0].clone()]), &a[1..])),
        "linearize of while" => {
            text(&[s, v3], &|a| linear_self(cx, &|c| looped(&[a[0].clone(), c[0].clone()]), &a[1..]))
        }
        "vmap of while, predicate shared" => {
            text(&[s, m43], &|a| vmap_of(cx, &|c| looped(&[a[0].clone(), c[0].clone()]), &a[1..], &[Some(0)], 0))
        }
        "vmap of while, predicate per element" => {
            text(&[f32(&[4]), v3], &|a| vmap_of(cx, &|x| looped(&[x[0].clone(), a[1].clone()]), &a[..1], &[Some(0)], 0))
        }
        _ if name.contains("cond") => conditional(cx, name),
        _ if name.contains("custom") => custom(cx, name),
        "grad of jit of scan" => {
            let j = Jitted::new(cx, "g", &|a| first(scan(a)), &[s.clone(), v5.clone()]);
            text(&[s, v5], &|a| grad(cx, &|c| j.call(cx, &[c[0].clone(), a[1].clone()]), &a[..1]))
        }
        "grad of grad of scan" => text(&[s, v5], &|a| {
            let f = |c: &[Val]| first(scan(&[c[0].clone(), a[1].clone()]));
            grad(cx, &|c| grad(cx, &f, c), &a[..1])
        }),
        "remat" => text(&[v3], &|a| remat_of(cx, &h, a, None)),
        "vmap of remat" => text(&[m43], &|a| vmap_of(cx, &|a| remat_of(cx, &h, a, None), a, &[Some(1)], 0)),
        "grad of remat" => text(&[v3], &|a| grad(cx, &|a| total(remat_of(cx, &h, a, None)), a)),
        "grad of remat of jit" => {
            let j = jg(&[3]);
            text(&[v3], &|a| grad(cx, &|a| total(remat_of(cx, &|a| j.call(cx, a), a, None)), a))
        }
        "grad of remat of scan" => text(&[s, v5], &|a| {
            let f = |c: &[Val]| remat_of(cx, &|a| first(scan(a)), &[c[0].clone(), a[1].clone()], None);
            grad(cx, &f, &a[..1])
        }),
        "grad of remat, everything kept" => text(&[v3], &|a| {
            let policy = recompute::Policy {
                shown: "<function everything_saveable at 0xXXXXXXXXXXXX>".into(),
                keeps: Rc::new(|_, _, _| Ok(true)),
            };
            let policy = Rc::new(policy);
            grad(cx, &|a| total(remat_of(cx, &h, a, Some(policy.clone()))), a)
        }),
        "grad of scan of remat" => text(&[s, v5], &|a| {
            let f = |c: &[Val]| {
                let body = |b: &[Val]| remat_of(cx, &body, b, None);
                first(scan_of(cx, &body, c, &a[1..]))
            };
            grad(cx, &f, &a[..1])
        }),
        other => format!("no program {other}"),
    }
}

fn remat_of(cx: &Engine, f: Flat<'_>, inputs: &[Val], policy: Option<Rc<recompute::Policy>>) -> Step<Vec<Val>> {
    let avals: Vec<Aval> = inputs.iter().map(|v| v.aval.clone()).collect();
    let (jaxpr, consts) = trace_to_jaxpr(cx, f, &avals, DebugInfo::default())?.separate();
    let all: Vec<Val> = consts.iter().chain(inputs).cloned().collect();
    let call = remat::Remat { jaxpr, differentiated: false, prevent_cse: Ok(true), policy };
    Ok(cx.bind(Rc::new(call), &all)?.into_vec())
}

fn conditional(cx: &Engine, name: &str) -> String {
    let v3 = f32(&[3]);
    let index = |shape: &[usize]| Aval::new(DType::I32, shape.iter().copied());
    let cond = |a: &[Val]| {
        let avals: Vec<Aval> = a[1..].iter().map(|v| v.aval.clone()).collect();
        let branch = |f: Flat<'_>| trace_to_jaxpr(cx, f, &avals, DebugInfo::default());
        let branches = [
            branch(&|a| Ok(vec![mul(cx, &sin(cx, &a[0])?, &a[1])?]))?,
            branch(&|a| Ok(vec![a[0].clone()]))?,
            branch(&|a| Ok(vec![mul(cx, &a[0], &cos(cx, &a[1])?)?]))?,
        ];
        Ok(cx
            .bind(Rc::new(super::super::cond::Cond { branches: branches.into(), platforms: ParamValue::None }), a)?
            .into_vec())
    };
    let with = |i: &Val, x: &Val, y: &Val| cond(&[i.clone(), x.clone(), y.clone()]);
    let text = |avals: &[Aval], f: Flat<'_>| show(f, avals, cx);
    match name {
        "cond" => text(&[index(&[]), v3.clone(), v3], &|a| cond(a)),
        "jvp of cond" => {
            text(&[index(&[]), v3.clone(), v3], &|a| jvp_self(cx, &|x| with(&a[0], &x[0], &a[2]), &a[1..2]))
        }
        "grad of cond" => text(&[index(&[]), v3.clone(), v3], &|a| {
            grad(cx, &|x| Ok(vec![sum(cx, &single(with(&a[0], &x[0], &x[1])?))?]), &a[1..])
        }),
        "vmap of cond, operands" => text(&[index(&[]), f32(&[4, 3]), v3], &|a| {
            vmap_of(cx, &|x| with(&a[0], &x[0], &a[2]), &a[1..2], &[Some(0)], 0)
        }),
        "vmap of cond, index" => text(&[index(&[4]), f32(&[4, 3]), v3], &|a| {
            vmap_of(cx, &|x| with(&x[0], &x[1], &a[2]), &a[..2], &[Some(0), Some(0)], 0)
        }),
        other => format!("no program {other}"),
    }
}

fn custom(cx: &Engine, name: &str) -> String {
    let (v3, m43) = (f32(&[3]), f32(&[4, 3]));
    let cj = custom_jvp::CustomJvp {
        name: "cj".into(),
        rule_name: "rule".into(),
        fun: Rc::new(|cx, a| Ok(vec![sin(cx, &a[0])?])),
        rule: Rc::new(|cx, p, t| {
            let tangent = t[0].as_ref().expect("all tangents are there");
            Ok((vec![sin(cx, &p[0])?], vec![Some(mul(cx, tangent, &cos(cx, &p[0])?)?)]))
        }),
        symbolic_zeros: false,
        graph: None,
        consts: 0,
    };
    let cv = custom_vjp::CustomVjp {
        name: "cv".into(),
        forward_name: "fwd".into(),
        backward_name: "bwd".into(),
        fun: Rc::new(|cx, a| Ok(vec![mul(cx, &sin(cx, &a[0])?, &a[1])?])),
        forward: Rc::new(|cx, a, _| {
            let results = vec![mul(cx, &sin(cx, &a[0])?, &a[1])?];
            Ok(custom_vjp::Forward { residuals: vec![cos(cx, &a[1])?], results, forwarded: vec![Some(0), None] })
        }),
        backward: Rc::new(|cx, r, ct| {
            let ct = ct[0].as_ref().expect("all cotangents are there");
            Ok(vec![Some(mul(cx, ct, &r[0])?), Some(mul(cx, ct, &r[1])?)])
        }),
        symbolic_zeros: false,
        graph: None,
        consts: 0,
    };
    let cj = |a: &[Val]| custom_jvp::custom_jvp_call(cx, cj.clone(), a);
    let cv = |a: &[Val]| custom_vjp::custom_vjp_call(cx, cv.clone(), a);
    let total = |r: Step<Vec<Val>>| r.and_then(|v| Ok(vec![sum(cx, &v[0])?]));
    let text = |avals: &[Aval], f: Flat<'_>| show(f, avals, cx);
    match name {
        "custom jvp" => text(&[v3], &cj),
        "jvp of custom jvp" => text(&[v3], &|a| jvp_self(cx, &cj, a)),
        "grad of custom jvp" => text(&[v3], &|a| grad(cx, &|a| total(cj(a)), a)),
        "grad of jit of custom jvp" => {
            let j = Jitted::new(cx, "g", &cj, &[v3.clone()]);
            text(&[v3], &|a| grad(cx, &|a| total(j.call(cx, a)), a))
        }
        "vmap of custom jvp" => text(&[m43], &|a| vmap_of(cx, &cj, a, &[Some(1)], 0)),
        "grad of vmap of custom jvp" => text(&[m43], &|a| grad(cx, &|a| total(vmap_of(cx, &cj, a, &[Some(1)], 0)), a)),
        "custom vjp" => text(&[v3.clone(), v3], &cv),
        "grad of custom vjp" => {
            text(&[v3.clone(), v3], &|a| grad(cx, &|x| total(cv(&[x[0].clone(), a[1].clone()])), &a[..1]))
        }
        "linearize of custom vjp" => {
            text(&[v3.clone(), v3], &|a| linear_self(cx, &|x| cv(&[x[0].clone(), a[1].clone()]), &a[..1]))
        }
        "grad of vmap of custom vjp" => {
            text(&[m43, v3], &|a| grad(cx, &|a| total(vmap_of(cx, &cv, a, &[Some(0), None], 0)), a))
        }
        "grad of jit of custom vjp" => {
            let j = Jitted::new(cx, "g", &cv, &[v3.clone(), v3.clone()]);
            text(&[v3.clone(), v3], &|a| grad(cx, &|x| total(j.call(cx, &[x[0].clone(), a[1].clone()])), &a[..1]))
        }
        other => format!("no program {other}"),
    }
}
