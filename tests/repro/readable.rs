//! What is written is what a person would have written: no container taken apart only to be put together again, no name that says nothing.

use tracer_core::repro::{Data, Outcome, Place, Request, Target};
use tracer_core::text::Span;

use crate::helpers::{here, reproduce, verified_for};

/// The reproducer of a function, whose arrays ones stand for where they are large.
fn text(program: &str, function: &str) -> String {
    let request = Request { target: Target::Function(function.into()), data: Data::Ones, ..Request::default() };
    let found = verified_for(&here("readable.py"), program, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    found.made.text
}

#[test]
fn containers_of_the_top_level_are_handed_on_whole() {
    let program = "\
import jax
import jax.numpy as jnp

batch = jax.tree.map(jax.ref.new_ref, {\"x\": jnp.ones(3), \"rest\": (jnp.ones(2), [jnp.ones(4)])})

@jax.jit
def total(batch, n):
    return sum(x[...].sum() for x in jax.tree.leaves(batch)) + n

total(batch, 1)
";
    let at = program.rfind("total(batch").expect("the call") as u32;
    let place = Place { path: None, span: Span { start: at, end: at + 5 } };
    let request = Request { target: Target::Place(place), ..Request::default() };
    let found = verified_for(&here("readable.py"), program, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.ends_with("(batch, 1)\n"), "{}", found.made.text);
}

#[test]
fn functions_that_a_call_gives_have_the_names_of_the_program() {
    let program = "\
import jax
import jax.numpy as jnp
from jax.example_libraries import optimizers

opt_init, opt_update, get_params = optimizers.momentum(0.1, mass=0.9)

@jax.jit
def step(i, state, x):
    grads = jax.grad(lambda w: ((w @ x) ** 2).sum())(get_params(state))
    return opt_update(i, grads, state)

step(0, opt_init(jnp.ones((2, 2))), jnp.ones(2))
";
    let text = text(program, "step");
    assert!(text.contains("opt_init, opt_update, _ = optimizers.momentum(0.1, mass=0.9)\n"), "{text}");
}

#[test]
fn what_a_map_gives_has_no_name_in_the_function_that_is_mapped() {
    let program = "\
import jax
import jax.numpy as jnp

def update(w, grads, rate):
    updates = jax.tree.map(lambda g: -rate * g, grads)
    scaled = jax.tree.map(lambda u: u * 2, updates)
    return jax.tree.map(lambda p, u: p + u, w, scaled)

@jax.jit
def step(w, x):
    grads = jax.grad(lambda w: (w * x).sum())(w)
    return update(w, grads, 0.1)

step(jnp.ones(3), jnp.ones(3))
";
    let text = text(program, "step");
    assert!(text.contains("updates = jax.tree.map(lambda g: -0.1 * g, grads)"), "{text}");
    assert!(text.contains("scaled = jax.tree.map(lambda u: u * 2, updates)"), "{text}");
}

#[test]
fn a_value_that_functions_inside_read_takes_the_name_of_the_one_before() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def loss(w, batch):
    batch = batch / 2
    batch = jnp.tanh(batch)
    return jax.grad(lambda w: (w * batch).sum())(w)

loss(jnp.ones(3), jnp.ones(3))
";
    let text = text(program, "loss");
    assert!(text.contains("batch = jnp.tanh(batch / 2)") || text.contains("batch = jnp.tanh(batch)"), "{text}");
    assert!(!text.contains("batch_1"), "{text}");
}

#[test]
fn names_of_static_arguments_are_those_of_the_parameters() {
    let program = "\
import functools
import jax
import jax.numpy as jnp

@functools.partial(jax.jit, static_argnames=(\"act\", \"n\"))
def evaluate(act, x, n):
    return jax.vmap(act)(x) * n

@jax.jit
def train(x):
    def act(y):
        return jnp.tanh(y) + x.sum()
    return evaluate(act, x, 2)

train(jnp.ones(3))
";
    text(program, "train");
}

#[test]
fn what_an_update_gives_is_called_as_what_it_updates() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def fill(state, i):
    def body(state):
        return {\"grid\": state[\"grid\"].at[i].set(1.0).at[0].add(state[\"grid\"][1]), \"n\": state[\"n\"] + 1}
    return body(body(state))

fill({\"grid\": jnp.zeros(3), \"n\": 0}, 1)
";
    let text = text(program, "fill");
    assert!(text.contains("grid = state[\"grid\"].at[i].set(1.0)") && !text.contains(" v = "), "{text}");
}

#[test]
fn a_mesh_that_is_replaced_is_set_for_what_stands_before_that() {
    let program = "\
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

jax.set_mesh(jax.make_mesh((1,), (\"rows\",)))
x = jax.device_put(jnp.ones((4, 4)), P(\"rows\"))
jax.set_mesh(jax.make_mesh((1,), (\"columns\",)))

@jax.jit
@jax.shard_map(in_specs=P(\"columns\"), out_specs=P())
def total(x):
    return jax.lax.psum(x.sum(), \"columns\")

total(x)
";
    let text = text(program, "total");
    assert_eq!(text.matches("jax.set_mesh(").count(), 2, "{text}");
}

#[test]
fn imports_are_sorted() {
    let program = "\
import math
import jax
import jax.numpy as jnp
import numpy as np

def host(x):
    return np.float32(math.sqrt(x) + len('abc'))

@jax.jit
def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x)

f(jnp.float32(2))
";
    let made = reproduce(&here("readable.py"), program, Some("f")).expect("a reproducer");
    assert!(
        made.text.starts_with("import math\n\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n\n"),
        "{}",
        made.text
    );
    assert!(made.text.contains("len(\"abc\")"), "{}", made.text);
}

#[test]
fn imaginary_numbers_are_written_as_python_writes_them() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def turned(x):
    return x * 1j, x * -1j, x * (2 - 0.5j), x ** -2.5j

turned(jnp.ones(3))
";
    let text = text(program, "turned");
    assert!(text.contains("return x * 1j, x * -1j, x * complex(2.0, -0.5), x ** (-2.5j)\n"), "{text}");
}

#[test]
fn all_rounds_of_a_loop_are_there() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def deep(x):
    for i in range(600):
        x = jnp.sin(x) + 0.1 * i
    return x

def plain(x):
    for i in range(600):
        x = jnp.sin(x) + 0.1 * i
    return x

deep(jnp.ones(2))
plain(jnp.ones(2))
";
    for function in ["deep", "plain"] {
        let text = text(program, function);
        assert_eq!(text.matches("jnp.sin(x)").count(), 600);
    }
    // What nothing reads is not written.
    let longer = program.replace("600", "6000").replace("        x = jnp.sin(x)", "        y = jnp.sin(x)");
    let request = Request { target: Target::Function("deep".into()), ..Request::default() };
    let found = verified_for(&here("readable.py"), &longer, &request).expect("a reproducer");
    assert!(found.made.approximate, "what lacks rounds does not say so");
}

#[test]
fn a_name_is_that_of_the_function_that_stands_there() {
    let program = "\
import functools
import jax
import jax.numpy as jnp

def energy(x):
    return jnp.sin(x)

def smooth(function):
    @functools.wraps(function)
    def smoothed(x):
        return jnp.where(x < 1, function(x), 0.0)
    return smoothed

jax.vmap(jax.jit(smooth(energy)))(jnp.ones(3))
jax.vmap(energy)(jnp.ones(4))
";
    let text = text(program, "energy");
    assert!(text.contains("def energy(x):\n    return jnp.sin(x)\n") && !text.contains("where"), "{text}");
    let smoothed = self::text(program, "smooth.<locals>.smoothed");
    assert!(smoothed.contains("jnp.where(x < 1, "), "{smoothed}");
}

#[test]
fn functions_that_a_message_shows_have_the_names_that_it_shows() {
    let program = "\
import jax
import jax.numpy as jnp

class Model:
    @jax.jit
    def embed(self, x):
        return x * 2

Model().embed(jnp.ones(3))
";
    let found = crate::helpers::verified(&here("readable.py"), program).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("embed.__qualname__ = \"Model.embed\"\n"), "{}", found.made.text);
}

#[test]
fn sets_are_written_out() {
    let program = "\
import jax
import jax.numpy as jnp
from jax.experimental import checkify

@jax.jit
def checked(x):
    error, y = checkify.checkify(jnp.log, errors=checkify.user_checks | checkify.float_checks)(x)
    return y

checked(jnp.ones(3))
";
    let text = text(program, "checked");
    let errors = "errors=checkify.user_checks | checkify.nan_checks | checkify.div_checks";
    assert!(text.contains(errors), "{text}");
}

#[test]
fn what_rest_takes_is_given_in_front_of_names() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def stars(*args, scale=1.0, **kw):
    return sum(args) * scale + kw[\"b\"]

stars(1.0, jnp.ones(2), 3, scale=2.0, b=1.0)
";
    let text = text(program, "stars");
    assert!(text.contains("jax.jit(stars)(1.0, jnp.array([1.0, 1.0]), 3, scale=2.0, **{\"b\": 1.0})\n"), "{text}");
}

#[test]
fn what_a_long_loop_leaves_says_that_it_is_not_known() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def step(p, x):
    return {\"w\": p[\"w\"] - 0.1 * x, \"b\": p[\"b\"] + 1.0}

def fit(p, n):
    for i in range(n):
        p = step(p, jnp.ones(3) * i)
    return p

short = fit({\"w\": jnp.ones(3), \"b\": 0.0}, 5)
long = fit({\"w\": jnp.ones(3), \"b\": 0.0}, 1200)
";
    for (name, approximate) in [("short = ", false), ("long = ", true)] {
        let at = program.find(name).expect("the line") as u32;
        let place = Place { path: None, span: Span { start: at, end: at + 5 } };
        let request = Request { target: Target::Place(place), ..Request::default() };
        let found = verified_for(&here("readable.py"), program, &request).expect("a reproducer");
        assert_eq!(found.made.approximate, approximate, "{}", found.made.text);
    }
}

#[test]
fn loops_hand_on_what_they_are_given_by_name() {
    let program = "\
import jax
import jax.numpy as jnp
from jax import lax

@jax.jit
def move(q, p, t):
    return q + p * t, p

@jax.jit
def run(q, p):
    return lax.scan(xs=jnp.array([0.5, 0.25]), f=lambda state, t: (move(*state, t), t), init=(q, p))

run(jnp.array([1.0, 2.0]), jnp.array([3.0, 4.0]))
";
    let found = crate::helpers::exact("readable.py", program, "move");
    let call = "jax.jit(move)(jnp.array([1.0, 2.0]), jnp.array([3.0, 4.0]), jnp.array(0.5))\n";
    assert!(found.made.text.contains(call), "{}", found.made.text);
    let program = program.replace(
        "lax.scan(xs=jnp.array([0.5, 0.25]), f=lambda state, t: (move(*state, t), t), init=(q, p))",
        "\
lax.fori_loop(body_fun=lambda i, state: move(*state, 0.5), upper=3, init_val=(q, p), lower=0)",
    );
    let found = crate::helpers::exact("readable.py", &program, "move");
    let call = "jax.jit(move)(jnp.array([1.0, 2.0]), jnp.array([3.0, 4.0]), ";
    assert!(found.made.text.contains(call), "{}", found.made.text);
}

#[test]
fn what_is_called_in_many_rounds_is_one_function() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def step(es, x):
    h = jnp.linalg.norm(x) / jnp.sqrt(1 - 0.5660281867339072 ** (2 * (es[\"generation\"] + 1))) < 3.0340673074913544
    return {\"mean\": es[\"mean\"] + h * x, \"generation\": es[\"generation\"] + 1}

def optimize(x):
    es = {\"mean\": jnp.zeros(3), \"generation\": jnp.int32(0)}
    for i in range(15):
        es = step(es, x + i)
    return es

optimize(jnp.ones(3))
";
    let text = text(program, "optimize");
    assert_eq!(text.matches("def step").count(), 1, "{text}");
}

#[test]
fn numbers_are_those_of_the_function_that_they_were_given_to() {
    let program = "\
import jax
import jax.numpy as jnp
from jax import lax

@jax.jit
def run(a, x):
    def scaled(x):
        return x * a

    apply = lambda x: jax.checkpoint(scaled)(x)
    if jax.config.jax_disable_jit:
        return apply(x)
    return lax.fori_loop(0, 1, lambda i, x: apply(x), x)

@jax.jit
def outer(b, x):
    return run(b + 1.0, x)

outer(jnp.array(1.0), jnp.array([2.0, 3.0]))
";
    let found = crate::helpers::exact("readable.py", program, "scaled");
    assert!(found.made.text.contains("return x * jnp.array(2.0)\n"), "{}", found.made.text);
}

#[test]
fn a_scan_from_behind_begins_with_the_last_item() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def run(x):
    def body(c, a):
        return c + a, c * a

    return jax.lax.scan(body, jnp.float32(10), x, reverse=True)

run(jnp.array([1.0, 2.0, 3.0]))
";
    let found = crate::helpers::exact("readable.py", program, "body");
    assert!(found.made.text.contains("body)(jnp.array(10.0), jnp.array(3.0))"), "{}", found.made.text);
}

#[test]
fn wide_integers_stay_what_numpy_has() {
    let program = "\
import jax
import numpy as np

@jax.jit
def twice(labels):
    return labels * 2

twice(np.array([1, 2, 4]))
";
    let found = crate::helpers::exact("readable.py", program, "twice");
    assert!(found.made.text.contains("(np.array([1, 2, 4], dtype=np.int64))"), "{}", found.made.text);
}

#[test]
fn a_body_that_fails_when_it_is_traced_again_is_whole() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def run(x):
    def body(carry, _):
        taken, at = carry
        item = taken[at]
        return (taken + item, (at + 1) / 1), item

    return jax.lax.scan(body, (x, 0), None, length=3)

run(jnp.arange(4.0))
";
    let made = crate::helpers::verified(&here("readable.py"), program).expect("a reproducer");
    assert_eq!(made.unlike, None, "{}", made.made.text);
    assert!(made.made.text.contains("return (taken + item, (at + 1) / 1), item\n"), "{}", made.made.text);
}

#[test]
fn what_a_callback_raises_is_part_of_its_error() {
    let program = "\
import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def run(x):
    unread = jax.pure_callback(lambda a: np.ones(7), jax.ShapeDtypeStruct((3,), jnp.float32), x)
    read = jax.pure_callback(lambda a: np.ones(4, np.float32), jax.ShapeDtypeStruct((3,), jnp.float32), x)
    return read, jnp.sin(x)

run(jnp.arange(3.0))
";
    let request = Request { minimal: true, ..Request::default() };
    let found = crate::helpers::verified_for(&here("readable.py"), program, &request).expect("a reproducer");
    let Outcome::Error(_, message) = &found.made.outcome else { panic!("no error") };
    assert!(message.contains("Incorrect output shape for return value #0: Expected: ("), "{message}");
    assert!(found.made.text.contains("lambda a: np.ones("), "{}", found.made.text);
    assert!(!found.made.text.contains("unread"), "{}", found.made.text);
}
