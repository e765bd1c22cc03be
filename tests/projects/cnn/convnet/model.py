import dataclasses
from typing import Sequence

import jax
import jax.numpy as jnp

from . import layers


@dataclasses.dataclass(frozen=True)
class ModelConfig:
    num_classes: int = 4
    widths: Sequence[int] = (8, 16)
    in_channels: int = 1
    dropout_rate: float = 0.1
    use_se: bool = True


def init_block(key, c_in, c_out, use_se):
    k1, k2, k3, k4 = jax.random.split(key, 4)
    bn1, st1 = layers.batch_norm_init(c_in)
    bn2, st2 = layers.batch_norm_init(c_out)
    params = {
        "conv1": layers.conv_init(k1, c_in, c_out),
        "conv2": layers.conv_init(k2, c_out, c_out),
        "bn1": bn1,
        "bn2": bn2,
    }
    if c_in != c_out:
        params["shortcut"] = layers.conv_init(k3, c_in, c_out, kernel_size=1)
    if use_se:
        params["se"] = layers.squeeze_excite_init(k4, c_out)
    return params, {"bn1": st1, "bn2": st2}


def apply_block(params, stats, x, stride, is_training):
    new_stats = {}
    h, new_stats["bn1"] = layers.batch_norm(params["bn1"], stats["bn1"], x, is_training)
    h = jax.nn.relu(h)
    shortcut = x if stride == 1 else layers.avg_pool(x, stride)
    if "shortcut" in params:
        shortcut = layers.conv(params["shortcut"], shortcut)
    h = layers.conv(params["conv1"], h, stride=stride)
    h, new_stats["bn2"] = layers.batch_norm(params["bn2"], stats["bn2"], h, is_training)
    h = layers.conv(params["conv2"], jax.nn.relu(h), dilation=2)
    if "se" in params:
        h = layers.squeeze_excite(params["se"], h)
    return h + shortcut, new_stats


def init(key, config: ModelConfig):
    """Returns (params, batch_stats), both nested dicts."""
    stem_key, head_key, *block_keys = jax.random.split(key, 2 + len(config.widths))
    params = {"stem": layers.conv_init(stem_key, config.in_channels, config.widths[0], kernel_size=5)}
    stats = {}
    c_in = config.widths[0]
    for i, (k, c_out) in enumerate(zip(block_keys, config.widths)):
        params[f"block{i}"], stats[f"block{i}"] = init_block(k, c_in, c_out, config.use_se)
        c_in = c_out
    params["head"] = {
        "w": jax.nn.initializers.lecun_normal()(head_key, (c_in, config.num_classes)),
        "b": jnp.zeros((config.num_classes,)),
    }
    return params, stats


def apply(config: ModelConfig, params, stats, images, *, rng=None, is_training=False):
    """images: (N, H, W, C) -> logits (N, num_classes), new batch stats."""
    x = layers.conv(params["stem"], images)
    x = layers.max_pool(x, 3, stride=2, padding="SAME")
    new_stats = {}
    for i in range(len(config.widths)):
        name = f"block{i}"
        stride = 1 if i == 0 else 2
        x, new_stats[name] = apply_block(params[name], stats[name], x, stride, is_training)
    x = jax.nn.relu(x).mean(axis=(1, 2))
    if is_training and rng is not None:
        x = layers.dropout(rng, x, config.dropout_rate)
    return x @ params["head"]["w"] + params["head"]["b"], new_stats
