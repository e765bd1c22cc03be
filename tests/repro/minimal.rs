//! Reproducers that are as small as they can be.

use tracer_core::repro::{Outcome, Request, Target};

use crate::helpers::{here, verified_for};

#[test]
fn minimal_ones_keep_the_error_and_its_place() {
    let text = "\
import jax
import jax.numpy as jnp

def layer(w, x):
    return jnp.tanh(x @ w[\"kernel\"] + w[\"bias\"])

def loss(params, x, y):
    for name in [\"first\", \"second\"]:
        x = layer(params[name], x)
    return jnp.mean((x - y) ** 2)

@jax.jit
def step(params, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value

make = lambda n, m: {\"kernel\": jnp.ones((n, m)), \"bias\": jnp.zeros(m)}
step({\"first\": make(32, 64), \"second\": make(48, 8)}, jnp.ones((16, 32)), jnp.ones((16, 8)))
";
    let request = Request { minimal: true, ..Request::default() };
    let made = verified_for(&here("large.py"), text, &request).expect("a reproducer").made;
    let Outcome::Error(class, message) = &made.outcome else { panic!("no error") };
    assert_eq!(class, "TypeError");
    assert!(message.starts_with("dot_general requires contracting dimensions to have the same shape"), "{message}");
    let lines: Vec<&str> = made.text.lines().filter(|line| line.contains('@')).collect();
    assert_eq!(lines.len(), 1, "{}", made.text);
    assert!(made.text.lines().count() <= 5, "{}", made.text);
    let at = made.text.lines().position(|line| line.contains('@'));
    let tie = made.ties.iter().find(|tie| Some(tie.line) == at).expect("a tie");
    assert!(text[tie.span.start as usize..].starts_with("x @ w"), "{:?}", &text[tie.span.start as usize..][..20]);
}

#[test]
fn minimal_ones_keep_the_tracer_that_an_error_is_of() {
    let text = "\
import jax
import jax.numpy as jnp

def clip(h):
    return h if jnp.max(h) > 3 else h / 2

@jax.jit
def step(w, x):
    h = jnp.tanh(x @ w)
    return clip(h).sum()

step(jnp.ones((8, 4)), jnp.ones((2, 8)))
";
    let request = Request { minimal: true, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None);
    assert!(matches!(&found.made.outcome, Outcome::Error(class, _) if class.ends_with("TracerBoolConversionError")));
    assert!(found.made.text.contains("jax.jit(") && !found.made.text.contains("tanh"), "{}", found.made.text);
}

#[test]
fn functions_get_small_arrays() {
    let text = "\
import jax
import jax.numpy as jnp

def block(w, x):
    heads = x.reshape(16, 48, 4, 32)
    scores = jnp.einsum(\"bqhd,bkhd->bhqk\", heads, heads) ** 3
    return jnp.mean(scores @ w, axis=3)

@jax.jit
def step(w, x):
    return jax.lax.fori_loop(0, 100, lambda i, h: h + 1.0, block(w, x))

step(jnp.ones((48, 48)), jnp.ones((16, 48, 128)))
";
    let request = Request { target: Target::Function("step".into()), minimal: true, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None);
    let small = &found.made.text;
    // The power and the axis are no sizes.
    assert!(small.contains("** 3") && small.contains("axis=3"), "{small}");
    assert!(!small.contains("48") && !small.contains("128") && !small.contains("100"), "{small}");
    assert!(small.contains("jnp.einsum(\"bqhd,bkhd->bhqk\""), "{small}");
}

#[test]
fn calls_get_small_arrays_and_functions_that_fail_become_minimal() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.jit
def fine(x):
    return jnp.tanh(x) @ jnp.ones((64, 8), jnp.bfloat16)

def bad(x):
    y = jnp.tanh(x).astype(jnp.bfloat16)
    return y @ jnp.ones((7, 8), jnp.bfloat16)

a = jnp.tanh(fine(jnp.ones((32, 64), jnp.bfloat16)))
jax.jit(bad)(a)
";
    let of = |target| {
        let request = Request { target, minimal: true, ..Request::default() };
        verified_for(&here("large.py"), text, &request).expect("a reproducer")
    };
    let fine = of(Target::Function("fine".into()));
    assert!(!fine.made.text.contains("64") && !fine.made.text.contains("32)"), "{}", fine.made.text);
    assert_eq!(fine.made.outcome, Outcome::Values(vec!["bf16[3,2]".into()]));
    let bad = of(Target::Function("bad".into())).made;
    assert!(matches!(&bad.outcome, Outcome::Error(class, _) if class == "TypeError"), "{:?}", bad.outcome);
    assert!(bad.text.lines().count() <= 4 && !bad.text.contains("bfloat16"), "{}", bad.text);
}

/// The small text of a program's error.
fn small(text: &str) -> String {
    let request = Request { minimal: true, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.is_minimal, "{}", found.made.text);
    found.made.text
}

#[test]
fn arrays_of_numpy_that_are_written_out_become_small() {
    let text = small(
        "\
import jax
import numpy as np
from jax import lax

t = np.sin(np.arange(100, dtype=np.float32))
lax.scan(lambda c, x: (c + x[0], x[1]), 0.0, (t[:40], t))
",
    );
    assert!(text.lines().count() <= 8, "{text}");
}

#[test]
fn what_a_transformation_made_is_the_same_under_another_name() {
    let text = small(
        "\
import jax
import jax.numpy as jnp

@jax.jit
def update(table, ids):
    def loss(table, ids):
        return table[ids].sum()
    return jax.value_and_grad(loss, argnums=(0, 1))(table, ids)

update(jax.random.normal(jax.random.key(0), (50, 8)), jnp.arange(16))
",
    );
    assert!(text.contains("jax.value_and_grad(") && text.lines().count() <= 9, "{text}");
}

#[test]
fn errors_of_the_program_lose_what_is_around_them() {
    let text = small(
        "\
import jax
import jax.numpy as jnp

class ShapeError(ValueError):
    pass

def loss(params, x):
    if x.shape[1] != params[\"w\"].shape[0]:
        raise ShapeError(f\"got {x.shape}\")
    return (x @ params[\"w\"]).sum()

@jax.jit
def step(params, x):
    return jax.value_and_grad(loss)(params, x)

params = {\"w\": jax.random.normal(jax.random.key(0), (64, 8)), \"b\": jnp.zeros(8)}
step(params, jnp.ones((2, 63)))
",
    );
    assert!(text.ends_with("raise ShapeError(\"got (2, 63)\")\n") && text.lines().count() <= 6, "{text}");
}

#[test]
fn a_small_function_is_one_that_runs() {
    let text = "\
import jax
import jax.numpy as jnp
import numpy as np

def line(ts, shift):
    return jnp.sum(ts[:, None] * shift)

ts = jnp.linspace(0.0, 8.0, 200)
shift = jnp.ones((200, 2)) + np.random.default_rng(0).normal(size=(200, 2))
observed = ts[:, None] + shift
line(ts, observed)
";
    let request = Request { target: Target::Function("line".into()), minimal: true, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
}

#[test]
fn types_that_do_not_fit_stay_apart_in_the_same_way() {
    for (body, kept) in [
        ("lax.cond(x.sum() > 0, lambda v: v.sum(0), lambda v: v.sum(1), x)", "so the shapes do not match"),
        ("lax.cond(x.sum() > 0, lambda v: v.astype(jnp.float16), lambda v: v * 2, x)", "so the dtypes do not match"),
        ("lax.scan(lambda c, t: (c[0] * t, t), x, jnp.arange(3.0))", "so the shapes do not match"),
        ("lax.while_loop(lambda c: c.sum() < 3, lambda c: c.astype(jnp.float16), x)", "so the dtypes do not match"),
    ] {
        let text = format!(
            "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n\ndef f(x):\n    return {body}\n\njax.jit(f)(jnp.ones((4, 3)))\n"
        );
        let request = Request { minimal: true, ..Request::default() };
        let made = verified_for(&here("apart.py"), &text, &request).expect("a reproducer").made;
        let Outcome::Error(_, message) = &made.outcome else { panic!("no error") };
        assert!(made.is_minimal && message.contains(kept) && !message.contains(", and "), "{message}\n{}", made.text);
    }
}

#[test]
fn an_array_stays_an_array() {
    let text = "\
import jax
import jax.numpy as jnp

def loss(err, weights):
    return jnp.einsum('bt,bt->', err, weights)

jax.grad(loss)(jnp.ones((3, 5)), jnp.concatenate([jnp.ones((4,)), jnp.zeros((1,))]))
";
    let request = Request { minimal: true, ..Request::default() };
    let made = verified_for(&here("einsum.py"), text, &request).expect("a reproducer").made;
    assert!(made.is_minimal && !made.text.contains(", ())") && !made.text.contains("(2,))"), "{}", made.text);
}

#[test]
fn what_a_function_gives_and_is_given_in_vain_goes() {
    let text = "\
import jax
import jax.numpy as jnp

def init(sizes, key):
    return [{\"w\": jax.random.normal(key, (n, m)) / jnp.sqrt(n), \"b\": jnp.zeros(m)} for n, m in zip(sizes, sizes[1:])]

def apply(params, x):
    for layer in params:
        x = jnp.tanh(x @ layer[\"w\"] + layer[\"b\"])
    return x

def first_loss(d, g, x):
    return apply(d, apply(g, x)).mean()

def second_loss(g, d, x):
    return -apply(d, apply(g, x)).mean()

def update(carry, key):
    (g, mg), (d, md) = carry
    z = jax.random.normal(key, (8, 3))
    dl, dg = jax.value_and_grad(first_loss)(d, g, z)
    gl, gg = jax.value_and_grad(second_loss)(g, d, z)
    step = lambda p, m: jax.tree.map(lambda p, m: p - 0.1 * m, p, m)
    return ((step(g, gg), gg), (step(d, dg), dg), 0), {\"d\": dl, \"g\": gl}

key = jax.random.key(0)
g, d = init([3, 16, 2], key), init([2, 16, 1], key)
zeros = lambda tree: jax.tree.map(jnp.zeros_like, tree)
jax.lax.scan(update, ((g, zeros(g)), (d, zeros(d))), jax.random.split(key, 5))
";
    let request = Request { minimal: true, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None);
    assert!(found.made.text.lines().count() <= 12, "{}", found.made.text);
}

/// A loop of three arrays one of which changes its shape, and a smaller one that does the same.
fn without_idle_parts(call: &str) -> String {
    small(&format!(
        "\
import jax
import jax.numpy as jnp
from jax import lax

def move(x, v, log):
    x = x + 0.1 * jnp.tanh(v)
    return x, v * x.sum(), log * jnp.ones((3, 1))

@jax.jit
def run(x, v, steps):
    {call}

run(jnp.ones(3), jnp.ones(3), jnp.arange(5.0))
"
    ))
}

#[test]
fn parts_of_a_carry_that_stay_what_they_are_go() {
    let text = without_idle_parts("return lax.scan(lambda c, t: (move(*c), t), (x, v, jnp.zeros(4)), steps)");
    assert!(text.contains("return jnp.ones(1), t") && text.contains("lax.scan(fn, 1, jnp.ones(1))"), "{text}");
    let text =
        without_idle_parts("return lax.while_loop(lambda c: c[1].sum() > 0, lambda c: move(*c), (x, v, jnp.zeros(4)))");
    assert!(text.contains("return jnp.ones(1)\n") && text.contains(", fn, 1)"), "{text}");
    let text = without_idle_parts("return lax.fori_loop(0, 5, lambda i, c: move(*c), (x, v, jnp.zeros(4)))");
    assert!(text.contains("return jnp.ones(1)\n") && text.contains("lax.fori_loop(0, 1, fn, 1)"), "{text}");
}

#[test]
fn parts_of_what_branches_give_that_are_alike_go() {
    let text = without_idle_parts(
        "return lax.cond(steps[0] > 0, lambda: move(x, v, jnp.zeros(4)), lambda: (x, v * 2, jnp.zeros(4)))",
    );
    assert!(text.lines().last().is_some_and(|line| !line.contains('(') || !line.contains("), jnp")), "{text}");
    assert!(!text.contains("jnp.ones(3)"), "{text}");
}

#[test]
fn the_part_of_a_carry_that_changes_stays_the_same_one() {
    let text = small(
        "\
import jax.numpy as jnp
from jax import lax

def body(c, t):
    first, second = c
    return (first * second.sum(), (second + t) * jnp.ones((2, 1))), first.sum()

lax.scan(body, (jnp.zeros(3, dtype=jnp.int32).sum(), jnp.zeros(4)), jnp.arange(3.0))
",
    );
    assert!(!text.contains("int32") && !text.contains("first"), "{text}");
}
