"""A frozen configuration that holds another."""

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Opt:
    lr: float = 0.1


@dataclass(frozen=True)
class Config:
    depth: int = 1
    opt: Opt = Opt()


@partial(jax.jit, static_argnames=("config",))
def step(w, config):  # traced: 3
    for _ in range(config.depth):
        w = w - config.opt.lr * w
    return w


base = Config()
step(jnp.ones(2), config=base)
step(jnp.ones(2), config=Config())
step(jnp.ones(2), config=replace(base, depth=2))
step(jnp.ones(2), config=replace(base, opt=Opt(0.2)))
step(jnp.ones(2), config=replace(base, opt=Opt(0.1)))
