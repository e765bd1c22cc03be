//! Reproducers: what is written of a program, and that it does under jitlens what the program does. That it does the same under
//! JAX is what `tests/repro/run.py` looks at.

mod compiled;
mod followed;
mod handed_over;
mod helpers;
mod kinds;
mod linear;
mod long_statements;
mod made;
mod made_with;
mod mapped;
mod minimal;
mod named;
mod objects;
mod own_primitives;
mod places;
mod readable;
mod settings;
mod staged;
mod told_apart;
mod wrapped;

use std::path::{Path, PathBuf};

use tracer_core::repro::{Data, Level, Outcome, Request, Target};

use helpers::{here, reproduce, verified, verified_for};

const LARGE: &str = "\
import jax, jax.numpy as jnp, numpy as np

def make(scale):
    big = np.full((20, 20), scale, np.float32)
    def inner(x):
        def body(c, t):
            @jax.jit
            def g(u): return u + x.sum() + c
            return g(t), t * scale
        return jax.lax.scan(body, jnp.float32(0), big[0])
    return inner

jax.jit(jax.vmap(make(2.0)))(np.ones((2, 5), np.float32))
";

#[test]
fn a_function_keeps_its_names_and_its_nesting() {
    let made = reproduce(&here("large.py"), LARGE, Some("inner")).expect("a reproducer");
    let expected = "\
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def inner(x):
    def body(c, t):
        def g(u):
            return u + x.sum() + c

        return jax.jit(g)(t), t * 2.0

    return lax.scan(body, jnp.float32(0), np.full((20,), 2.0, dtype=np.float32))


jax.jit(inner)(jnp.ones((5,)))
";
    assert_eq!(made.text, expected);
    assert_eq!(made.outcome, Outcome::Values(vec!["f32[]".into(), "f32[20]".into()]));
}

#[test]
fn lines_know_where_they_come_from() {
    let made = reproduce(&here("large.py"), LARGE, Some("inner")).expect("a reproducer");
    let source = |wanted: &str| {
        let line = made.text.lines().position(|line| line.trim_start().starts_with(wanted)).expect("the line");
        let tie = made.ties.iter().find(|tie| tie.line == line).expect("a tie");
        LARGE[..tie.span.start as usize].lines().count()
    };
    assert_eq!(source("def inner"), 5);
    assert_eq!(source("def body"), 6);
    assert_eq!(source("def g"), 8);
    assert_eq!(source("return lax.scan"), 10);
}

#[test]
fn an_error_keeps_what_leads_to_it() {
    let text = "\
import jax
import jax.numpy as jnp

w = jnp.ones((3, 4))
unused = jnp.sin(w)

@jax.jit
def predict(x):
    if x.ndim > 1:
        x = x * 2
    h = jnp.tanh(x)
    return h @ w

predict(jnp.ones((2, 3)))
predict(jnp.ones((2, 5)))
";
    let made = reproduce(&here("large.py"), text, None).expect("a reproducer");
    let expected = "\
import jax
import jax.numpy as jnp

w = jnp.ones((3, 4))


def predict(x):
    x = x * 2
    h = jnp.tanh(x)
    h @ w


jax.jit(predict)(jnp.ones((2, 5)))
";
    assert_eq!(made.text, expected);
    assert!(matches!(&made.outcome, Outcome::Error(class, _) if class == "TypeError"));
}

#[test]
fn a_program_that_runs_has_no_error_to_reproduce() {
    assert_eq!(reproduce(&here("large.py"), "import jax\n\njax.numpy.ones(3)\n", None), None);
}

/// What is written of a program, behind its imports, and that it does what the program does.
fn body(text: &str) -> String {
    let found = verified(&here("large.py"), text).expect("a reproducer");
    assert_eq!(found.unlike, None);
    let lines = found.made.text.lines().skip_while(|line| line.starts_with("import ") || line.starts_with("from "));
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[test]
fn members_that_are_not_there_are_asked_for() {
    assert_eq!(body("import jax.numpy as jnp\nx = jnp.ones(2)\njnp.cat([x, x])\n"), "jnp.cat()");
    assert_eq!(body("import jax.numpy as jnp\nprint(jnp.ones(2).sise)\n"), "jnp.ones(2).sise");
}

#[test]
fn operands_that_do_not_go_together_are_written() {
    let text = "import jax\nimport jax.numpy as jnp\n\nx = jnp.ones(2)\nw = {\"a\": x}\nx / w\n";
    assert_eq!(body(text), "x = jnp.ones(2)\nx / {\"a\": x}");
    assert_eq!(body("import jax.numpy as jnp\na, b, c = jnp.ones(2)\n"), "_, _, _ = jnp.ones(2)");
    assert_eq!(body("import jax.numpy as jnp\njnp.ones(2)(3)\n"), "jnp.ones(2)(3)");
    assert_eq!(body("import jax\n[1][3]\n"), "raise IndexError(\"list index out of range\")");
}

#[test]
fn contexts_stand_around_what_was_in_them() {
    let text = "\
import jax
import jax.numpy as jnp

with jax.enable_x64(True):
    x = jnp.ones(3)
y = jnp.ones(4)
x + y
";
    let expected = "with jax.enable_x64(True):\n    x = jnp.ones(3, dtype=jnp.float64)\ny = jnp.ones(4)\nx + y";
    assert_eq!(body(text).replace("jnp.ones(3)", "jnp.ones(3, dtype=jnp.float64)"), expected);
}

#[test]
fn what_depends_on_what_was_done_before_keeps_it() {
    let text = "\
import jax

with jax.debug_key_reuse(True):
    key = jax.random.key(0)
    a = jax.random.normal(key)
    b = jax.random.normal(key)
";
    let expected = "\
with jax.debug_key_reuse(True):
    key = jax.random.key(0)
    a = jax.random.normal(key)
    jax.random.normal(key)";
    assert_eq!(body(text), expected);
}

#[test]
fn trees_keep_what_is_no_array() {
    let text = "\
import dataclasses
import jax
import jax.numpy as jnp

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    w: jax.Array
    step: int

    def __call__(self, x):
        return x @ self.w

@jax.jit
def update(state, x):
    return state(x) / state.step + jnp.ones(7)

update(State(jnp.ones((3, 2)), 4), jnp.ones(3))
";
    let expected = "\
def update(state, x):
    x @ state[\"w\"] / state[\"step\"] + jnp.ones(7)


jax.jit(update)({\"w\": jnp.ones((3, 2)), \"step\": 4}, jnp.ones(3))";
    assert_eq!(body(text), expected);
}

#[test]
fn as_many_devices_as_there_were() {
    let text = "\
import os
os.environ[\"XLA_FLAGS\"] = \"--xla_force_host_platform_device_count=4\"
import jax
import jax.numpy as jnp

mesh = jax.make_mesh((4,), (\"i\",))
jax.device_put(jnp.ones(6), jax.NamedSharding(mesh, jax.P(\"i\")))
";
    assert!(body(text).starts_with("jax.config.update(\"jax_num_cpu_devices\", 4)\n"));
}

#[test]
fn defaults_stand_where_functions_are_defined() {
    let text = "\
import jax
import jax.numpy as jnp

def by_rule(x):
    return jnp.sin(x)

def loss(x, f=by_rule):
    return f(x) @ jnp.ones(7)

jax.grad(loss)(jnp.ones(3))
";
    assert!(!body(text).contains("f=f"));
}

/// At least so many of a hundred reproducers of the programs of `tests/errors` fail as their programs do.
const FLOOR: usize = 99;

#[test]
fn reproducers_of_errors_raise_the_same() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(here(""))
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    files.sort();
    let first = |outcome: &Outcome| match outcome {
        Outcome::Error(_, message) => message.lines().next().unwrap_or_default().to_owned(),
        Outcome::Values(_) => String::new(),
    };
    // Messages may say in which line a function stands.
    let plain = |text: &str| text.split(".py:").next().unwrap_or_default().to_owned();
    let (mut all, mut bad) = (0, Vec::new());
    for path in files.iter().step_by(5) {
        let text = std::fs::read_to_string(path).expect("text");
        let Some(found) = verified(path, &text) else { continue };
        all += 1;
        if found.unlike.is_some_and(|why| !plain(&why).contains(&plain(&first(&found.made.outcome)))) {
            bad.push(path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default());
        }
    }
    assert!(all > 100, "{all} programs that raise");
    assert!((all - bad.len()) * 100 >= FLOOR * all, "{} of {all} do not raise the same: {bad:?}", bad.len());
}

#[test]
fn what_took_long_to_compute_is_given() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.jit
def update(w, x):
    return w - 0.1 * jax.grad(lambda w: ((x @ w) ** 2).sum())(w)

@jax.jit
def predict(w, x, k):
    return x.T @ w + k

x = jnp.ones((4, 3))
w = jnp.zeros(3)
for _ in range(20):
    w = update(w, x)
predict(w, x, w.sum())
";
    let made = reproduce(&here("given.py"), text, None).expect("a reproducer");
    let expected = "\
import jax
import jax.numpy as jnp


def predict(w, x, k):
    x.T @ w


x = jnp.ones((4, 3))
jax.jit(predict)(jnp.array([0.0, 0.0, 0.0]), x, jnp.array(0.0))
";
    assert_eq!(made.text, expected);
}

/// Programs of `repro/cases`, of whose APIs jitlens does not know what they do with functions.
const UNKNOWN: [&str; 4] = ["export_shapes", "minimize", "pallas_", "scatter_ops"];

#[test]
fn functions_of_all_apis_come_around() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("repro").join("cases");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder can be read").flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut bad = Vec::new();
    for path in files.iter().step_by(2) {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if UNKNOWN.iter().any(|unknown| name.starts_with(unknown)) {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("text");
        let request = Request { target: Target::Function("case".into()), data: Data::Exact, ..Request::default() };
        match verified_for(path, &text, &request) {
            Some(found) => bad.extend(found.unlike.map(|why| format!("{name}: {why}"))),
            None => bad.push(format!("{name}: no reproducer")),
        }
        match verified(path, &text.replace("# fault: ", "")) {
            Some(found) => bad.extend(found.unlike.map(|why| format!("{name} with its fault: {why}"))),
            None => bad.push(format!("{name}: no error")),
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn large_arrays_are_ones_or_random_or_exact() {
    let text = "\
import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def f(x, labels):
    return x.sum() + labels.max()

f(np.linspace(-2.0, 3.0, 1000, dtype=np.float32), jnp.asarray(np.arange(300) % 7))
";
    let made = |data| {
        let request = Request { target: Target::Function("f".into()), data, ..Request::default() };
        let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
        assert_eq!(found.unlike, None, "{}", found.made.text);
        found.made
    };
    assert!(made(Data::Ones).text.contains("np.ones((1000,), dtype=np.float32)"));
    let random = made(Data::Random).text;
    assert!(random.contains("np.random.default_rng(0).uniform(-2.0, 3.0, (1000,)).astype(np.float32)"), "{random}");
    assert!(random.contains("default_rng(1).integers(") && random.contains("0, 6"), "{random}");
    let exact = made(Data::Exact);
    assert!(exact.text.contains("data = np.load(__file__[:-2] + \"npz\")"), "{}", exact.text);
    assert_eq!(exact.data.iter().map(|datum| datum.tensor.len()).collect::<Vec<_>>(), [1000, 300]);
}

#[test]
fn calls_of_a_function_with_other_plain_arguments_are_told_apart() {
    let text = "\
import jax
import jax.numpy as jnp

def total(a, axis):
    return a.sum(axis, keepdims=True)

@jax.jit
def both(x):
    return jnp.apply_over_axes(total, x, (0, 1))

both(jnp.ones((2, 3)))
";
    let request = Request { target: Target::Function("both".into()), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("a.sum(axis, keepdims=True)"), "{}", found.made.text);
}

#[test]
fn compiled_functions_that_are_called_again_are_written_once() {
    let text = std::fs::read_to_string(here("../repro/cases/cache_hits.py")).expect("text");
    let request = Request { target: Target::Function("case".into()), ..Request::default() };
    let found = verified_for(&here("../repro/cases/cache_hits.py"), &text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None);
    assert_eq!(found.made.text.matches("def layer(").count(), 1, "{}", found.made.text);
}

#[test]
fn policies_names_and_shardings_are_kept() {
    let text_of = |name: &str| {
        let path = here(&format!("../repro/cases/{name}.py"));
        let text = std::fs::read_to_string(&path).expect("text");
        let request = Request { target: Target::Function("case".into()), ..Request::default() };
        let found = verified_for(&path, &text, &request).expect("a reproducer");
        assert_eq!(found.unlike, None, "{}", found.made.text);
        found.made.text
    };
    let policies = text_of("checkpoint_policies");
    assert!(policies.contains("policy=jax.checkpoint_policies.dots_saveable"), "{policies}");
    assert!(policies.contains("jax.checkpoint_policies.save_only_these_names(\"keep\")"), "{policies}");
    assert!(text_of("named_call_nested").contains("jax.named_call("));
    let sharded = text_of("sharding_annotations");
    assert!(sharded.contains("with_sharding_constraint(") && sharded.contains("P(\"x\", None)"), "{sharded}");
}

const PREDICT: &str = "\
import jax, jax.numpy as jnp

@jax.jit
def predict(w, x):
    h = jnp.tanh(x @ w + 1.0)
    mask = jnp.where(h > 0, h, -h)
    total = mask.sum(axis=0, keepdims=True)
    unused = jnp.cos(h)
    return total / h.shape[0], h[:, 1:3]

predict(jnp.ones((3, 4)), jnp.ones((2, 3)))
";

#[test]
fn primitives_stand_for_calls_where_they_are_wanted() {
    let request = Request {
        target: Target::Function("predict".into()),
        level: Level::Primitive,
        log: true,
        ..Request::default()
    };
    let found = verified_for(&here("large.py"), PREDICT, &request).expect("a reproducer");
    assert_eq!(found.unlike, None);
    let expected = "\
import jax
import jax.numpy as jnp
from jax import lax


def _where(condition, b, c):
    d = lax.select_n(condition, c, b)
    return d


def predict(w, x):
    dot_general = lax.dot_general(
        x, w, (([1], [0]), ([], [])), preferred_element_type=jnp.float32
    )
    h = lax.tanh(lax.add(dot_general, 1.0))
    mask = jax.jit(_where)(lax.gt(h, 0.0), h, lax.neg(h))
    total = lax.broadcast_in_dim(lax.reduce_sum(mask, (0,)), (1, 4), (1,))
    return lax.div(total, 2.0), lax.slice(h, (0, 1), (2, 3))


jax.jit(predict)(jnp.ones((3, 4)), jnp.ones((2, 3)))
";
    assert_eq!(found.made.text, expected);
    for (wanted, source) in [("h = lax.tanh", 5), ("mask =", 6), ("total =", 7), ("x, w, (", 5)] {
        let line = expected.lines().position(|line| line.trim_start().starts_with(wanted)).expect("the line");
        let tie = found.made.ties.iter().find(|tie| tie.line == line).expect("a tie");
        assert_eq!(PREDICT[..tie.span.start as usize].lines().count(), source, "{wanted}");
    }
    let why = |name: &str| {
        let told = found.made.log.iter().find(|told| told.text.starts_with(name)).expect("the call");
        told.left_out
    };
    assert_eq!(why("cos"), Some("nothing that is kept needs what it gives"));
    assert_eq!(why("jax.numpy.tanh"), Some("its primitives stand for it"));
    assert_eq!(why("reduce_sum"), None);
    assert_eq!(why("calls predict"), None);
}

#[test]
fn the_primitive_that_raises_is_written() {
    let text = "\
import jax, jax.numpy as jnp

def loss(w, x):
    h = jnp.dot(x, w)
    try:
        jnp.reshape(h, (3,))
    except TypeError:
        pass
    return h @ jnp.zeros((5,))

jax.grad(loss)(jnp.ones((3, 4)), jnp.ones((2, 3)))
";
    let request = Request { level: Level::Primitive, log: true, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None);
    assert!(found.made.text.contains("    lax.dot_general(\n        h,\n"), "{}", found.made.text);
    assert!(!found.made.text.contains("reshape") && !found.made.text.contains('@'), "{}", found.made.text);
    let told = found.made.log.iter().find(|told| told.text.starts_with("jax.numpy.reshape")).expect("the call");
    assert_eq!(told.left_out, Some("it raises another error than the one that is wanted"));
    assert!(found.made.log.iter().any(|told| told.text == "dot_general raises TypeError" && told.left_out.is_none()));
}

#[test]
fn functions_that_a_function_is_given_are_called_by_it() {
    let text = "\
import functools
import jax
import jax.numpy as jnp

@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def solve(f, params, z):
    return f(params, z)

def solve_fwd(f, params, z):
    return solve(f, params, z), (params, z)

def solve_bwd(f, res, g):
    params, z = res
    w = solve(lambda a, b: a + b, g, g)
    _, pull = jax.vjp(lambda p: f(p, z), params)
    return pull(w)[0], g

solve.defvjp(solve_fwd, solve_bwd)

def cell(params, z):
    return jnp.tanh(z @ params[\"w\"] + params[\"b\"])

@jax.jit
def update(params, z):
    return jax.grad(lambda p: solve(cell, p, z).sum())(params)

update({\"w\": jnp.ones((3, 3)), \"b\": jnp.ones(3)}, jnp.ones(3))
";
    let request = Request { target: Target::Function("update".into()), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("    return f(params, z)\n"), "{}", found.made.text);
    // A container that the function was given is handed on as a whole.
    assert!(!found.made.text.contains("{\"w\": params[\"w\"]"), "{}", found.made.text);
}

#[test]
fn functions_inside_of_compiled_ones_are_given_their_numbers() {
    let text = "\
import jax
import jax.numpy as jnp

def body(carry, x):
    return carry * 0.5 + x, carry

@jax.jit
def run(start):
    return jax.lax.scan(body, jnp.sin(start), start + jnp.arange(3.0))

run(2.0)
";
    let request = Request { target: Target::Function("body".into()), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(!found.made.approximate, "{}", found.made.text);
    assert!(found.made.text.contains("0.90929"), "{}", found.made.text);
}

#[test]
fn partial_functions_of_the_framework_and_operators_are_written() {
    let text = "\
import functools
import operator
import jax
import jax.numpy as jnp

@jax.jit
def mix(x):
    y = jax.vmap(functools.partial(jnp.roll, shift=1))(x)
    return jax.lax.associative_scan(operator.mul, y)

mix(jnp.ones((2, 3)))
";
    let request = Request { target: Target::Function("mix".into()), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("jax.tree_util.Partial(jnp.roll, shift=1)"), "{}", found.made.text);
    assert!(found.made.text.contains("lambda a, b: a * b"), "{}", found.made.text);
}

#[test]
fn rules_that_call_their_function_are_called_on_their_own() {
    let text = "\
import jax
import jax.numpy as jnp

def make(lo):
    @jax.custom_vjp
    def clip(x):
        return jnp.maximum(x, lo)

    def fwd(x):
        return clip(x), x

    clip.defvjp(fwd, lambda x, g: (jnp.where(x > lo, g, 0.0),))
    return clip

jax.grad(lambda x: make(0.5)(x).sum())(jnp.ones(3))
";
    let request = Request { target: Target::Function("make.<locals>.fwd".into()), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains(".defvjp(fwd"), "{}", found.made.text);
}

#[test]
fn instances_that_are_trees_and_functions_are_called_where_they_are_mapped() {
    let text = "\
import dataclasses
import jax
import jax.numpy as jnp

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Layer:
    weight: jax.Array

    def __call__(self, x):
        return jnp.tanh(x @ self.weight)

@jax.tree_util.register_static
@dataclasses.dataclass(frozen=True)
class Rate:
    rate: float = 0.5

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Net:
    layers: list
    rate: Rate

    def __call__(self, x):
        for layer in self.layers:
            x = jax.checkpoint(lambda x, layer=layer: layer(x))(x) * self.rate.rate
        return x

@jax.jit
def loss(net, x):
    return jax.vmap(net)(x).sum()

loss(Net([Layer(jnp.ones((3, 3))), Layer(jnp.ones((3, 2)))], Rate()), jnp.ones((4, 3)))
";
    let request = Request { target: Target::Function("loss".into()), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("jax.vmap(__call__)(x)"), "{}", found.made.text);
    // What has nothing to trace is an empty container.
    assert!(found.made.text.contains("\"rate\": ()"), "{}", found.made.text);
    // The default of a function needs what is around it.
    assert!(found.made.text.contains("layer=net[\"layers\"][0]"), "{}", found.made.text);
    let broken = text.replace("jnp.ones((3, 2))", "jnp.ones((4, 2))");
    let found = verified(&here("large.py"), &broken).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
}

#[test]
fn dimension_numbers_stay_what_the_program_made_them() {
    let text = "\
import jax
import jax.numpy as jnp
from jax import lax

class Convolution:
    def __init__(self):
        self.numbers = lax.ConvDimensionNumbers((0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 1, 2))

    def __call__(self, x, w):
        return lax.conv_general_dilated(x, w, (1, 1), 'SAME', dimension_numbers=self.numbers)

outside = Convolution()

def f(x, w):
    return outside(x, w) + Convolution()(x, w)

jax.jit(f)(jnp.ones((1, 4, 4, 2)), jnp.ones((3, 3, 2, 1)))
";
    let request = Request { target: Target::Function("f".into()), ..Request::default() };
    let found = verified_for(&here("conv.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert_eq!(found.made.text.matches("lax.ConvDimensionNumbers(").count(), 2, "{}", found.made.text);
}

#[test]
fn primitives_of_the_program_are_asked_while_primitives_are_recorded() {
    let text = "\
import jax
from jax.extend.core import Primitive

scaled_p = Primitive(\"scaled\")
scaled_p.def_impl(lambda x, *, by: x * by)
scaled_p.def_abstract_eval(lambda x, *, by: jax.core.ShapedArray(x.shape, x.dtype))


@jax.jit
def f(x):
    return scaled_p.bind(jax.numpy.sin(x), by=2.0)


f(jax.numpy.ones(3))
";
    let request = Request { target: Target::of_function(Some("f")), level: Level::Primitive, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert!(found.made.text.contains("        lax.sin(x),\n"), "{}", found.made.text);
}

/// The largest weight that the program below ends with under JAX 0.10.2.
const LARGEST: f64 = 0.094_551_61;

/// A program that trains before the function is called that is asked for, with steps that are compiled and steps that are not.
const TRAINED: &str = "\
import jax
import jax.numpy as jnp
import numpy as np

def loss(w, x, y):
    return jnp.mean((jnp.tanh(x @ w) - y) ** 2)

@jax.jit
def step(w, x, y):
    return w - 0.1 * jax.grad(loss)(w, x, y)

rng = np.random.default_rng(0)
x, y = rng.normal(size=(30, 12)).astype(np.float32), np.zeros((30, 15), np.float32)
for i in range(len(y)):
    y[i, i % 15] = 0.5
w = jnp.zeros((12, 15))
best = None
for i in range(300):
    w = step(w, x, y)
    if i % 50 == 0:
        best = w
for i in range(200):
    value, slope = jax.value_and_grad(lambda w: loss(w, x, y))(w)
    w = w - 0.05 * slope

def case(w, best):
    return jnp.sort(w.ravel())[-4:], jax.vmap(lambda row: (row - best).max())(w), value

jax.jit(case)(w, best[0])
";

#[test]
fn loops_are_run_to_their_end_for_exact_data() {
    let request = Request { target: Target::Function("case".into()), data: Data::Exact, ..Request::default() };
    let found = verified_for(&here("large.py"), TRAINED, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    let made = &found.made;
    assert!(made.stand_ins.is_empty() && !made.approximate, "{:?}", made.stand_ins);
    assert!(made.data.iter().any(|datum| datum.name == "w" && datum.tensor.shape[..] == [12, 15]), "{}", made.text);
    let largest = made.numbers[0].as_ref().and_then(|numbers| numbers.number(3)).expect("a number");
    let is_close = matches!(largest, tracer_core::array::Number::Float(value) if (value - LARGEST).abs() < 1e-4);
    assert!(is_close, "{largest:?}");
}

#[test]
fn where_a_loop_takes_too_much_ones_stand_for_what_is_behind_it() {
    let longer = TRAINED.replace("range(200)", "range(600)");
    for (operations, why) in [(200_000, Some("operations")), (0, None)] {
        let request =
            Request { target: Target::Function("case".into()), data: Data::Exact, operations, ..Request::default() };
        let found = verified_for(&here("large.py"), &longer, &request).expect("a reproducer");
        let made = &found.made;
        assert_eq!(made.used_up, why, "{operations}");
        assert!(made.approximate && made.stand_ins.iter().any(|it| it.ends_with("f32[12,15]")), "{:?}", made.stand_ins);
        assert!(made.text.contains("jnp.ones((12, 15))"), "{}", made.text);
    }
}

#[test]
fn a_function_that_names_an_axis_is_reproduced_with_the_call_that_has_it() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.jit
def step(x):
    def center(row):
        return row - jax.lax.pmean(row, 'i')
    return jax.vmap(center, axis_name='i')(x) * 2

step(jnp.linspace(0.0, 1.0, 12).reshape(4, 3))
";
    let request = Request { target: Target::Function("center".into()), data: Data::Exact, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("axis_name=\"i\""), "{}", found.made.text);
    assert_eq!(found.made.outcome, Outcome::Values(vec!["f32[4,3]".into()]));
}

#[test]
fn a_call_that_a_cache_answers_has_the_body_for_its_own_static_arguments() {
    let text = "\
import functools
import jax
import jax.numpy as jnp
from jax import lax

@functools.partial(jax.jit, static_argnums=1)
def run(x, n):
    return lax.fori_loop(0, n, lambda i, c: c * 1.5, x)

run(jnp.ones(3), 7)
run(jnp.ones(3), 2)

@jax.jit
def case(x):
    return run(x, 2) + 1

case(jnp.ones(3))
";
    let request = Request { target: Target::Function("case".into()), data: Data::Exact, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("fori_loop(0, n,"), "{}", found.made.text);
    assert!(found.made.text.contains("(x, 2) + 1"), "{}", found.made.text);
}

#[test]
fn what_only_asserts_something_leads_to_no_error() {
    let text = "\
import jax.numpy as jnp, numpy as np

y = jnp.asarray(np.ones((4, 3))).mean(axis=1)
z = jnp.sin(y)
np.testing.assert_allclose(z, jnp.sin(y), rtol=1e-4)
y @ jnp.ones(3)
";
    assert_eq!(body(text).lines().filter(|line| line.contains("assert") || line.contains("sin")).count(), 0);
}
