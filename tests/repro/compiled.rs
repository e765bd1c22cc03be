//! Compiled functions: which body a cache has answered with, what they are made by, what is static.

use tracer_core::repro::{Outcome, Request, Target};

use crate::helpers::{exact, here, verified_for};

fn of(program: &str, function: &str) -> String {
    exact("compiled.py", program, function).made.text
}

#[test]
fn what_a_cache_answers_is_written_with_the_body_that_it_traced() {
    let program = "\
import jax
import jax.numpy as jnp
from functools import partial

class Scale:
    def __init__(self, by):
        self.by = by

    def apply(self, x):
        return x * self.by

    @partial(jax.jit, static_argnums=0)
    def static(self, x):
        return x * self.by

def scaled(by, x):
    return x * by

class Node:
    def __init__(self, by):
        self.by = by

    @jax.jit
    def node(self, x):
        return x * self.by

jax.tree_util.register_pytree_node(Node, lambda s: ((), s.by), lambda by, _: Node(by))
methods = jax.jit(Scale(2.0).apply), jax.jit(Scale(3.0).apply)
nodes = Node(2.0).node, Node(3.0).node
nested = jax.jit(Node(2.0).node), jax.jit(Node(3.0).node)
partials = jax.jit(partial(scaled, 2.0)), jax.jit(partial(scaled, 3.0))
statics = Scale(2.0).static, Scale(3.0).static

@jax.jit
def first(x):
    return sum(f[0](x).sum() for f in (methods, partials, statics, nodes, nested))

@jax.jit
def by_method(x):
    return methods[1](x).sum() + jax.grad(lambda x: methods[1](x).sum())(x).sum()

@jax.jit
def by_partial(x):
    return partials[1](x).sum() + partials[1](x).sum()

@jax.jit
def by_static(x):
    return statics[1](x).sum() + statics[1](x).sum()

@jax.jit
def by_node(x):
    return nodes[1](x).sum() + nodes[1](x).max()

@jax.jit
def by_nested(x):
    return nested[1](x).sum() + nested[1](x).max()

for f in (first, by_method, by_partial, by_static, by_node, by_nested):
    f(jnp.arange(3.0))
";
    for function in ["by_method", "by_partial", "by_static", "by_node", "by_nested"] {
        let text = of(program, function);
        assert!(text.contains("x * 3.0") && !text.contains("x * 2.0"), "{text}");
    }
}

#[test]
fn a_factory_of_compiled_functions_is_called_on_its_function() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit(inline=True)
def product(a, b):
    return a @ b

scaled = jax.jit(static_argnames='n')(lambda a, n: a * n)

@jax.jit
def f(v):
    return product(v, scaled(v, n=2))

f(jnp.ones((3, 3)))
";
    let text = of(program, "f");
    assert!(text.contains("jax.jit(inline=True)(product)(v, "), "{text}");
    assert!(text.contains("jax.jit(static_argnames=\"n\")(lambda a, n: a * 2)(v, n=2)"), "{text}");
}

#[test]
fn a_static_configuration_that_nothing_reads_is_left_out() {
    let program = "\
import dataclasses
from functools import partial
import jax
import jax.numpy as jnp

@partial(jax.tree_util.register_dataclass, data_fields=['inner'], meta_fields=['n'])
@dataclasses.dataclass(frozen=True)
class Config:
    inner: tuple = ()
    n: int = 5

@partial(jax.jit, static_argnames=['config'])
def step(x, config):
    return x + config.n

@jax.jit
def one(x):
    return step(x, config=Config())

@jax.jit
def many(x):
    return jax.vmap(step, in_axes=(0, None))(x, Config())

one(jnp.ones(4))
many(jnp.ones(4))
";
    let text = of(program, "one");
    assert!(text.contains("(x, config=None)"), "{text}");
    let text = of(program, "many");
    assert!(text.contains("in_axes=(0, None))(\n        x, None\n    )"), "{text}");
}

#[test]
fn numbers_that_a_compiled_function_gives_are_arrays() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    return x * 2, 0.0, {'done': False}

f(jnp.ones(3))
";
    let request = Request { target: Target::Function("f".into()), ..Request::default() };
    let found = verified_for(&here("numbers.py"), program, &request).expect("a reproducer");
    assert_eq!(found.unlike, None);
    let Outcome::Values(types) = found.made.outcome else { panic!("it gives values") };
    assert_eq!(types, ["f32[3]", "f32[]", "bool[]"]);
}

#[test]
fn the_gradient_is_no_number_of_its_function() {
    let program = "\
import jax
import jax.numpy as jnp

def area(r):
    return r ** 2

jax.grad(area)(jnp.asarray(0.6))
";
    let text = of(program, "area");
    assert!(text.contains("return r**2"), "{text}");
}

#[test]
fn conditions_that_take_more_than_a_line_are_broken_between_them() {
    let program = "\
import jax
import jax.numpy as jnp
from functools import partial

@partial(jax.custom_vjp, nondiff_argnums=(1, 2, 3))
def attend(q, softmax_scale, is_causal, window_size):
    return q * softmax_scale * window_size[0] if is_causal else q + softmax_scale

def forward(q, softmax_scale, is_causal, window_size):
    return attend(q, softmax_scale, is_causal, window_size), q

def backward(softmax_scale, is_causal, window_size, residual, g):
    return (g * softmax_scale * residual if is_causal else g + softmax_scale,)

attend.defvjp(forward, backward)

@jax.jit
def loss(q):
    return attend(q, 0.13018891098082389, True, (3, 3)).sum() + attend(q, 0.23018891098082, False, (-1, -1)).sum()

jax.grad(loss)(jnp.ones((3, 3)))
";
    let text = of(program, "loss");
    assert!(
        text.contains("    if (\n        softmax_scale == 0.23018891098082\n        and is_causal == False\n"),
        "{text}"
    );
}

#[test]
fn functions_that_the_program_takes_out_of_a_module_go_by_their_names() {
    let program = "\
import jax
import jax.numpy as jnp

functions = {}
for name, value in jnp.__dict__.items():
    if name in ('cumsum', 'ones'):
        functions[name] = value

@jax.jit
def f(x):
    return functions['cumsum'](x, axis=1) + functions['ones']((4, 5))

f(jnp.ones((4, 5)))
";
    let text = of(program, "f");
    assert!(text.contains("jnp.cumsum(x, axis=1) + jnp.ones((4, 5))"), "{text}");
}

#[test]
fn settings_stand_once_where_they_change_something() {
    let program = "\
import jax
import jax.numpy as jnp

jax.config.update('jax_enable_x64', True)
jax.config.update('jax_enable_x64', True)
jax.config.update('jax_compilation_cache_dir', '/tmp/cache')

@jax.jit
def f(x):
    return x * 2

f(jnp.ones(3))
";
    let text = of(program, "f");
    assert_eq!(text.matches("jax.config.update").count(), 1, "{text}");
}

#[test]
fn a_callback_that_cannot_be_written_gives_what_it_declares() {
    let program = "\
import jax
import jax.numpy as jnp
import denoiser

@jax.jit
def f(x, sigma):
    def denoised(x, sigma):
        return denoiser.denoise(x, sigma)
    return jax.pure_callback(lambda args: denoised(*args).astype(x.dtype), jax.ShapeDtypeStruct(x.shape, x.dtype), (x, sigma)) * 2

f(jnp.ones(3), 1.0)
";
    let text = of(program, "f");
    assert!(text.contains("lambda *args: jax.tree.map(lambda a: np.zeros(a.shape, a.dtype), struct)"), "{text}");
}

#[test]
fn a_power_behind_a_sign_stands_in_parentheses() {
    let program = "\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    return jnp.exp(-x ** 2) + -(-x)

f(jnp.ones(3))
";
    let text = of(program, "f");
    assert!(text.contains("jnp.exp(-(x**2)) + --x"), "{text}");
}

#[test]
fn numbers_that_a_mapped_function_gives_are_arrays_where_it_is_compiled() {
    let program = "\
import jax
import jax.numpy as jnp

def reset(x):
    return x * 2, {'done': False, 'time': 0.0}

jax.vmap(reset)(jnp.ones((2, 3)))
";
    let request = Request { target: Target::Function("reset".into()), ..Request::default() };
    let found = verified_for(&here("numbers.py"), program, &request).expect("a reproducer");
    assert_eq!(found.unlike, None);
    let Outcome::Values(types) = &found.made.outcome else { panic!("it gives values") };
    let compiled = found.made.text.contains("jax.jit(reset)");
    assert_eq!(types.len(), if compiled { 3 } else { 1 }, "{}", found.made.text);
}

#[test]
fn numbers_that_are_made_up_are_not_checked() {
    let program = "\
import jax
import jax.numpy as jnp

jax.config.update('jax_debug_nans', True)

@jax.jit
def f(x):
    return jnp.sqrt(x - 2).sum()

f(jnp.arange(200.0) + 3)
";
    let request = Request { target: Target::Function("f".into()), ..Request::default() };
    let found = verified_for(&here("nans.py"), program, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    assert!(!found.made.text.contains("jax_debug_nans"), "{}", found.made.text);
    assert!(of(program, "f").contains("jax_debug_nans"));
}

#[test]
fn what_is_not_known_of_a_program_is_said_to_be_the_reason() {
    let program = "\
import jax
import jax.numpy as jnp
import somewhere

def f(x):
    return x * somewhere.factor(x.shape)

jax.jit(f)(jnp.ones(3))
";
    let request = Request { target: Target::Function("f".into()), ..Request::default() };
    let found = verified_for(&here("unknown.py"), program, &request).expect("a reproducer");
    let unlike = found.unlike.expect("a reason");
    assert!(unlike.contains("jitlens does not know all that the program"), "{unlike}");
}

#[test]
fn numbers_of_a_compiled_function_that_is_given_nothing_stay_numbers() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.jit
def start():
    return 0.0, jnp.arange(3.0)

start()
";
    let request = Request { target: Target::Function("start".into()), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
}

#[test]
fn what_calls_itself_inside_of_its_own_trace_is_a_function_for_each_call() {
    let text = "\
import functools
import jax
import jax.numpy as jnp

@jax.jit
def total(x):
    return x.sum() if x.shape[0] == 1 else jnp.sin(x[0]) + total(x[1:])

@jax.checkpoint
def even(x):
    return x.sum() if x.shape[0] == 1 else jnp.sin(x[0]) + jax.vmap(odd)(jnp.outer(x, x[1:])).sum()

@jax.jit
def odd(x):
    return x.sum() if x.shape[0] == 1 else jnp.cos(x[0]) + even(x[1:])

@functools.partial(jax.jit, static_argnums=1)
def fibonacci(x, n):
    return x if n < 2 else fibonacci(x + 1, n - 1) + fibonacci(x * 2, n - 2)

def main():
    return total(jnp.ones(4)), jax.grad(lambda x: odd(x))(jnp.arange(5.0)), fibonacci(jnp.ones(2), 16)

main()
";
    for function in ["total", "odd", "main"] {
        of(text, function);
    }
    let found = of(text, "fibonacci");
    assert_eq!(found.matches("def fibonacci").count(), 16, "{found}");
}
