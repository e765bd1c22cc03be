//! Functions that a call of the framework gives beside arrays, which a function closes over or is given: they are made once more.

use tracer_core::repro::{Data, Level, Request, Target};

use crate::helpers::{here, verified, verified_for};

const PROGRAM: &str = "\
import jax
import jax.numpy as jnp
from jax import lax
from jax.flatten_util import ravel_pytree

def wave(x):
    return jnp.sin(x) * x.sum()

def consume(pull, ct):
    return pull(ct)[0] * 0.5

@jax.jit
def solve(x):
    y, lin = jax.linearize(wave, x + 1)
    z, pull = jax.vjp(jnp.cos, x)
    flat, rest = ravel_pytree({'a': x, 'b': x[:2]})

    def tangent(_, s):
        return lin(s) + 0.1 * s

    def cotangent(_, s):
        return s - pull(s)[0]

    def unravelled(_, s):
        return s + rest(jnp.concatenate([s, s[:2]]))['a']

    out = lax.fori_loop(0, 3, tangent, y)
    out = lax.fori_loop(0, 3, cotangent, out)
    return lax.fori_loop(0, 3, unravelled, out) + consume(pull, z)

solve(jnp.array([1.0, 2.0, 3.0]))
";

#[test]
fn functions_that_calls_give_beside_arrays_are_made_again() {
    for (function, made) in [
        ("tangent", "_, lin = jax.linearize(wave, jnp.array([2.0, 3.0, 4.0]))"),
        ("cotangent", "_, pull = jax.vjp(jnp.cos, jnp.array([1.0, 2.0, 3.0]))"),
        (
            "unravelled",
            "_, rest = jax.flatten_util.ravel_pytree(
    {\"a\": jnp.array([1.0, 2.0, 3.0]), \"b\": jnp.array([1.0, 2.0])}
)",
        ),
        ("consume", "_, pull = jax.vjp(jnp.cos, jnp.array([1.0, 2.0, 3.0]))"),
    ] {
        let request = Request { target: Target::Function(function.into()), ..Request::default() };
        let found = verified_for(&here("made.py"), PROGRAM, &request).expect("a reproducer");
        let text = found.made.text;
        assert_eq!(found.unlike, None, "{text}");
        assert!(text.contains(made), "{text}");
    }
}

#[test]
fn buffers_are_what_they_were_when_the_function_was_called() {
    let text = "\
import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def scaled(buffer, w):
    return (jnp.asarray(buffer) * w).sum(0)

buffer = np.arange(6, dtype=np.float32).reshape(3, 2)
scaled(buffer, 2.0)
buffer[0] = -1.0
buffer *= 2
";
    let request = Request { target: Target::Function("scaled".into()), ..Request::default() };
    let found = verified_for(&here("buffers.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]"), "{}", found.made.text);
}

#[test]
fn arrays_of_numpy_that_inner_functions_close_over_are_arrays_of_jax() {
    let text = "\
import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def run(p, n):
    def step(i, h):
        return h + p['table'][i]
    return jax.lax.fori_loop(0, 3, step, jnp.zeros(2) + n)

run({'table': np.arange(6.0).reshape(3, 2)}, 1.0)
";
    let request = Request { target: Target::Function("step".into()), ..Request::default() };
    let found = verified_for(&here("tables.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("jnp.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])"), "{}", found.made.text);
}

#[test]
fn functions_that_a_function_gives_do_what_their_first_call_does() {
    let text = "\
import jax
import jax.numpy as jnp

def make(w):
    taps = w / w.sum()

    def apply(x):
        return x * taps + jnp.cos(taps)

    return apply, taps

@jax.jit
def outer(x):
    f, taps = make(x * 2)
    return f(x) + taps

outer(jnp.arange(1.0, 4.0))
";
    let expected = "\
import jax.numpy as jnp


def make(w):
    taps = w / w.sum()

    def apply(x):
        return x * taps + jnp.cos(taps)

    return apply, taps


make(jnp.array([2.0, 4.0, 6.0]))
";
    let request = Request { target: Target::Function("make".into()), ..Request::default() };
    let found = verified_for(&here("given_back.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert_eq!(found.made.text, expected);
    // Nobody calls it.
    let uncalled = text.replace("return f(x) + taps", "return taps");
    let found = verified_for(&here("given_back.py"), &uncalled, &request).expect("a reproducer");
    assert!(found.unlike.is_none() && found.made.approximate, "{}", found.made.text);
}

#[test]
fn what_closure_convert_made_is_called_without_its_constants() {
    let text = "\
import jax
import jax.numpy as jnp
from jax import lax

@jax.jit
def solve(x):
    f, consts = jax.closure_convert(lambda v: v * x, x)

    def body(s, t):
        return s + f(s, *consts), t

    return lax.scan(body, x, jnp.arange(3.0))

solve(jnp.ones(3))
";
    let request = Request { target: Target::Function("body".into()), ..Request::default() };
    let found = verified_for(&here("converted.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("s + f(s)"), "{}", found.made.text);
}

#[test]
fn what_an_attribute_of_a_type_is_made_of_is_no_call() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    sharding = x.aval.sharding
    spec = jax.sharding.PartitionSpec(*sharding.spec[1:])
    row = jax.ShapeDtypeStruct(x.shape[1:], x.dtype, sharding=sharding.update(spec=spec))
    return x + jnp.zeros(row.shape, row.dtype)

f(jnp.ones((2, 3)))
";
    for level in [Level::Api, Level::Primitive] {
        let request = Request { target: Target::Function("f".into()), level, ..Request::default() };
        let found = verified_for(&here("types.py"), text, &request).expect("a reproducer");
        assert_eq!(found.unlike, None, "{}", found.made.text);
        assert!(!found.made.text.contains("of_type"), "{}", found.made.text);
    }
}

#[test]
fn arrays_that_are_asked_for_more_than_once_stand_at_the_top() {
    let text = "\
import jax, jax.numpy as jnp, numpy as np

TABLE = np.arange(24, dtype=np.float32).reshape(4, 6)

@jax.jit
def f(x):
    return (x + TABLE) @ (jnp.sin(x) * TABLE).T

f(jnp.ones((4, 6)))
jnp.concatenate([TABLE, jnp.cos(TABLE)]) @ jnp.ones(4)
";
    let request = Request { target: Target::Function("f".into()), ..Request::default() };
    let found = verified_for(&here("made.py"), text, &request).expect("a reproducer");
    let text_of_f = "
def f(x):
    return (x + TABLE) @ (jnp.sin(x) * TABLE).T


jax.jit(f)(jnp.ones((4, 6)))
";
    assert_eq!(found.unlike, None);
    assert!(found.made.text.ends_with(text_of_f), "{}", found.made.text);
    assert_eq!(found.made.text.matches("np.array(").count(), 1);
    // Of the top level, too.
    let found = verified_for(&here("made.py"), text, &Request::default()).expect("a reproducer");
    assert_eq!((found.unlike, found.made.text.matches("np.array(").count()), (None, 1), "{}", found.made.text);
}

#[test]
fn functions_that_ask_of_parts_of_trees_are_their_own_text() {
    let text = "\
import jax, jax.numpy as jnp

def is_gone(x):
    return x is None

def f(params):
    return jax.tree.map(lambda x, y: x + y, params, {'w': jnp.ones(3), 'b': None}, is_leaf=is_gone)

jax.jit(f)({'w': jnp.arange(3.0), 'b': None})
";
    let found = verified(&here("made.py"), text).expect("a reproducer");
    let body = "
def is_gone(x):
    return x is None


def f(params):
    jax.tree.map(
        lambda x, y: x + y, params, {\"w\": jnp.ones(3), \"b\": None}, is_leaf=is_gone
    )
";
    assert_eq!(found.unlike, None);
    assert!(found.made.text.contains(body), "{}", found.made.text);
}

#[test]
fn arguments_that_libraries_hand_on_are_left_out_where_they_change_nothing() {
    let text = "\
import functools
import jax, jax.numpy as jnp

def mean(x, axis=None, where=None):
    return jnp.mean(x, axis, where=where)

@jax.jit
def f(x):
    return mean(x, 0) + jnp.sum(x, keepdims=False)

f(jnp.ones((4, 6)))
";
    let request = Request { target: Target::Function("f".into()), ..Request::default() };
    let found = verified_for(&here("made.py"), text, &request).expect("a reproducer");
    assert!(found.made.text.contains("return jnp.mean(x, 0) + jnp.sum(x, keepdims=False)\n"), "{}", found.made.text);
}

#[test]
fn what_compiled_functions_are_told_apart_by_is_left_out_where_they_do_not_read_it() {
    let text = "\
import functools
import jax, jax.numpy as jnp

@functools.partial(jax.jit, static_argnums=(1, 2))
def f(x, how, why):
    return jnp.ones(4) @ x * how[0]

f(jnp.ones(3), (2.0, 'a'), (jax.tree.structure([1, 2]), 'b'))
";
    let found = verified(&here("made.py"), text).expect("a reproducer");
    assert_eq!(found.unlike, None);
    let call = "jax.jit(f, static_argnums=(1, 2))(jnp.ones(3), None, None)\n";
    assert!(found.made.text.ends_with(call), "{}", found.made.text);
}

#[test]
fn functions_that_a_module_has_in_tuples_have_its_names() {
    let text = "\
import jax
import jax.numpy as jnp
from jax.example_libraries import stax

init, apply = stax.serial(stax.Dense(4), stax.Relu, stax.Dense(2))
_, params = init(jax.random.key(0), (1, 3))

@jax.jit
def run(params, x):
    _, log_softmax = stax.LogSoftmax
    return log_softmax((), apply(params, x))

run(params, jnp.ones((2, 3)))
";
    let request = Request { target: Target::Function("run".into()), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    let text = &found.made.text;
    assert!(text.contains("_, apply = stax.serial(stax.Dense(4), stax.Relu, stax.Dense(2))"), "{text}");
    assert!(text.contains("stax.LogSoftmax[1]((), apply(params, x))"), "{text}");
}

#[test]
fn callbacks_stand_as_they_are_with_what_they_need() {
    let text = "\
import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.array([0.0, 1.0, 4.0, 16.0])
SCALE = 2.0

def scaled(v):
    return v * SCALE

def on_host(x):
    \"\"\"Interpolates.

    On the host.
    \"\"\"
    return np.interp(np.asarray(scaled(x), dtype=np.float32), np.arange(4.0), TABLE).astype(np.float32)

@jax.jit
def train(x):
    def body(i, x):
        return x * 0.5 + jax.pure_callback(on_host, jax.ShapeDtypeStruct(x.shape, jnp.float32), x)
    return jax.lax.fori_loop(0, 3, body, x)

train(jnp.array([0.3, 0.7]))
";
    let request = Request { target: Target::Function("train".into()), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    let made = &found.made.text;
    assert!(
        made.contains("SCALE = 2.0") && made.contains("def scaled(v):") && made.contains("TABLE = np.array("),
        "{made}"
    );
    assert!(!made.contains("Interpolates") && made.contains("return np.interp("), "{made}");
    // What needs a module that does not do the same everywhere does not stand as it is.
    let text =
        text.replace("import numpy as np\n", "import numpy as np\nimport os\n").replace("v * SCALE", "v * len(os.sep)");
    let found = verified_for(&here("large.py"), &text, &request).expect("a reproducer");
    assert!(!found.made.text.contains("os."), "{}", found.made.text);
    // Nor does what it alone would call.
    let text = text
        .replace("v * len(os.sep)", "v * SCALE")
        .replace(".astype(np.float32)", ".astype(np.float32) * len(os.sep)");
    let found = verified_for(&here("large.py"), &text, &request).expect("a reproducer");
    assert!(!found.made.text.contains("os.") && !found.made.text.contains("scaled"), "{}", found.made.text);
}

#[test]
fn devices_that_follow_each_other_are_a_part_of_the_list() {
    let text = "\
import jax
jax.config.update(\"jax_num_cpu_devices\", 8)
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[2:6]), (\"i\",))

@jax.jit
def f(x):
    return jax.shard_map(lambda b: b * 2, mesh=mesh, in_specs=P(\"i\"), out_specs=P(\"i\"))(x)

f(jnp.ones(4))
";
    let request = Request { target: Target::Function("f".into()), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("np.array(devices[2:6])"), "{}", found.made.text);
}

#[test]
fn exact_data_stand_for_what_leads_to_an_argument() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.jit
def walk(key):
    def body(x, key):
        x = x + jax.random.normal(key, x.shape)
        return x, x
    return jax.lax.scan(body, jnp.zeros(3), jax.random.split(key, 50))[1]

def spread(x):
    return (x - x.mean(0)).std(0)

samples = walk(jax.random.key(0))
print(spread(samples))
";
    let request = Request {
        target: Target::Function("spread".into()),
        data: tracer_core::repro::Data::Exact,
        ..Request::default()
    };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    let made = &found.made;
    assert!(!made.text.contains("scan") && made.text.contains("data[") && made.data.len() == 1, "{}", made.text);
    // Without them what leads to it is computed: it has numbers of its own then.
    let request = Request { data: tracer_core::repro::Data::Ones, ..request };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert!(found.made.text.contains("scan"), "{}", found.made.text);
}

#[test]
fn exact_data_are_read_before_the_first_statement() {
    let program = "\
import jax
import jax.numpy as jnp

STEPS = jnp.array([[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]])

@jax.jit
def step(x, which):
    return x + STEPS[which]

step(jnp.array([3, 4]), 2)
";
    let request =
        Request { target: Target::Function("step".into()), data: Data::Exact, most_literal: 4, ..Request::default() };
    let found = verified_for(&here("steps.py"), program, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(found.made.text.contains("STEPS = jnp.array(data["), "{}", found.made.text);
}
