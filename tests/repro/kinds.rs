//! Functions with rules that are given containers of several kinds.

use tracer_core::repro::{Data, Level, Request, Target};

use crate::helpers::{exact, here, verified_for};

const ADJOINT: &str = "\
import functools
import jax
import jax.numpy as jnp
from jax import lax

@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def integrate(f, params, y):
    def body(y, t):
        return jax.tree.map(lambda y, dy: y + 0.1 * dy, y, f(params, t, y)), None
    return lax.scan(body, y, jnp.arange(3.0))[0]

def forward(f, params, y):
    y = integrate(f, params, y)
    return y, (params, y)

def backward(f, res, g):
    params, y = res
    def augmented(params, t, state):
        y, a, _ = state
        dy, pull = jax.vjp(lambda y, p: f(p, -t, y), y, params)
        return (jax.tree.map(jnp.negative, dy), *pull(a))
    _, a, dp = integrate(augmented, params, (y, g, jax.tree.map(jnp.zeros_like, params)))
    return dp, a

integrate.defvjp(forward, backward)

def field(params, t, y):
    return {\"x\": jnp.tanh(params[\"w\"] * y[\"x\"] + t)}

@jax.jit
def slope(params, y):
    return jax.grad(lambda params: integrate(field, params, y)[\"x\"].sum())(params)

slope({\"w\": jnp.array([0.5, 2.0])}, {\"x\": jnp.array([1.0, -1.0])})
";

#[test]
fn a_function_with_rules_has_a_case_for_each_kind_of_container() {
    let request = Request {
        target: Target::Function("slope".into()),
        data: Data::Exact,
        level: Level::Primitive,
        ..Request::default()
    };
    let found = verified_for(&here("kinds.py"), ADJOINT, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("if isinstance(y, tuple):"), "{}", found.made.text);
}

#[test]
fn maps_over_trees_need_no_cases() {
    let made = exact("kinds.py", ADJOINT, "slope").made;
    assert!(!made.text.contains("isinstance"), "{}", made.text);
}
