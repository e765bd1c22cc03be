"""Activation functions."""
import math

from _jitlens import core, prims as p

from .. import numpy as jnp
from .._custom_jvp import custom_jvp


@core.jit
def identity(x):
    return core.arraylike("identity", x)


@custom_jvp
@core.jit
def relu(x):
    return jnp.maximum(x, 0)


relu.defjvps(lambda g, ans, x: p.select_n(x > 0, core.full_like(g, 0), g))


@custom_jvp
@core.jit
def relu6(x):
    return jnp.minimum(jnp.maximum(x, 0), 6.0)


relu6.defjvps(lambda g, ans, x: p.select_n((x > 0) & (x < 6), core.full_like(g, 0), g))


@core.jit
def leaky_relu(x, negative_slope=0.01):
    x = core.arraylike("leaky_relu", x)
    return jnp.where(x >= 0, x, negative_slope * x)


@core.jit
def elu(x, alpha=1.0):
    x = core.arraylike("elu", x)
    # The exponential sees no large positive number, so that its derivative stays finite.
    return jnp.where(x > 0, x, alpha * jnp.expm1(jnp.where(x > 0, 0.0, x)))


@core.jit
def celu(x, alpha=1.0):
    return jnp.maximum(x, 0.0) + alpha * jnp.expm1(jnp.minimum(x, 0.0) / alpha)


@core.jit
def selu(x):
    return 1.0507009873554805 * elu(x, 1.6732632423543772)


def gelu(x, approximate=True):
    x, = core.promote_inexact("gelu", x)
    if approximate:
        scale = core.numpy_array(math.sqrt(2 / math.pi)).astype(x.dtype)[()]
        return x * (0.5 * (1.0 + jnp.tanh(scale * (x + 0.044715 * x ** 3))))
    half = core.numpy_array(math.sqrt(0.5)).astype(x.dtype)[()]
    return jnp.array(0.5 * x * p.erfc(-x * half), dtype=x.dtype)


@core.jit(static_argnames=("axis",))
def glu(x, axis=-1):
    x = core.arraylike("glu", x)
    assert x.shape[axis] % 2 == 0, "axis size must be divisible by 2"
    value, gate = jnp.split(x, 2, axis)
    return value * sigmoid(gate)


# ------------------------------------------------------------------------------------------------------- of the logistic

@core.jit(inline=True)
def sigmoid(x):
    return p.logistic(x)


@core.jit
def silu(x):
    x = core.arraylike("silu", x)
    return x * sigmoid(x)


swish = silu


@core.jit
def softplus(x):
    return jnp.logaddexp(x, 0)


@core.jit
def log_sigmoid(x):
    return -softplus(-core.arraylike("log_sigmoid", x))


@core.jit
def mish(x):
    x = core.arraylike("mish", x)
    return x * jnp.tanh(softplus(x))


@core.jit
def squareplus(x, b=4):
    x, b = core.arraylike("squareplus", x, b)
    return (x + jnp.sqrt(jnp.square(x) + b)) / 2


@core.jit
def soft_sign(x):
    x = core.arraylike("soft_sign", x)
    return x / (jnp.abs(x) + 1)


# ------------------------------------------------------------------------------------------------------ piecewise linear

@core.jit
def sparse_plus(x):
    x = core.arraylike("sparse_plus", x)
    return jnp.where(x <= -1.0, 0.0, jnp.where(x >= 1.0, x, (x + 1.0) ** 2 / 4))


@core.jit
def sparse_sigmoid(x):
    return 0.5 * jnp.clip(x + 1.0, 0.0, 2.0)


@core.jit
def hard_tanh(x):
    x = core.arraylike("hard_tanh", x)
    return jnp.where(x > 1, 1, jnp.where(x < -1, -1, x))


@core.jit
def hard_sigmoid(x):
    return relu6(x + 3.0) / 6.0


@core.jit
def hard_silu(x):
    x = core.arraylike("hard_silu", x)
    return x * hard_sigmoid(x)


hard_swish = hard_silu


@custom_jvp
@core.jit
def log1mexp(x):
    x = core.arraylike("log1mexp", x)
    return jnp.where(x < jnp.log(2.0), jnp.log(-jnp.expm1(-x)), jnp.log1p(-jnp.exp(-x)))


log1mexp.defjvps(lambda g, ans, x: g / jnp.expm1(x))
