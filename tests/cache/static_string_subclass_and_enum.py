"""Enumerations of texts as static arguments."""

from enum import Enum
from functools import partial

import jax
import jax.numpy as jnp


class Mode(str, Enum):
    TRAIN = "train"
    EVAL = "eval"


@partial(jax.jit, static_argnums=1)
def f(x, mode):  # traced: 4
    return x * 2 if mode == "train" else x


for mode in (Mode.TRAIN, Mode("train"), Mode.EVAL, "train", "eval", "train"):
    f(jnp.ones(2), mode)
