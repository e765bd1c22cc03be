"""A small residual network for images, in plain JAX."""
from .data import augment, make_dataset
from .layers import avg_pool, batch_norm, conv, max_pool
from .model import ModelConfig, apply, init

__all__ = [
    "ModelConfig",
    "apply",
    "augment",
    "avg_pool",
    "batch_norm",
    "conv",
    "init",
    "make_dataset",
    "max_pool",
]
