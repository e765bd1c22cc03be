//! What calls are given by name, and rules that are called with other plain arguments.

use tracer_core::repro::{Data, Level, Request, Target, Verified};

use crate::helpers::{here, verified_for};

fn exact(text: &str, function: &str) -> Verified {
    let request = Request { target: Target::Function(function.into()), data: Data::Exact, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    found
}

#[test]
fn keyword_arguments_are_told_apart_by_their_names() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.jit
def total(x, *, last, **rest):
    return x + rest[\"zeta\"] * 4 + rest[\"ab\"] * 2 + last

total(jnp.ones(2), zeta=jnp.float32(1), last=jnp.float32(7), ab=jnp.float32(10))
";
    let made = exact(text, "total").made;
    assert!(made.text.contains("\"ab\": jnp.array(10.0), \"zeta\": jnp.array(1.0)"), "{}", made.text);
    assert!(made.text.contains("last=jnp.array(7.0)"), "{}", made.text);
}

#[test]
fn numbers_that_are_computed_from_parameters_are_written_with_them() {
    let text = "\
import functools
import jax
import jax.numpy as jnp

@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def clip(limit, bits, x):
    return jnp.round(x * 2**bits) / 2**bits

def backward(limit, bits, r, g):
    return (jnp.clip(g, -limit, limit) ** 2,)

clip.defvjp(lambda limit, bits, x: (clip(limit, bits, x), None), backward)

@jax.jit
def both(x):
    return jax.grad(lambda x: (clip(0.5, 2, x) * clip(2.0, 5, x)).sum())(x)

both(jnp.array([0.3, -1.2, 2.7]))
";
    let made = exact(text, "both").made;
    assert!(!made.text.contains("if "), "{}", made.text);
    assert!(made.text.contains("jnp.clip(g, -limit, limit) ** 2"), "{}", made.text);
    assert!(made.text.contains("jnp.round(x * 2**bits) / 2**bits"), "{}", made.text);
}

#[test]
fn rules_have_a_case_for_each_of_their_plain_arguments() {
    let text = "\
import functools
import jax
import jax.numpy as jnp

@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def rounded(x, bits):
    return jnp.round(x * 7**bits) / 7**bits

rounded.defvjp(lambda x, bits: (rounded(x, bits), None), lambda bits, r, g: (g * bits,))

@jax.jit
def both(x):
    return jax.grad(lambda x: (rounded(x, 2) * rounded(x, 5)).sum())(x)

both(jnp.array([0.3, -1.2, 2.7]))
";
    let made = exact(text, "both").made;
    // What does the same with another number is written with its parameter.
    assert_eq!(made.text.matches("if bits == ").count(), 1, "{}", made.text);
    assert!(made.text.contains("g * bits"), "{}", made.text);
    let text = "\
import jax
import jax.numpy as jnp

@jax.custom_batching.custom_vmap
def scaled(x, y):
    return x * y.sum()

@scaled.def_vmap
def rule(n, in_batched, x, y):
    return x * (y.sum(-1, keepdims=True) if in_batched[1] else y.sum()), True

@jax.jit
def batched(x, y):
    return jax.vmap(scaled, (0, None))(x, y), jax.vmap(scaled)(x, x)

batched(jnp.ones((3, 2)), jnp.arange(2.0))
";
    let made = exact(text, "batched").made;
    assert!(made.text.contains("if in_batched == [True, True]:"), "{}", made.text);
}

#[test]
fn functions_in_a_tree_are_no_arguments_of_what_is_compiled() {
    let text = "\
import jax
import jax.numpy as jnp

class Layer:
    def __init__(self, w, activation):
        self.w, self.activation = w, activation

    def __call__(self, x):
        return self.activation(x @ self.w)

jax.tree_util.register_pytree_node(
    Layer, lambda layer: ((layer.w, layer.activation), None), lambda _, parts: Layer(*parts)
)

def loss(layer, x):
    return layer(x).sum()

@jax.jit
def step(w, x):
    return jax.grad(lambda w: loss(Layer(w, jnp.tanh), x))(w)

step(jnp.ones((3, 2)), jnp.ones(3))
";
    for activation in ["jnp.tanh", "jax.nn.relu", "jax.nn.silu"] {
        let made = exact(&text.replace("jnp.tanh", activation), "loss").made;
        assert!(made.text.contains(&format!("{activation}(x @")), "{}", made.text);
    }
}

#[test]
fn what_calls_alone_do_not_raise_is_raised_by_the_text_of_the_program() {
    let text = "\
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt

class Box:
    \"\"\"A box.\"\"\"

    def __init__(self, v):
        self.v = v

def register(cls):
    # As a tree.
    jax.tree_util.register_pytree_node(cls, lambda b: ((b.v,), None), lambda _, c: cls(*c))

w = jnp.ones(3)
register(Box)
print(jax.tree.leaves(Box(w)))
register(Box)
plt.show()
";
    let found = verified_for(&here("large.py"), text, &Request::default()).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    let expected = "\
import jax


class Box:
    pass


def register(cls):
    jax.tree_util.register_pytree_node(
        cls, lambda b: ((b.v,), None), lambda _, c: cls(*c)
    )


register(Box)
register(Box)
";
    let made = found.made;
    assert!(made.is_own_text);
    assert_eq!(made.text, expected);
    // Each line is tied to the statement that it is a part of.
    let shown: Vec<&str> = made.text.lines().collect();
    for tie in &made.ties {
        let own = &text[tie.span.start as usize..tie.span.end as usize];
        assert!(own.contains(shown[tie.line].trim()), "{own}");
    }
    assert!(made.ties.len() >= 6);
}

#[test]
fn what_no_name_leads_to_the_error_from_is_left_out_of_the_programs_text() {
    let text = "\
\"\"\"Layers.\"\"\"
import dataclasses
import functools
import jax
import jax.numpy as jnp

@dataclasses.dataclass
class Layer:
    scale: float = 2.0

    def __call__(self, x):
        return self.scale * x

class Table(dict):
    def add(self, name):
        def register(cls):
            self[name] = cls
            return cls
        return register

TABLE = Table()

@TABLE.add(\"norm\")
class Norm(Layer):
    def __call__(self, x):
        return x / jnp.linalg.norm(x)

@functools.singledispatch
def size(x):
    return x.size

@size.register(dict)
def _(x):
    return sum(size(v) for v in x.values())

def main():
    x = jnp.ones(3)
    print(TABLE[\"norm\"]()(x), size({\"a\": x}))
    print(jax.jit(Layer())(x))

main()
";
    let request = Request { minimal: true, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.is_own_text);
    assert!(
        ["Norm", "Table", "size", "Layers"].iter().all(|gone| !found.made.text.contains(gone)),
        "{}",
        found.made.text
    );
}

#[test]
fn objects_are_their_attributes_where_the_program_itself_calls() {
    let text = "\
import dataclasses
import jax
import jax.numpy as jnp

@dataclasses.dataclass
class Fit:
    w: jax.Array
    rate: float = 0.5

    def step(self, x):
        return dataclasses.replace(self, w=update(self.w, x, self.rate))

@jax.jit
def update(w, x, rate):
    return w - rate * x

Fit(jnp.ones(3)).step(jnp.arange(3.0))
";
    let made = exact(text, "Fit.step").made;
    assert!(made.text.contains("(self[\"w\"], x, 0.5)"), "{}", made.text);
    assert!(made.text.contains("\"rate\": 0.5}") && !made.text.contains("class"), "{}", made.text);
}

#[test]
fn functions_that_are_called_with_several_sizes_are_written_without_them() {
    let text = "\
import jax
import jax.numpy as jnp

def combine(a, b):
    return a * jnp.ones((1, 3)) + b[:, None, :].sum(1)

def f(x):
    return jax.lax.associative_scan(combine, x) + jnp.linspace(0.0, 1.0, 3)

f(jnp.ones((8, 3)))
";
    let request = Request { target: Target::Function("f".into()), level: Level::Primitive, ..Request::default() };
    let found = verified_for(&here("sizes.py"), text, &request).expect("a reproducer");
    let text = found.made.text;
    assert_eq!(found.unlike, None, "{text}");
    // What is not called with several sizes is primitives, without those that nothing needs.
    assert!(text.contains("lax.add(") && !text.contains("lax.sub(d, c)"), "{text}");
}

#[test]
fn what_a_function_does_for_each_size_is_told_apart() {
    let text = "\
import jax
import jax.numpy as jnp

def combine(a, b):
    return a[0] * b[0], (a[1][..., None] + b[1].reshape(b[1].shape[0], 3, 1)).sum(-1)

def f(x):
    return jax.lax.associative_scan(combine, (x, jnp.outer(x, jnp.arange(3.0))))

f(jnp.arange(1.0, 9.0))
";
    let text = exact(text, "f").made.text;
    assert!(text.contains("if a[0].shape == (2,):"), "{text}");
}

#[test]
fn parameters_that_are_given_the_same_array_stay_apart() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.custom_vjp
def gate(a, b):
    return a * jax.nn.sigmoid(b)

def gate_fwd(a, b):
    return gate(a, b), (a, b)

def gate_bwd(res, g):
    a, b = res
    s = jax.nn.sigmoid(b)
    return g * s, g * a * s * (1 - s)

gate.defvjp(gate_fwd, gate_bwd)

@jax.custom_jvp
def product(a, b):
    return a * jnp.cos(b)

@product.defjvp
def product_jvp(primals, tangents):
    (a, b), (da, db) = primals, tangents
    return product(a, b), da * jnp.cos(b) - a * jnp.sin(b) * db

def loss(w, x, y):
    h = gate(x, x) + product(x, x)
    return jnp.mean(gate(h @ w, y) ** 2) + product(h, y).sum()

w, x, y = jnp.arange(4.0).reshape(2, 2), jnp.array([0.5, -1.0]), jnp.array([2.0, 3.0])
jax.grad(loss)(w, x, y)
loss(w, x, y)
";
    for function in ["loss", "gate", "product"] {
        let request = Request { target: Target::Function(function.into()), data: Data::Exact, ..Request::default() };
        let found = verified_for(&here("same.py"), program, &request).expect("a reproducer");
        let text = found.made.text;
        assert_eq!(found.unlike, None, "{text}");
        assert!(text.contains("a * jax.nn.sigmoid(b)") || text.contains("a * jnp.cos(b)"), "{text}");
    }
}

#[test]
fn parameters_of_a_rule_of_batches_that_are_given_the_same_array_stay_apart() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.custom_batching.custom_vmap
def product(a, b):
    return a @ b

@product.def_vmap
def rule(size, batched, a, b):
    return jnp.einsum('nij,njk->nik', a, b), True

@jax.jit
def f(xs, ys):
    return jax.vmap(lambda x, y: product(x, x) + product(x, y))(xs, ys)

f(jnp.arange(8.0).reshape(2, 2, 2), jnp.ones((2, 2, 2)))
";
    let text = exact(program, "f").made.text;
    assert!(text.contains("jnp.einsum(\"nij,njk->nik\", a, b)"), "{text}");
}

#[test]
fn functions_with_rules_have_a_case_for_each_size() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.custom_jvp
def noisy(w, key):
    return w + jax.random.normal(key, w.shape)

@noisy.defjvp
def noisy_jvp(primals, tangents):
    w, key = primals
    return noisy(w, key), tangents[0] + jnp.zeros(w.shape)

@jax.jit
def both(a, b, key):
    return jax.grad(lambda a, b: noisy(a, key).sum() + noisy(b, key).sum(), (0, 1))(a, b)

both(jnp.ones(2), jnp.ones((3, 2)), jax.random.key(0))
";
    let made = exact(text, "both").made;
    assert!(made.text.contains("    if w.shape == (3, 2):"), "{}", made.text);
    assert!(made.text.contains("    if primals[0].shape == (3, 2):"), "{}", made.text);
}

#[test]
fn numbers_that_rules_are_given_are_their_parameters() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.custom_vjp
def leaky(x, slope):
    return jnp.where(x > 0, x, slope * x)

def leaky_fwd(x, slope):
    return leaky(x, slope), (x, slope)

def leaky_bwd(res, ct):
    x, slope = res
    return jnp.where(x > 0, ct, slope * ct), None

leaky.defvjp(leaky_fwd, leaky_bwd)

@jax.custom_jvp
def bent(x, slope):
    return jnp.where(x > 0, x, slope * x)

@bent.defjvp
def bent_jvp(p, t):
    x, slope = p
    return bent(x, slope), jnp.where(x > 0, t[0], slope * t[0])

def both(v):
    return (leaky(v, 0.1) + 2 * leaky(v, 0.5) + bent(v, 0.3) + 2 * bent(v, 0.7)).sum()

@jax.jit
def slopes(x):
    return jax.grad(both)(x)

slopes(jnp.linspace(-3.0, -1.0, 300))
";
    let made = exact(text, "slopes").made;
    for line in ["leaky(x, slope), (x, slope)", "slope * ct", "bent(x, slope)", "slope * t[0]"] {
        assert!(made.text.contains(line), "{line}: {}", made.text);
    }
}

#[test]
fn numbers_that_a_body_has_as_well_tell_calls_apart() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.custom_vjp
def leaky(x, slope):
    return jnp.where(x > 0, x, slope * x)

def leaky_fwd(x, slope):
    return leaky(x, slope), (x, slope)

def leaky_bwd(res, ct):
    x, slope = res
    return jnp.where(x > 0, ct * 0.5, slope * ct), None

leaky.defvjp(leaky_fwd, leaky_bwd)

@jax.jit
def slopes(x):
    return jax.grad(lambda v: (leaky(v, 0.1) + 2 * leaky(v, 0.5)).sum())(x)

slopes(jnp.array([-3.0, -1.0, 2.0]))
";
    let made = exact(text, "slopes").made;
    assert!(made.text.contains("if res[1] == 0."), "{}", made.text);
}

#[test]
fn short_floats_of_numpy_have_the_names_of_jax() {
    let text = "\
import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def least(x):
    return jnp.maximum(x, jnp.finfo(x.dtype).min) + np.asarray([0.25, 0.5], jnp.bfloat16)

least(jnp.ones(2, jnp.bfloat16))
";
    let made = exact(text, "least").made;
    assert!(!made.text.replace("jnp.bfloat16", "").contains("np.bfloat16"), "{}", made.text);
}

const STATIC: &str = "\
import jax
import jax.numpy as jnp
from functools import partial

@partial(jax.jit, static_argnums=(1, 2))
def pool(x, k, fn='max'):
    y = x.reshape(-1, k)
    return y.max(1) if fn == 'max' else y.mean(1)

def all_of_them(x):
    return pool(x, 2, 'mean'), pool(x, 3, 'mean'), pool(x, 2), pool(x, 3), pool(x + 1, 3, 'mean')

all_of_them(jnp.arange(6.0))
";

#[test]
fn cases_of_static_arguments_stand_once_and_the_most_particular_first() {
    let text = exact(STATIC, "all_of_them").made.text;
    let body = "\
def pool(x, k, fn=\"max\"):
    if k == 3 and fn == \"max\":
        y = x.reshape(-1, 3)
        return y.max(1)
    if k == 3:
        y = x.reshape(-1, 3)
        return y.mean(1)
    if fn == \"max\":
        y = x.reshape(-1, 2)
        return y.max(1)
    y = x.reshape(-1, 2)
    return y.mean(1)
";
    assert!(text.contains(body) && text.matches("def pool").count() == 1, "{text}");
}

const TWICE: &str = "\
import jax
import jax.numpy as jnp

def f(x):
    return jnp.exp(jnp.sin(x) * 2 + 1) - x

def both(x):
    h = jax.jit(f)
    return jax.vmap(h)(x) + h(x), jax.jit(f)(x)

both(jnp.ones(2))
";

#[test]
fn what_is_traced_twice_is_written_as_what_is_traced_once() {
    let text = exact(TWICE, "both").made.text;
    assert!(
        text.contains("    return jnp.exp(jnp.sin(x) * 2 + 1) - x\n") && text.matches("def f").count() == 1,
        "{text}"
    );
}

const DEFAULT: &str = "\
import jax
import jax.numpy as jnp
from functools import partial

@partial(jax.jit, static_argnames=('order',))
def smooth(x, order=2, gain=1.0):
    return gain * jnp.convolve(x, jnp.ones(order) / order)

def all_of_them(x):
    return smooth(x), smooth(x, order=3), smooth(x, gain=2), smooth(x, order=3, gain=3.0)

all_of_them(jnp.arange(6.0))
";

#[test]
fn a_default_that_another_call_is_given_as_an_array_is_no_case_of_it() {
    let text = exact(DEFAULT, "all_of_them").made.text;
    let plain = "    return 1.0 * jnp.convolve(x, jnp.ones(order) / order)\n";
    let given = "    return gain * jnp.convolve(x, jnp.ones(order) / order)\n";
    assert!(text.contains(plain) && text.contains(given) && text.matches("def smooth").count() == 2, "{text}");
}

const HELPED: &str = "\
import jax
import jax.numpy as jnp
from functools import partial

@partial(jax.jit, static_argnames=('k', 'mode'))
def f(x, k=2, *, mode='same'):
    return jnp.convolve(x, jnp.ones(k), mode=mode)

def all_of_them(a):
    return f(a), f(a, 3), f(a, k=3, mode='valid')

all_of_them(jnp.arange(5.0))
";

#[test]
fn helpers_of_bodies_that_are_tried_keep_their_names() {
    let target = Target::Function("all_of_them".into());
    let request = Request { target, level: Level::Primitive, data: Data::Exact, ..Request::default() };
    let found = verified_for(&here("large.py"), HELPED, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert_eq!(found.made.text.matches("def _conv(").count(), 1, "{}", found.made.text);
}
