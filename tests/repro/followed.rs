//! What runs between calls of the framework: functions of Python's own over arrays, and what is made once for several calls.

use crate::helpers::exact;

#[test]
fn operators_as_functions_are_followed_each_time() {
    let program = "\
import operator
import jax
import jax.numpy as jnp

@jax.jit
def scaled(tree):
    def scale(*leaves):
        return operator.mul(0.1, *leaves)
    both = jax.tree.map(scale, tree)
    return [operator.add(both['a'], x) for x in (both['b'], both['a'], both['b'])]

scaled({'a': jnp.arange(3.0), 'b': jnp.ones(3)})
";
    let text = exact("operators.py", program, "scaled").made.text;
    assert!(!text.contains("jnp.ones((3,))"), "{text}");
    assert_eq!(text.matches("tree[\"a\"] + ").count() + text.matches("both[\"a\"] + ").count(), 3, "{text}");
}

#[test]
fn what_is_made_once_for_several_calls_names_what_it_uses() {
    let program = "\
import jax
import jax.numpy as jnp

def net(w, x):
    a, b = jnp.split(jnp.tanh(w @ x), 2)
    sign, size = jnp.linalg.slogdet(jnp.outer(x, x) + jnp.eye(4))
    return jnp.sum(a) + jnp.sum(b) * sign + size

batched = jax.vmap(lambda *args: net(*args), in_axes=(None, 0))

@jax.jit
def walk(w, xs):
    def move(carry, k):
        new = carry[0] + k
        return (new, batched(w, new)), carry[1].mean()
    return jax.lax.scan(move, (xs, batched(w, xs)), jnp.arange(3.0))

walk(jnp.ones((4, 4)), jnp.arange(12.0).reshape(3, 4))
";
    let text = exact("walk.py", program, "walk").made.text;
    assert!(text.contains("    a, b = jnp.split(") && text.contains("    sign, size = "), "{text}");
    assert!(!text.contains("None)"), "{text}");
}

#[test]
fn no_variable_takes_the_name_of_the_file() {
    let program = "\
import jax
import jax.numpy as jnp
import numpy as np
from typing import NamedTuple

class Field(NamedTuple):
    data: jax.Array

WEIGHTS = np.linspace(0.0, 1.0, 256).reshape(16, 16).astype(np.float32)

def smooth(field):
    first = Field(jnp.sin(field.data) @ WEIGHTS)
    second = Field(jnp.cos(first.data))
    return Field(second.data + first.data @ WEIGHTS)

@jax.jit
def energy(field):
    return jnp.sum(jax.named_call(smooth, name='smooth')(field).data)

energy(Field(jnp.linspace(0.0, 2.0, 256).reshape(16, 16)))
";
    exact("fields.py", program, "energy");
}
