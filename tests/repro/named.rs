//! Names that the program has for parts of parameters, for meshes and for members of `jax.sharding`; methods as callbacks; calls that give no
//! arrays.

use tracer_core::repro::{Request, Target, Verified};

use crate::helpers::{exact, here, verified, verified_for};

fn of(text: &str, function: &str) -> Verified {
    let request = Request { target: Target::Function(function.into()), ..Request::default() };
    let found = verified_for(&here("named.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    found
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} in:\n{text}");
    }
}

const TAKEN_APART: &str = "\
import jax
import jax.numpy as jnp

def solve(A, b):
    def body(i, state):
        x, (r, p), k = state
        Ap = A @ p
        alpha = jnp.sum(r * r) / jnp.sum(p * Ap)
        r_new = r - alpha * Ap
        return x + alpha * p, (r_new, r_new + p), k + 1
    return jax.lax.fori_loop(0, 3, body, (jnp.zeros_like(b), (b, b), 0))

@jax.custom_vjp
def scaled(x, w):
    return x @ w

def forward(x, w):
    return scaled(x, w), (x, w, jnp.cos(x))

def backward(res, g):
    x, w, c = res
    return (g @ w.T) * c, x.T @ g

scaled.defvjp(forward, backward)

def first(pair):
    x, y = pair
    pair = (y, x)
    return pair[0] * 2.0 + x

solve(jnp.eye(3) * 2, jnp.ones(3))
jax.grad(lambda x: scaled(x, jnp.ones((3, 2))).sum())(jnp.ones((2, 3)))
jax.jit(first)((jnp.ones(2), jnp.zeros(2)))
jax.jit(lambda pair: pair[1] - pair[0])((jnp.ones(2), jnp.zeros(2)))
";

#[test]
fn parameters_are_taken_apart_as_the_program_does() {
    has(
        &of(TAKEN_APART, "body").made.text,
        &["    x, (r, p), k = state\n", "Ap = ", "@ p\n", "r_new = r - alpha * Ap"],
    );
    has(&of(TAKEN_APART, "backward").made.text, &["    x, w, c = res\n", "return g @ w.T * c, x.T @ g"]);
    has(&of(TAKEN_APART, "first").made.text, &["    x, y = pair\n", "return y * 2.0 + x"]);
}

#[test]
fn ties_of_what_takes_a_parameter_apart_lead_to_the_statement() {
    let made = of(TAKEN_APART, "backward").made;
    let line = made.text.lines().position(|line| line.contains("x, w, c = res")).expect("the line");
    let tie = made.ties.iter().find(|tie| tie.line == line).expect("its tie");
    assert_eq!(&TAKEN_APART[tie.span.start as usize..tie.span.end as usize], "x, w, c = res");
}

const SHARDED: &str = "\
from functools import partial
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

jax.config.update('jax_num_cpu_devices', 4)
mesh = jax.make_mesh((4,), ('data',), axis_types=(jax.sharding.AxisType.Auto,))

@partial(jax.shard_map, mesh=mesh, in_specs=(P(), P('data')), out_specs=P())
def loss(w, x):
    return jax.lax.pmean(jnp.mean((x @ w) ** 2), 'data')

@jax.jit
def step(w, x):
    x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P('data', None)))
    value, grad = jax.value_and_grad(loss)(w, x)
    return w - 0.1 * grad, value

w = jnp.ones((3,))
x = jax.device_put(jnp.ones((8, 3)), NamedSharding(mesh, P('data')))
step(w, x)
step(w, x[:, :2])
";

#[test]
fn meshes_and_specs_have_the_names_of_the_program() {
    let parts = [
        "from jax.sharding import NamedSharding\nfrom jax.sharding import PartitionSpec as P\n",
        "mesh = jax.make_mesh((4,), (\"data\",), axis_types=(jax.sharding.AxisType.Auto,))\n",
        "jax.shard_map(loss, mesh=mesh, in_specs=(P(), P(\"data\")), out_specs=P())",
        "NamedSharding(mesh, P(\"data\", None))",
    ];
    let text = of(SHARDED, "step").made.text;
    has(&text, &parts);
    assert_eq!(text.matches("make_mesh").count(), 1, "{text}");
    let failed = verified(&here("named.py"), SHARDED).expect("a reproducer");
    assert_eq!(failed.unlike, None, "{}", failed.made.text);
    has(&failed.made.text, &parts[1..]);
}

const HOST: &str = "\
import math
import jax
import jax.numpy as jnp
import numpy as np

OFFSET = 0.5

class Host:
    power = 2

    def __init__(self, scale):
        self.scale = scale
        self.count = 0

    def raised(self, x):
        return x**self.power + OFFSET

    def measure(self, x):
        '''What the host says.'''
        return np.asarray(self.raised(x) * self.scale, np.float32)

    def counted(self, x):
        self.count += 1
        return np.asarray(x + self.count, np.float32)

host = Host(3.0)

def gamma(x):
    return np.vectorize(math.lgamma)(x).astype(np.float32)

@jax.jit
def f(x):
    shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(host.measure, shape, x) + jax.pure_callback(gamma, shape, x)

@jax.jit
def g(x):
    return jax.pure_callback(host.counted, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

f(jnp.array([1.0, 2.0]))
g(jnp.array([1.0, 2.0]))
";

#[test]
fn methods_are_callbacks_with_what_they_read_of_their_objects() {
    let text = of(HOST, "f").made.text;
    let class = "class Host:
    power = 2
    scale = 3.0

    def measure(self, x):
        return np.asarray(self.raised(x) * self.scale, np.float32)

    def raised(self, x):
        return x**self.power + OFFSET
";
    has(
        &text,
        &[class, "OFFSET = 0.5\n", "jax.pure_callback(Host().measure, ", "import math\n", "np.vectorize(math.lgamma)"],
    );
    // What is written to has another value when it is called again.
    assert!(!of(HOST, "g").made.text.contains("class"));
}

#[test]
fn functions_with_named_axes_stand_in_calls_that_give_no_arrays() {
    let text = "\
import jax
import jax.numpy as jnp

def normed(x):
    return x / jax.lax.psum(x, 'i')

def outer(x):
    return jax.vmap(normed, axis_name='i')(x)

jax.make_jaxpr(outer)(jnp.ones((4, 2)))
";
    has(&of(text, "normed").made.text, &["jax.make_jaxpr(outer)(jnp.ones((4, 2)))", "lax.psum(x, \"i\")"]);
    let lowered = text.replace("jax.make_jaxpr(outer)(", "jax.jit(outer).lower(");
    has(&of(&lowered, "normed").made.text, &["jax.jit(outer).lower(jnp.ones((4, 2)))", "lax.psum(x, \"i\")"]);
}

#[test]
fn functions_that_are_not_written_leave_their_names() {
    let program = "\
import jax
import jax.numpy as jnp

class Env:
    def obs(self, state):
        return jnp.stack([state, state])

@jax.jit
def learn(traj):
    obs, act = traj
    size = abs(obs) + round(act, 1)
    return size.sum() + obs.sum()

learn((jax.vmap(Env().obs)(jnp.arange(3.0)), jnp.ones(2)))
";
    let text = exact("env.py", program, "learn").made.text;
    assert!(text.contains("obs, act = traj"), "{text}");
    assert!(text.contains("abs(obs) + round(act, 1)"), "{text}");
}

#[test]
fn a_builtin_function_is_hidden_by_no_variable() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def sizes(x):
    first = abs(x)
    return first, jnp.abs(x).T @ jnp.abs(x), [jnp.abs(y) * jnp.abs(y).sum() for y in (x, first)]

sizes(jnp.ones(3))
";
    exact("sizes.py", program, "sizes");
}
