"""Layers as init/apply function pairs. Images are NHWC, kernels HWIO."""
import math

import jax
import jax.numpy as jnp
from jax import lax

DIMENSION_NUMBERS = ("NHWC", "HWIO", "NHWC")


def conv_init(key, in_channels, out_channels, kernel_size=3, groups=1):
    fan_in = kernel_size * kernel_size * in_channels // groups
    shape = (kernel_size, kernel_size, in_channels // groups, out_channels)
    return math.sqrt(2.0 / fan_in) * jax.random.truncated_normal(key, -2.0, 2.0, shape)


def conv(kernel, x, stride=1, padding="SAME", dilation=1, groups=1):
    return lax.conv_general_dilated(
        x,
        kernel,
        window_strides=(stride, stride),
        padding=padding,
        rhs_dilation=(dilation, dilation),
        dimension_numbers=DIMENSION_NUMBERS,
        feature_group_count=groups,
    )


def max_pool(x, window=2, stride=None, padding="VALID"):
    stride = stride or window
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, window, window, 1), (1, stride, stride, 1), padding)


def avg_pool(x, window=2, stride=None, padding="VALID"):
    stride = stride or window
    dims, strides = (1, window, window, 1), (1, stride, stride, 1)
    total = lax.reduce_window(x, 0.0, lax.add, dims, strides, padding)
    if padding == "VALID":
        return total / (window * window)
    # under SAME padding the border windows hold fewer elements
    count = lax.reduce_window(jnp.ones_like(x), 0.0, lax.add, dims, strides, padding)
    return total / count


def batch_norm_init(channels):
    params = {"scale": jnp.ones(channels), "offset": jnp.zeros(channels)}
    stats = {"mean": jnp.zeros(channels), "var": jnp.ones(channels)}
    return params, stats


def batch_norm(params, stats, x, is_training, momentum=0.9, eps=1e-5):
    """Returns the normalised activations and the new running statistics."""
    if is_training:
        axes = tuple(range(x.ndim - 1))
        mean = jnp.mean(x, axis=axes)
        var = jnp.mean(jnp.square(x), axis=axes) - jnp.square(mean)
        new_stats = {
            "mean": momentum * stats["mean"] + (1.0 - momentum) * mean,
            "var": momentum * stats["var"] + (1.0 - momentum) * var,
        }
    else:
        mean, var = stats["mean"], stats["var"]
        new_stats = stats
    inv = params["scale"] * lax.rsqrt(var + eps)
    return x * inv + (params["offset"] - mean * inv), new_stats


def squeeze_excite_init(key, channels, reduction=4):
    k1, k2 = jax.random.split(key)
    hidden = max(1, channels // reduction)
    w1 = jax.random.normal(k1, (channels, hidden)) * channels**-0.5
    w2 = jax.random.normal(k2, (hidden, channels)) * hidden**-0.5
    return {"w1": w1, "w2": w2}


def squeeze_excite(params, x):
    s = x.mean(axis=(1, 2), keepdims=True)
    s = jax.nn.silu(s @ params["w1"])
    return x * jax.nn.sigmoid(s @ params["w2"])


def dropout(key, x, rate):
    if rate == 0.0:
        return x
    keep = jax.random.bernoulli(key, 1.0 - rate, x.shape)
    return jnp.where(keep, x / (1.0 - rate), 0.0)
