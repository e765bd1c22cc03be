//! Primitives that a program makes for itself.

use tracer_core::repro::{Request, Target};

use crate::helpers::{here, verified_for};

fn of(program: &str, function: &str) -> String {
    let request = Request { target: Target::Function(function.into()), ..Request::default() };
    let found = verified_for(&here("own_primitives.py"), program, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    found.made.text
}

const TWO: &str = "\
import jax
import jax.numpy as jnp
from jax.core import ShapedArray
from jax.extend.core import Primitive
from jax.interpreters import batching, mlir

two = Primitive('two')
two.multiple_results = True

@two.def_impl
def impl(x, *, n):
    return [x * n, jnp.tanh(x) + n]

@two.def_abstract_eval
def types(x, *, n):
    return [ShapedArray(x.shape, x.dtype)] * 2

";

#[test]
fn the_function_that_a_primitive_is_compiled_from_is_called_in_its_stead() {
    let program = format!(
        "{TWO}\
mlir.register_lowering(two, mlir.lower_fun(impl, multiple_results=True))

@jax.jit
def f(x):
    a, b = two.bind(x, n=2)
    c, d = two.bind(jnp.ones((2, 2)), n=3)
    return a + b, c * d

f(jnp.ones(3))
"
    );
    let text = of(&program, "f");
    assert!(!text.contains("Primitive") && text.contains("x * 2") && text.contains("jnp.tanh(x)"), "{text}");
}

#[test]
fn a_callback_of_its_types_stands_for_a_primitive_that_is_compiled_from_no_function() {
    let program = format!(
        "{TWO}\
def code(ctx, x, *, n):
    return ctx.build('two', x, n)

mlir.register_lowering(two, code)

@jax.jit
def f(x):
    a, b = two.bind(jnp.sin(x), n=2)
    return a + two.bind(jnp.ones((2, 2)), n=3)[0].sum()

f(jnp.ones(3))
"
    );
    let text = of(&program, "f");
    assert!(!text.contains("Primitive") && text.contains("jax.pure_callback"), "{text}");
    assert!(text.contains("jax.ShapeDtypeStruct((3,), jnp.float32)") && text.contains("jnp.sin(x)"), "{text}");
}
