import jax
import jax.numpy as jnp
from jax import lax

DIMENSIONS = ("NHWC", "HWIO", "NHWC")


def conv(params, x, stride=1):
    return lax.conv_general_dilated(
        x, params["kernel"], (stride, stride), "SAME", dimension_numbers=DIMENSIONS
    ) + params["bias"]


def init_conv(key, size, n_in, n_out):
    kernel = jax.random.normal(key, (size, size, n_in, n_out)) * 0.1
    return {"kernel": kernel, "bias": jnp.zeros(n_out)}


def init_block(key, n_in, n_out):
    k1, k2 = jax.random.split(key)
    return {"conv1": init_conv(k1, 3, n_in, n_out), "conv2": init_conv(k2, 3, n_out, n_out)}


def block(params, x, stride):
    y = jax.nn.relu(conv(params["conv1"], x, stride))
    y = conv(params["conv2"], y)
    return jax.nn.relu(x + y)


def init(key):
    keys = jax.random.split(key, 4)
    return {
        "stem": init_conv(keys[0], 3, 3, 16),
        "blocks": [init_block(keys[1], 16, 16), init_block(keys[2], 16, 32)],
        "head": jax.random.normal(keys[3], (32, 10)),
    }


def apply(params, images):
    x = conv(params["stem"], images)
    for i, p in enumerate(params["blocks"]):
        x = block(p, x, stride=1 if i == 0 else 2)
    x = x.mean(axis=(1, 2))
    return x @ params["head"]


params = init(jax.random.key(0))
logits = jax.jit(apply)(params, jnp.ones((2, 32, 32, 3)))
