"""Covariance functions as registered dataclasses, so that they are pytrees of hyperparameters."""
from __future__ import annotations

import functools
from dataclasses import dataclass

import jax
import jax.numpy as jnp


def softplus_inverse(x):
    return jnp.log(jnp.expm1(x))


def kernel(cls):
    """Make `cls` a dataclass whose fields are all pytree leaves."""
    return jax.tree_util.register_dataclass(dataclass(frozen=True)(cls))


class Kernel:
    def pair(self, x, y):
        raise NotImplementedError

    def __call__(self, xs, ys=None):
        """Gram matrix of shape (n, m) between xs (n, d) and ys (m, d)."""
        ys = xs if ys is None else ys
        return jax.vmap(lambda x: jax.vmap(functools.partial(self.pair, x))(ys))(xs)

    def diag(self, xs):
        return jax.vmap(lambda x: self.pair(x, x))(xs)

    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)


@kernel
class RBF(Kernel):
    raw_scale: jax.Array
    raw_length: jax.Array

    @classmethod
    def create(cls, scale=1.0, length=1.0):
        return cls(softplus_inverse(jnp.asarray(scale)), softplus_inverse(jnp.asarray(length)))

    def pair(self, x, y):
        r = (x - y) / jax.nn.softplus(self.raw_length)
        return jax.nn.softplus(self.raw_scale) ** 2 * jnp.exp(-0.5 * jnp.dot(r, r))


@kernel
class Matern32(Kernel):
    raw_scale: jax.Array
    raw_length: jax.Array

    @classmethod
    def create(cls, scale=1.0, length=1.0):
        return cls(softplus_inverse(jnp.asarray(scale)), softplus_inverse(jnp.asarray(length)))

    def pair(self, x, y):
        sq = jnp.sum(jnp.square((x - y) / jax.nn.softplus(self.raw_length)))
        # sqrt has no gradient at zero
        safe = jnp.where(sq > 0.0, sq, 1.0)
        r = jnp.where(sq > 0.0, jnp.sqrt(3.0 * safe), 0.0)
        return jax.nn.softplus(self.raw_scale) ** 2 * (1.0 + r) * jnp.exp(-r)


@kernel
class Periodic(Kernel):
    raw_period: jax.Array
    raw_length: jax.Array

    @classmethod
    def create(cls, period=1.0, length=1.0):
        return cls(softplus_inverse(jnp.asarray(period)), softplus_inverse(jnp.asarray(length)))

    def pair(self, x, y):
        period, length = jax.nn.softplus(self.raw_period), jax.nn.softplus(self.raw_length)
        return jnp.exp(-2.0 * jnp.sum(jnp.sin(jnp.pi * (x - y) / period) ** 2) / length**2)


@kernel
class Sum(Kernel):
    left: Kernel
    right: Kernel

    def pair(self, x, y):
        return self.left.pair(x, y) + self.right.pair(x, y)


@kernel
class Product(Kernel):
    left: Kernel
    right: Kernel

    def pair(self, x, y):
        return self.left.pair(x, y) * self.right.pair(x, y)
