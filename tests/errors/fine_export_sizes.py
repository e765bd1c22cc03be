import jax
import jax.numpy as jnp
from jax import export

n, m = export.symbolic_shape("n, m")
x = jax.ShapeDtypeStruct((n, m), jnp.float32)


def numbers(x):
    a = x * (x.shape[0] * 0.5)
    b = x / x.shape[1]
    c = jnp.sqrt(x.shape[0]) + x.shape[0] ** 2
    return a + b + c


def counted(x):
    i = jnp.arange(x.shape[0])
    j = jnp.arange(x.shape[0] - 2, -1, -1)
    k = jnp.arange(0, x.shape[1], 2)
    f = jnp.arange(x.shape[1], dtype=jnp.float32)
    return i, j, k, x + f


def made(x):
    return jnp.eye(x.shape[0]), jnp.zeros((x.shape[0] - 1,)), jnp.full(x.shape[0], 3.0), jnp.mean(x, 0)


for function in (numbers, counted, made):
    print(jax.eval_shape(function, x))
