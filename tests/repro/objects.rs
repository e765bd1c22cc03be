//! Objects that can be called: what the framework calls of them is a function of their leaves.

use tracer_core::repro::{Data, Outcome, Request, Target};

use crate::helpers::{here, verified, verified_for};

const LAYERS: &str = "\
import jax
import jax.numpy as jnp
from jax import lax

@jax.tree_util.register_pytree_node_class
class Layer:
    def __init__(self, w):
        self.w = w

    def tree_flatten(self):
        return (self.w,), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

@jax.tree_util.register_pytree_node_class
class Linear(Layer):
    @jax.named_scope('linear')
    def __call__(self, x):
        return jnp.tanh(self.w @ x)

@jax.tree_util.register_pytree_node_class
class Net(Layer):
    def __call__(self, xs):
        ys = jax.vmap(self.w)(xs)
        gs = jax.grad(lambda x: jax.checkpoint(self.w)(x).sum())(xs[0])
        last, _ = lax.scan(lambda c, x: (self.w(c + x), None), xs[0], xs)
        return lax.cond(ys.sum() > 0, self.w, lambda x: x, gs) + last

@jax.jit
def step(net, xs):
    return net(xs)

step(Net(Linear(jnp.ones((3, 3)) * 0.1)), jnp.linspace(0.0, 1.0, 12).reshape(4, 3))
";

#[test]
fn modules_are_functions_of_their_leaves() {
    for function in ["Net.__call__", "step"] {
        let request = Request { target: Target::Function(function.into()), ..Request::default() };
        let found = verified_for(&here("layers.py"), LAYERS, &request).expect("a reproducer");
        let text = found.made.text;
        assert_eq!(found.unlike, None, "{text}");
        assert!(text.contains("jax.vmap(__call__") && text.contains("jax.checkpoint(__call__"), "{text}");
    }
}

#[test]
fn an_object_that_a_function_was_given_is_the_programs_own() {
    let text = "\
import jax
import jax.numpy as jnp

class Core:
    def __call__(self, x):
        return jax.named_call(lambda self, x: self.step(x), name='step')(self, x)

    def step(self, x):
        return x * 2.0

    def start(self):
        return jax.named_call(lambda self: jnp.zeros(3), name='start')(self)

@jax.jit
def loss(x):
    core = Core()
    return (core(core.start() + x) * jnp.ones(4)).sum()

loss(jnp.ones(3))
";
    let found = verified(&here("core.py"), text).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(matches!(&found.made.outcome, Outcome::Error(class, _) if class == "TypeError"));
    assert!(!found.made.text.contains("leaked"), "{}", found.made.text);
}

#[test]
fn what_a_call_hands_back_does_not_come_of_it() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.jit
def made():
    return {'w': jnp.ones(3), 'b': jnp.zeros(3)}

params = jax.named_call(lambda: made(), name='made')()
leaves, tree = jax.tree.flatten(params)
kept = tree.unflatten(leaves)

def f(p):
    return p['w'] @ p['b'] + p['w'] @ jnp.ones(4)

f(kept)
";
    let found = verified(&here("leaves.py"), text).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(!found.made.text.contains("flatten"), "{}", found.made.text);
}

#[test]
fn objects_that_hash_arrays_are_hashed_in_vain() {
    let program = |call: &str| {
        format!(
            "\
import jax
import jax.numpy as jnp

@jax.tree_util.register_pytree_node_class
class Cell:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def tree_flatten(self):
        return (self.w, self.b), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

    def __hash__(self):
        return hash((self.w, self.b))

    def __eq__(self, other):
        return self is other

    def __call__(self, h, x=None):
        return self.w * h + self.b, x

@jax.jit
def run(cell, xs):
    return {call}

run(Cell(jnp.ones(2), jnp.zeros(2)), jnp.ones((3, 2)))
"
        )
    };
    for (call, written) in [
        ("jax.lax.scan(cell, xs[0], xs)", "    lax.scan(Cell(cell[\"w\"], cell[\"b\"]), xs[0], xs)\n"),
        (
            "jax.grad(lambda x: jax.checkpoint(cell)(x)[0].sum())(xs[0])",
            "        jax.checkpoint(Cell(cell[\"w\"], cell[\"b\"]))(x)\n",
        ),
    ] {
        let found = verified(&here("objects.py"), &program(call)).expect("a reproducer");
        assert_eq!(found.unlike, None, "{}", found.made.text);
        assert!(found.made.text.contains(written), "{}", found.made.text);
        let message = "unhashable type: 'DynamicJaxprTracer'".to_owned();
        assert_eq!(found.made.outcome, Outcome::Error("TypeError".into(), message));
    }
}

#[test]
fn functions_with_rules_of_their_own_keep_their_names() {
    let text = "\
import jax
import jax.numpy as jnp

def relu_impl(x):
    return jnp.maximum(x, 0)

relu = jax.custom_jvp(relu_impl)
relu.defjvp(lambda p, t: (relu(p[0]), t[0] * (p[0] > 0)))

@jax.custom_vjp
def quant(x):
    return jnp.round(x)

quant.defvjp(lambda x: (quant(x), None), lambda res, g: (g,))

@jax.jit
def loss(x):
    return (quant(relu(x)) ** 2).sum()

jax.grad(loss)(jnp.ones(3))
";
    let request = Request { target: Target::Function("loss".into()), ..Request::default() };
    let found = verified_for(&here("named.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None);
    let text = &found.made.text;
    assert!(text.contains("relu = jax.custom_jvp(relu_impl)\n"), "{text}");
    assert!(text.contains("@jax.custom_vjp\ndef quant(x):\n") && text.contains("(quant(relu(x)) ** 2)"), "{text}");
}

#[test]
fn the_state_of_an_optimizer_is_one_in_the_reproducer() {
    let program = "\
import jax
import jax.numpy as jnp
from jax.example_libraries import optimizers

init, update, params_of = optimizers.adam(1e-3)

def loss(params, x):
    return jnp.sum((x @ params['w']) ** 2)

@jax.jit
def step(i, state, x):
    return update(i, jax.grad(loss)(params_of(state), x), state)

state = init({'w': jnp.ones((3, 3))})
for i in range(2):
    state = step(i, state, jnp.ones((2, 3)))

def other(state, x):
    return params_of(state)['w'] @ x

jax.jit(other)(state, jnp.ones(4))
";
    let request = Request { target: Target::Function("step".into()), ..Request::default() };
    let found = verified_for(&here("optimizer.py"), program, &request).expect("a reproducer");
    let text = found.made.text;
    assert_eq!(found.unlike, None, "{text}");
    assert!(text.contains("optimizers.OptimizerState(") && text.contains("update(i, loss_value, state)"), "{text}");
    let found = verified(&here("optimizer.py"), program).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
}

#[test]
fn errors_name_methods_and_classes_as_the_program_does() {
    let program = "\
import jax
import jax.numpy as jnp

class Env:
    @jax.jit
    def reset(self, key):
        return jnp.ones(3)

def build():
    class Log:
        def reset(self, key):
            return jax.jit(Env.reset)(key, 1, 2)
    return Log()

def train(key):
    return build().reset(key) + jax.vmap(lambda k: build().reset(k))(key)

jax.jit(train)(jnp.ones(2))
";
    let found = verified(&here("methods.py"), program).expect("a reproducer");
    let text = found.made.text;
    assert_eq!(found.unlike, None, "{text}");
    assert!(text.contains("reset.__qualname__ = \"Env.reset\""), "{text}");
}

#[test]
fn a_module_that_a_failing_transformation_does_not_call_is_a_function() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.tree_util.register_pytree_node_class
class Layer:
    def __init__(self, w):
        self.w = w
    def __call__(self, x):
        return x @ self.w
    def tree_flatten(self):
        return (self.w,), None
    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

@jax.jit
def loss(layer, x):
    return jax.vmap(layer, in_axes=(0, None))(x).sum()

loss(Layer(jnp.ones((3, 2))), jnp.ones((4, 3)))
";
    let found = verified(&here("large.py"), text).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
}

#[test]
fn a_place_in_a_message_is_that_of_the_reproducer() {
    let text = "\
import jax
import jax.numpy as jnp

class Model:
    pass

def unused(x):
    return x + 1

def body(carry, x):
    return carry, Model()

jax.lax.scan(body, 1.0, jnp.ones(3))
";
    let found = verified(&here("large.py"), text).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
}

#[test]
fn what_fails_before_the_error_is_told() {
    let text = "\
import jax

class Shape:
    def __init__(self, *sizes):
        self.sizes = sizes
    def __iter__(self):
        return iter(self.sizes)
    def __len__(self):
        return len(self.sizes)

class Model:
    pass

start = jax.jit(lambda key: jax.random.normal(key, Shape(300, 2)))(jax.random.key(0))

def body(x):
    return (Model(),)

@jax.jit
def step():
    return jax.lax.map(body, (start, None))

step()
";
    let request = Request { target: Target::Function("step".into()), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert!(found.made.text.contains("Shape()"), "{}", found.made.text);
    let told = found.unlike.expect("what it does instead");
    assert!(told.contains("'Shape' object is not iterable"), "{told}");
}

/// A program whose tree has its fields in another order than that of their names, and a function that takes numbers out of it.
fn in_order(body: &str) -> String {
    format!(
        "\
import collections
import dataclasses
import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Params:
    w: jax.Array
    b: jax.Array

@jax.jit
def weighed(params):
    {body}

weighed(Params(w=jnp.array([3.0, 4.0]), b=jnp.array([5.0])))
weighed(collections.OrderedDict(w=jnp.array([3.0, 4.0]), b=jnp.array([5.0])))
"
    )
}

#[test]
fn trees_whose_leaves_are_put_together_keep_their_order() {
    let text = in_order("flat, _ = ravel_pytree(params)\n    return flat * jnp.arange(3.0)");
    let made = exact(&text, "weighed");
    assert!(made.contains("((jnp.array([3.0, 4.0]), jnp.array([5.0])))"), "{made}");
    let text = text.replacen("\nweighed(Params", "\nprint(Params", 1);
    let made = exact(&text, "weighed");
    assert!(made.contains("((jnp.array([3.0, 4.0]), jnp.array([5.0])))"), "{made}");
}

#[test]
fn trees_whose_order_changes_nothing_keep_their_names() {
    let text = in_order("return jax.tree.map(lambda leaf: leaf * 2, params)");
    let made = exact(&text, "weighed");
    assert!(made.contains("{\"w\": jnp.array([3.0, 4.0]), \"b\": jnp.array([5.0])}"), "{made}");
}

/// The text of a function's reproducer that does what the program does.
fn exact(text: &str, function: &str) -> String {
    let request = Request { target: Target::Function(function.into()), data: Data::Exact, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    found.made.text
}

#[test]
fn operators_of_numpy_that_objects_have_are_what_they_call() {
    let text = "\
import jax
import jax.numpy as jnp
import numpy as np

@jax.tree_util.register_pytree_node_class
class Grid(np.lib.mixins.NDArrayOperatorsMixin):
    def __init__(self, data):
        self.data = data

    def __array_ufunc__(self, ufunc, method, *inputs):
        arrays = [x.data if isinstance(x, Grid) else x for x in inputs]
        return Grid(getattr(jnp, ufunc.__name__)(*arrays))

    def tree_flatten(self):
        return (self.data,), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

@jax.jit
def moved(grid, by):
    return 2.0 * grid + np.sin(grid) * by > 1

moved(Grid(jnp.array([1.0, -2.0])), jnp.float32(3))
";
    let made = exact(text, "moved");
    assert!(made.contains("jnp.multiply(jnp.sin(grid[\"data\"]), by)") && !made.contains("__"), "{made}");
}

#[test]
fn what_a_method_takes_as_the_rest_is_not_its_object() {
    let text = "\
import functools
import jax
import jax.numpy as jnp

def wrapped(method):
    @functools.wraps(method)
    def inner(*args, **kwargs):
        self, args = args[0], args[1:]
        return method(self, *args, **kwargs)
    return inner

class Scale:
    def __init__(self, by):
        self.by = by

    @wrapped
    def __call__(self, x, y):
        return (x * self.by + y).sum()

def weighed(*parts):
    return parts[0] * (parts[1] + parts[2])

@jax.jit
def slope(x):
    of_method = jax.jvp(Scale(3.0), (x, x), (jnp.ones_like(x), jnp.ones_like(x)))[1]
    return of_method + jax.vmap(functools.partial(weighed, 2.0))(x, x * x)

slope(jnp.array([1.0, 2.0]))
";
    let made = exact(text, "slope");
    assert!(made.contains("args[0] * 3.0 + args[1]") && !made.contains("args[2]"), "{made}");
}

#[test]
fn shapes_of_a_class_of_the_programs_own_are_tuples() {
    let text = "\
import jax
import jax.numpy as jnp

class Sizes:
    def __init__(self, sizes):
        self.sizes = tuple(sizes)

    def __iter__(self):
        return iter(self.sizes)

    def __len__(self):
        return len(self.sizes)

    def __getitem__(self, at):
        return self.sizes[at]

@jax.jit
def drawn(key):
    return jax.random.normal(key, Sizes([2, 3])) + jnp.zeros(Sizes([3]))

drawn(jax.random.key(0))
";
    assert!(exact(text, "drawn").contains("jax.random.normal(key, (2, 3)) + jnp.zeros((3,))"));
}
