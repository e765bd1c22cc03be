//! What functions are given: functions with arguments of their own, numbers of which no more than the type is known, those of a branch.

use tracer_core::repro::{Level, Request, Target};

use crate::helpers::{exact, here, verified, verified_for};

const PARTIAL: &str = "\
import jax
import jax.numpy as jnp
from jax.tree_util import Partial

def loss(a, x, b=0.0):
    return jnp.sum(jnp.tanh(a * x + b))

@jax.jit
def step(f, x):
    g = jax.grad(f)(x)
    return jax.vmap(f)(jnp.stack([x, g])), f(x) + f.args[0].sum()

step(Partial(loss, jnp.arange(3.0), b=2.0), jnp.ones(3))
";

#[test]
fn a_partial_stays_one() {
    let text = exact("partial.py", PARTIAL, "step").made.text;
    assert!(text.contains("def step(f, x):"), "{text}");
    assert!(text.contains("jax.grad(f)(x)") && text.contains("jax.vmap(f)"), "{text}");
    assert!(text.contains("f(x) + f.args[0].sum()"), "{text}");
    assert!(text.contains("jax.tree_util.Partial(loss, jnp.array([0.0, 1.0, 2.0]), b=2.0)"), "{text}");
}

#[test]
fn a_partial_stays_one_among_primitives() {
    let request = Request { target: Target::Function("step".into()), level: Level::Primitive, ..Request::default() };
    let found = verified_for(&here("partial.py"), PARTIAL, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
}

#[test]
fn an_unknown_number_of_python_is_one_of_its_type() {
    let program = "\
import random
import jax
import jax.numpy as jnp

seed = random.randint(0, 100)
scale = random.random()

@jax.jit
def draw(x):
    return jax.random.normal(jax.random.key(seed), (3,)) * scale + x

draw(jnp.ones(3))
";
    let text = exact("draws.py", program, "draw").made.text;
    assert!(text.contains("jax.random.key(1)") && text.contains("* 1.0"), "{text}");
}

#[test]
fn a_function_of_a_branch_has_the_numbers_of_its_call() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def is_small(carry):
    it, x, seen = carry
    return jnp.abs(seen[it - 1]) < 0.1

def goes_on(carry):
    stop = jax.lax.cond(carry[0] > 0, lambda c: is_small(c), lambda c: False, carry)
    return ~stop & (carry[0] < 10)

def body(carry):
    it, x, seen = carry
    return it + 1, x * 0.5, seen.at[it].set(x)

jax.jit(lambda x: jax.lax.while_loop(goes_on, body, (0, x, jnp.zeros(4))))(3.0)
";
    let text = exact("branch.py", program, "is_small").made.text;
    // It was not called in the first round.
    assert!(text.contains("(jnp.array(1), jnp.array(1.5), jnp.array([3.0, 0.0, 0.0, 0.0]))"), "{text}");
}

#[test]
fn long_lists_are_held_to_the_threshold() {
    let program = "\
import jax
import jax.numpy as jnp

GRID = [[float(i * j) for i in range(16)] for j in range(16)]

@jax.jit
def weigh(x):
    return jnp.asarray(GRID) @ x + jnp.array(GRID).sum()

weigh(jnp.ones(16))
";
    let text = exact("grid.py", program, "weigh").made.text;
    assert!(text.contains("data[\"numbers\"].tolist()") && !text.contains("225.0"), "{text}");
    let request = Request { target: Target::Function("weigh".into()), ..Request::default() };
    let found = verified_for(&here("grid.py"), program, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("np.ones((16, 16)).tolist()"), "{}", found.made.text);
}

#[test]
fn equal_arrays_are_written_once() {
    let program = "\
import jax
import jax.numpy as jnp

def steps(x):
    for _ in range(12):
        x = x * 0.9 + 0.01
    return x

a, b = steps(jnp.arange(10.0)), steps(jnp.arange(10.0))

def inner(x):
    return jnp.dot(x * a + jnp.sin(x * b), jnp.ones(3))

jax.vmap(inner)(jnp.ones((2, 10)))
";
    let found = verified(&here("equal.py"), program).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert_eq!(found.made.text.matches("jnp.array(").count(), 1, "{}", found.made.text);
}

#[test]
fn what_a_function_is_given_in_vain_is_left_out() {
    let program = "\
import jax
import jax.numpy as jnp

class Model:
    def __init__(self):
        self.log = jnp.zeros(200)
        self.w = jnp.ones((2, 3))

def apply(model, params, x, key):
    return jnp.tanh(x @ model.w) * params['scale']

params = {'scale': jnp.ones(3), 'shift': jnp.zeros(3)}
grad = jax.grad(lambda p: apply(Model(), p, jnp.ones((4, 2)), jax.random.key(0)).sum())(params)
";
    let text = exact("vain.py", program, "apply").made.text;
    assert!(text.contains("def apply(model, params, x):"), "{text}");
    assert!(text.contains("{\"w\": jnp.ones((2, 3))}") && !text.contains("shift"), "{text}");
    // Of what is handed on as a whole all is.
    let program = program.replace("params['scale']", "sum(jax.tree.leaves(params))");
    let text = exact("whole.py", &program, "apply").made.text;
    assert!(text.contains("shift"), "{text}");
}
