//! What functions are given: functions with arguments of their own, numbers of which no more than the type is known, those of a branch.

use tracer_core::repro::{Level, Request, Target};

use crate::helpers::{exact, here, verified_for};

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
