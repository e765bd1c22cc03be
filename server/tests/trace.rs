//! `jitlens trace` as a program. What it prints was compared with `jax.make_jaxpr` of JAX 0.10.2.

use std::path::PathBuf;
use std::process::{Command, Output};

const PROGRAM: &str = "\
import jax
import jax.numpy as jnp

scale = jnp.arange(3.0)

@jax.jit
def f(x):
    return jnp.tanh(x) * scale

def loss(p, x, n=2):
    return (p[\"w\"] * x).sum() ** n

# jitlens: x: f32[b,128]
def nobody_calls(x):
    return x.sum(0)

f(jnp.ones(3))
f(jnp.ones((2, 3)))
jax.grad(loss)({\"w\": jnp.ones(3)}, jnp.ones(3))
";

fn trace(name: &str, arguments: &[&str]) -> Output {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    std::fs::write(folder.join("p.py"), PROGRAM).expect("the program is written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_jitlens"));
    command.current_dir(&folder).env_remove("VIRTUAL_ENV").arg("trace").args(arguments);
    command.output().expect("jitlens runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn all_traced_functions() {
    let expected = "\
# p.py:7: f(x: f32[3])
{ lambda a:f32[3]; b:f32[3]. let c:f32[3] = tanh b; d:f32[3] = mul c a in (d,) }

# p.py:7: f(x: f32[2,3])
{ lambda a:f32[3]; b:f32[2,3]. let
    c:f32[2,3] = tanh b
    d:f32[1,3] = broadcast_in_dim[broadcast_dimensions=(1,)] a
    e:f32[2,3] = mul c d
  in (e,) }

# p.py:14: nobody_calls(x: f32[b,128])
{ lambda ; a:f32[b,128]. let
    b:f32[128] = reduce_sum[axes=(0,) out_sharding=None] a
  in (b,) }
";
    let output = trace("all", &["p.py"]);
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), (expected, Some(0)));
}

#[test]
fn a_function_that_is_never_compiled_is_traced_for_its_first_call() {
    let expected = "\
{ lambda ; a:f32[3] b:f32[3]. let
    c:f32[3] = mul a b
    d:f32[] = reduce_sum[axes=(0,) out_sharding=None] c
    e:f32[] = integer_pow[y=2] d
  in (e,) }
";
    assert_eq!(text(&trace("first_call", &["p.py::loss"]).stdout), expected);
}

#[test]
fn json_says_where_equations_were_written() {
    let output = trace("json", &["p.py::f", "--format", "json"]);
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let first = &all["traces"][0];
    assert_eq!((&first["function"], &first["line"]), (&"f".into(), &7.into()));
    assert_eq!(first["arguments"], serde_json::json!(["x"]));
    assert_eq!(first["call"], serde_json::json!({"file": "p.py", "range": [17, 0, 17, 14]}));
    assert_eq!(first["inputs"], serde_json::json!([{"name": "b", "aval": "f32[3]"}]));
    let equation = &first["equations"][1];
    assert_eq!(equation["primitive"], "mul");
    assert_eq!(equation["outputs"], serde_json::json!([{"name": "d", "aval": "f32[3]"}]));
    assert_eq!(equation["source"], serde_json::json!({"file": "p.py", "range": [8, 11, 8, 30]}));
    assert_eq!((&equation["within"], &equation["bytes"]), (&"f".into(), &36.into()));
}

#[test]
fn a_function_without_a_graph() {
    let output = trace("none", &["p.py::nothing"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "jitlens: no function `nothing` in this program\n");
}

const CACHES: &str = "\
import functools
import jax
import jax.numpy as jnp

@functools.partial(jax.jit, static_argnames=\"n\")
def step(params, x, n=2):
    for _ in range(n):
        x = x @ params[\"w\"]
    return x

params = {\"w\": jnp.eye(4)}
step(params, jnp.ones((8, 4)))
for size in (8, 3):
    step(params, jnp.ones((size, 4)))
with jax.numpy_rank_promotion(\"warn\"):
    step(params, jnp.ones((8, 4)), n=3)

class Scale:
    def __repr__(self):
        raise ValueError(\"nobody asked for this\")

@functools.partial(jax.jit, static_argnums=0)
def scaled(scale, x):
    return x + 1

scaled(Scale(), 1.0)
";

fn caches(name: &str, arguments: &[&str]) -> Output {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    std::fs::write(folder.join("p.py"), CACHES).expect("the program is written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_jitlens"));
    command.current_dir(&folder).env_remove("VIRTUAL_ENV").args(["trace", "--cache"]).args(arguments);
    command.output().expect("jitlens runs")
}

#[test]
fn what_the_caches_hold() {
    let expected = "\
# p.py:6: step: 3 traces
# calls that were answered by a trace that was there: p.py:14

trace 1: p.py:12, 2 equations
    params['w']: f32[4,4]
    x: f32[8,4]

trace 2: p.py:14, 2 equations
    params['w']: f32[4,4]
    x: f32[3,4]
  because of x: now f32[3,4], before f32[8,4]

trace 3: p.py:16, 3 equations
    params['w']: f32[4,4]
    x: f32[8,4]
    static argument n: 3
    jax_numpy_rank_promotion: warn
  because of static argument n: now given, before left out
  because of jax_numpy_rank_promotion: now warn, before allow

# p.py:23: scaled: 1 trace

trace 1: p.py:26, 1 equation
    x: f32[] (weak)
    static argument 0: <Scale object>
";
    let output = caches("caches", &["p.py"]);
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), (expected, Some(0)));
}

#[test]
fn caches_as_json() {
    let output = caches("caches_json", &["p.py::scaled", "--format", "json"]);
    let parsed: serde_json::Value = serde_json::from_str(&text(&output.stdout)).expect("JSON");
    let trace = &parsed["caches"][0]["traces"][0];
    assert_eq!(parsed["caches"].as_array().map(Vec::len), Some(1));
    assert_eq!((&trace["equations"], &trace["call"]["line"]), (&1.into(), &26.into()));
    assert_eq!(trace["key"][1], "static argument 0: <Scale object>");
    let none = caches("caches_none", &["p.py::nobody"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("`nobody` has no cache"));
}

#[test]
fn the_tree_says_where_equations_come_from() {
    let expected = "\
f(x: f32[3])  (2 equations, gives f32[3])
  8: return jnp.tanh(x) * scale  (tanh, mul)
f(x: f32[2,3])  (3 equations, gives f32[2,3])
  8: return jnp.tanh(x) * scale  (tanh, broadcast_in_dim, mul)
";
    assert_eq!(text(&trace("tree", &["p.py::f", "--tree"]).stdout), expected);
    let all: serde_json::Value =
        serde_json::from_slice(&trace("tree_json", &["p.py::f", "--tree", "--format", "json"]).stdout).expect("JSON");
    let first = &all["traces"][0];
    assert_eq!((&first["kind"], &first["place"]["range"]), (&"trace".into(), &serde_json::json!([17, 0, 17, 14])));
    let line = &first["rows"][0];
    assert_eq!((&line["kind"], &line["place"]["range"]), (&"line".into(), &serde_json::json!([8, 11, 8, 22])));
    assert_eq!(trace("tree_none", &["p.py::g", "--tree"]).status.code(), Some(2));
}

/// Functions that call each other, forwards and backwards, in a loop and in what is compiled; one is compiled for a call from elsewhere.
const CALLS: &str = "\
import jax
import jax.numpy as jnp

@jax.jit
def inner(x):
    return helper(x) + 1

def helper(x):
    return jnp.sin(x)

def body(carry, x):
    return helper(carry) * x, carry

def loss(w, x):
    total = helper(w @ x)
    total, _ = jax.lax.scan(body, total, x)
    return jnp.sum(inner(total))

@jax.jit
def step(w, x):
    g = jax.grad(loss)(w, x)
    return w - g

inner(jnp.ones(3))
step(jnp.ones((3, 3)), jnp.ones(3))
";

#[test]
fn the_tree_is_one_of_calls() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("calls");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    std::fs::write(folder.join("p.py"), CALLS).expect("the program is written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_jitlens"));
    command.current_dir(&folder).env_remove("VIRTUAL_ENV").args(["trace", "--tree", "p.py::step"]);
    let tree = text(&command.output().expect("jitlens runs").stdout);
    let expected = "\
step(w: f32[3,3], x: f32[3])  (21 equations, gives f32[3,3])
  loss  (20 equations, called in line 21)
    15: total = helper(w @ x)  (dot_general)
    helper  (2 equations, called in line 15)
      9: return jnp.sin(x)  (sin, cos)
    16: total, _ = jax.lax.scan(body, total, x)  (scan)
      scan  (3 equations, gives f32[3], f32[3], f32[3])
        body  (3 equations, called in line 16)
          helper  (2 equations, called in line 12)
            9: return jnp.sin(x)  (sin, cos)
          12: return helper(carry) * x, carry  (mul)
    17: return jnp.sum(inner(total))  (jit, reduce_sum, broadcast_in_dim, jit)
      jit inner  (3 equations, gives f32[3], f32[3])
        helper  (2 equations, called in line 6)
          9: return jnp.sin(x)  (sin, cos)
        6: return helper(x) + 1  (add)
      jit inner  (1 equation, gives f32[3])
        helper  (1 equation, called in line 6)
          9: return jnp.sin(x)  (mul)
    16: total, _ = jax.lax.scan(body, total, x)  (scan)
      scan  (2 equations, gives f32[3])
        body  (2 equations, called in line 16)
          12: return helper(carry) * x, carry  (mul)
          helper  (1 equation, called in line 12)
            9: return jnp.sin(x)  (mul)
    helper  (1 equation, called in line 15)
      9: return jnp.sin(x)  (mul)
    15: total = helper(w @ x)  (dot_general)
  22: return w - g  (sub)
";
    assert_eq!(tree, expected);
}
