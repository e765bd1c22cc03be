//! Functions that were made with arguments (`functools.partial`, methods, objects that are called) and that others are given.

use crate::helpers::exact;

#[test]
fn a_static_function_made_with_each_of_several_arguments_is_a_function_for_each() {
    let program = "\
import functools
import jax
import jax.numpy as jnp

def energy(x, temperature):
    return (x**2 - 1) / temperature

@functools.partial(jax.jit, static_argnames=\"E\")
def step(E, x):
    return x - 0.1 * jax.vmap(jax.grad(E))(x)

energies = tuple(functools.partial(energy, temperature=2.0**i) for i in range(3))

@jax.jit
def case(x):
    for E in energies:
        x = step(E, x)
    return x

case(jnp.array([0.5, 1.5]))
";
    let made = exact("made_with.py", program, "case").made;
    assert_eq!(made.text.matches("def step").count(), 1, "{}", made.text);
    assert!(made.text.contains("jax.vmap(jax.grad(E))(x)"), "{}", made.text);
    assert!(made.text.contains("def energy_2(x):\n    return (x**2 - 1) / 4.0"), "{}", made.text);
}

#[test]
fn a_rule_gives_a_function_made_with_what_it_was_given() {
    let program = "\
import functools
import jax
import jax.numpy as jnp

@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def solve(f, a, x):
    for _ in range(3):
        x = f(a, x)
    return x

def forward(f, a, x):
    x = solve(f, a, x)
    return x, (a, x)

def adjoint(f, packed, u):
    a, x, bar = packed
    return bar + jax.vjp(lambda x: f(a, x), x)[1](u)[0]

def backward(f, res, bar):
    a, x = res
    u = solve(functools.partial(adjoint, f), (a, x, bar), bar)
    return jax.vjp(lambda a: f(a, x), a)[1](u)[0], jnp.zeros_like(x)

solve.defvjp(forward, backward)

@jax.jit
def root(a):
    return jax.grad(lambda a: solve(lambda a, x: 0.5 * (x + a / x), a, a).sum())(a)

root(jnp.array([2.0, 3.0]))
";
    let made = exact("made_with.py", program, "root").made;
    assert!(made.text.contains("    x = f(a, x)\n"), "{}", made.text);
    assert!(made.text.contains("def adjoint("), "{}", made.text);
}

#[test]
fn methods_and_objects_that_are_called_are_functions_for_each_object() {
    let program = "\
import functools
import jax
import jax.numpy as jnp

class Well:
    def __init__(self, depth):
        self.depth = depth

    def energy(self, x):
        return self.depth * (x**2 - 1)

    def __call__(self, x):
        return self.depth * x

@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def scaled(f, x):
    return f(x) * 2

@scaled.defjvp
def scaled_jvp(f, primals, tangents):
    return scaled(f, *primals), 2 * jax.jvp(f, primals, tangents)[1]

wells = [Well(1.0), Well(2.0)]
jax.vmap(wells[0].energy)(jnp.ones(3))

@jax.jit
def both(x):
    def total(x):
        for well in wells:
            x = scaled(well.energy, x) + scaled(well, x)
        return x.sum()
    return jax.grad(total)(x)

both(jnp.array([0.5, 1.5]))
";
    let made = exact("made_with.py", program, "both").made;
    assert!(made.text.contains("    return f(x) * 2\n"), "{}", made.text);
    assert_eq!(made.text.matches("* (x**2 - 1)").count(), 2, "{}", made.text);
}

#[test]
fn ufuncs_and_methods_of_arrays_are_made_with_arguments() {
    let program = "\
from functools import partial
import jax
import jax.numpy as jnp

@jax.jit
def case(x):
    a = jax.vmap(partial(jnp.multiply, 3.0))(x)
    b = jax.lax.map(partial(x.at[0].add, mode=\"drop\"), a)
    return b, jax.vmap(jnp.add.reduce)(b), jax.vmap(x.dot, in_axes=1)(b)

case(jnp.array([0.5, 1.5]))
";
    let made = exact("made_with.py", program, "case").made;
    let wanted = [
        "jax.vmap(jax.tree_util.Partial(jnp.multiply, 3.0))(x)",
        "lax.map(jax.tree_util.Partial(x.at[0].add, mode=\"drop\"), a)",
        "jax.vmap(jnp.add.reduce)(b)",
        "jax.vmap(x.dot, in_axes=1)(b)",
    ];
    wanted.iter().for_each(|part| assert!(made.text.contains(part), "{}", made.text));
}
