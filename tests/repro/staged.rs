//! Numbers of functions that are given stand-ins: those that flow there when the program runs.

use tracer_core::repro::{Data, Level, Request, Target, Verified};

use crate::helpers::{self, here, verified_for};

const PROGRAM: &str = "\
import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental.ode import odeint

def block(h, w):
    return jnp.tanh(h @ w) + h

def loss(ws, x):
    h, sums = lax.scan(lambda h, w: (jax.checkpoint(block)(h, w), h.sum()), x, ws)
    return (h ** 2).mean() + sums.sum()

def small(v):
    return v * 2 + 1

def large(v):
    return v / 3 - 1

def branch(v):
    return lax.cond(v.sum() > 0, small, large, v)

def third(v):
    return v * 3

def switched(i, v):
    return lax.switch(i, [small, large, third], v)

def g(t):
    return t ** 3 - 2.0 + t

def find(t0):
    def solve(f, x):
        return lax.fori_loop(0, 9, lambda i, x: x - f(x) / jax.grad(f)(x), x)
    return lax.custom_root(g, t0, solve, lambda f, y: y / f(1.0))

def slope(y, t, k):
    return -k * y + jnp.sin(t)

def path(k):
    return odeint(slope, jnp.array([1.0, 2.0]), jnp.linspace(0.0, 1.0, 5), k).sum()

def scaled(p, x):
    return p * x

def line(p, b):
    return lax.custom_linear_solve(lambda x: scaled(p, x), b, lambda f, b: b / p, symmetric=True)

def halved(v):
    return v / 2

def until_small(v):
    return lax.while_loop(lambda v: v.sum() > 1, halved, v)

vs = jnp.arange(6.0).reshape(2, 3) - 2.5
jax.jit(jax.grad(loss))(jnp.linspace(0.0, 1.0, 12).reshape(3, 2, 2), jnp.array([[0.25, 0.75]]))
jax.jit(jax.grad(lambda v: jax.vmap(branch)(v).sum()))(vs)
jax.jit(jax.vmap(switched))(jnp.array([2, 0]), vs)
jax.jit(find)(1.5)
jax.jit(jax.grad(path))(0.75)
jax.jit(line)(jnp.array([2.0, 3.0]), jnp.array([1.0, 4.0]))
jax.jit(jax.vmap(until_small))(vs + 8)
";

fn exact(function: &str) -> Verified {
    let found = helpers::exact("staged.py", PROGRAM, function);
    assert!(found.made.stand_ins.is_empty(), "{function}: {:?}", found.made.stand_ins);
    found
}

#[test]
fn numbers_reach_what_checkpoints_branches_solvers_and_loops_are_given() {
    for (function, numbers) in [
        ("block", "jnp.array([[0.25, 0.75]]), jnp.array([[0.0, 0.09090909], [0.18181819, 0.27272728]])"),
        ("small", "jnp.array([-2.5, -1.5, -0.5])"),
        ("large", "jnp.array([-2.5, -1.5, -0.5])"),
        ("third", "jnp.array([-2.5, -1.5, -0.5])"),
        ("g", "jnp.array(1.5)"),
        ("slope", "jnp.array([1.0, 2.0]), jnp.array(0.0), jnp.array(0.75)"),
        ("scaled", "jnp.array([2.0, 3.0]), jnp.array([1.0, 4.0])"),
        ("halved", "jnp.array([5.5, 6.5, 7.5])"),
    ] {
        let text = exact(function).made.text;
        let flat: String = text.split_whitespace().collect::<String>().replace(",)", ")");
        let numbers = numbers.replace(' ', "");
        assert!(flat.contains(&format!("jax.jit({function})({numbers})")), "{text}");
    }
}

#[test]
fn numbers_reach_what_closes_over_values_of_a_compiled_function() {
    let text = "\
import functools

import jax
import jax.numpy as jnp
import numpy as np

@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def clip(x, bound):
    return x * 1.0

clip.defvjp(lambda x, bound: (x, None), lambda bound, _, g: (jnp.clip(g, -bound, bound),))

def make(w):
    taps = w / w.sum()

    def step(carry, v):
        carry = carry + v
        return carry, (carry * taps).sum()

    def run(x):
        return jax.lax.scan(step, np.zeros(3, np.float32), x)[1]

    return run

@jax.jit
def outer(w, x):
    ys = make(w * x.sum(1)[0])(x)
    return clip(ys.sum(), 0.5)

jax.value_and_grad(outer)(np.array([1.0, 2.0, 3.0], np.float32), np.arange(6, dtype=np.float32).reshape(2, 3))
";
    for (function, numbers, level) in [
        ("step", "jnp.array([0.16666667, 0.33333334, 0.5])", Level::Api),
        ("step", "jnp.array([0.16666667, 0.33333334, 0.5])", Level::Primitive),
        ("run", "jnp.array([0.16666667, 0.33333334, 0.5])", Level::Api),
        ("run", "jnp.array([0.16666667, 0.33333334, 0.5])", Level::Primitive),
        ("clip", "(jnp.array(7.0", Level::Api),
    ] {
        let target = Target::Function(function.into());
        let request = Request { target, data: Data::Exact, level, ..Request::default() };
        let found = verified_for(&here("closed.py"), text, &request).expect("a reproducer");
        assert_eq!(found.unlike, None, "{}", found.made.text);
        assert!(found.made.stand_ins.is_empty(), "{function}: {:?}\n{}", found.made.stand_ins, found.made.text);
        assert!(found.made.text.contains(numbers), "{function}: {}", found.made.text);
    }
}

#[test]
fn a_helper_whose_axes_are_named_around_it_keeps_what_it_does() {
    let program = "\
import jax
import jax.numpy as jnp

def centre(x):
    return x - jax.lax.pmean(jnp.sin(x), 'batch')

def layer(w, x):
    h = centre(x @ w)
    return jnp.tanh(h)

w = jnp.arange(6.0).reshape(2, 3)
jax.vmap(layer, in_axes=(None, 0), axis_name='batch')(w, jnp.ones((4, 2)))
";
    let request = Request { target: Target::Function("centre".into()), ..Request::default() };
    let found = verified_for(&here("axes.py"), program, &request).expect("a reproducer");
    let text = found.made.text;
    assert_eq!(found.unlike, None, "{text}");
    assert!(!found.made.approximate && text.contains("lax.pmean(jnp.sin("), "{text}");
}
