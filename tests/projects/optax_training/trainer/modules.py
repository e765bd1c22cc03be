"""Layers that are pytrees: arrays are leaves, everything else is static."""
from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.tree_util import GetAttrKey, register_pytree_node, register_pytree_with_keys


class Module:
    """Base class. Subclasses list the names of their children and of their static attributes."""

    children: tuple = ()
    static: tuple = ()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)

        def flatten_with_keys(self):
            leaves = [(GetAttrKey(name), getattr(self, name)) for name in cls.children]
            return leaves, tuple(getattr(self, name) for name in cls.static)

        def flatten(self):
            return tuple(getattr(self, name) for name in cls.children), tuple(getattr(self, n) for n in cls.static)

        def unflatten(aux, leaves):
            self = object.__new__(cls)
            for name, value in zip(cls.static, aux):
                setattr(self, name, value)
            for name, value in zip(cls.children, leaves):
                setattr(self, name, value)
            return self

        register_pytree_with_keys(cls, flatten_with_keys, unflatten, flatten)

    def __repr__(self):
        inner = ", ".join(f"{n}={getattr(self, n)!r}" for n in self.static)
        return f"{type(self).__name__}({inner})"


class Dense(Module):
    children = ("kernel", "bias")
    static = ("use_bias",)

    def __init__(self, key, in_features: int, out_features: int, use_bias: bool = True):
        self.kernel = jax.nn.initializers.he_normal()(key, (in_features, out_features))
        self.bias = jnp.zeros(out_features) if use_bias else None
        self.use_bias = use_bias

    def __call__(self, x):
        y = jnp.matmul(x, self.kernel)
        return y + self.bias if self.use_bias else y


class LayerNorm(Module):
    children = ("scale", "bias")
    static = ("eps",)

    def __init__(self, dim: int, eps: float = 1e-6):
        self.scale, self.bias = jnp.ones(dim), jnp.zeros(dim)
        self.eps = eps

    def __call__(self, x):
        mean = x.mean(-1, keepdims=True)
        var = x.var(-1, keepdims=True)
        return (x - mean) / jnp.sqrt(var + self.eps) * self.scale + self.bias


class Embedding(Module):
    children = ("table",)
    static = ("num", "dim")

    def __init__(self, key, num: int, dim: int):
        self.table = jax.random.normal(key, (num, dim)) * dim**-0.5
        self.num, self.dim = num, dim

    def __call__(self, ids):
        return jnp.take(self.table, ids, axis=0, mode="clip")


class Dropout(Module):
    static = ("rate",)

    def __init__(self, rate: float):
        self.rate = rate

    def __call__(self, x, key=None):
        if key is None or self.rate == 0.0:
            return x
        mask = jax.random.bernoulli(key, 1.0 - self.rate, x.shape)
        return x * mask / (1.0 - self.rate)


class MLP(Module):
    """Embeds the categorical features, concatenates the numeric ones and applies residual layers."""

    children = ("embeddings", "stem", "norms", "hidden", "head", "dropout")
    static = ("depth",)

    def __init__(self, key, cardinalities, num_numeric: int, width: int, depth: int, num_outputs: int,
                 dropout: float = 0.1):
        k_emb, k_stem, k_head, *k_hidden = jax.random.split(key, 3 + depth)
        emb_keys = jax.random.split(k_emb, len(cardinalities))
        self.embeddings = [Embedding(k, n, min(8, n)) for k, n in zip(emb_keys, cardinalities)]
        n_in = num_numeric + sum(e.dim for e in self.embeddings)
        self.stem = Dense(k_stem, n_in, width)
        self.norms = [LayerNorm(width) for _ in range(depth)]
        self.hidden = [Dense(k, width, width) for k in k_hidden]
        self.head = Dense(k_head, width, num_outputs, use_bias=False)
        self.dropout = Dropout(dropout)
        self.depth = depth

    def __call__(self, numeric, categorical, key=None):
        columns = [emb(categorical[..., i]) for i, emb in enumerate(self.embeddings)]
        x = self.stem(jnp.concatenate([numeric, *columns], axis=-1))
        keys = [None] * self.depth if key is None else jax.random.split(key, self.depth)
        for norm, dense, k in zip(self.norms, self.hidden, keys):
            x = x + self.dropout(jax.nn.gelu(dense(norm(x))), k)
        return self.head(x)


class Standardizer:
    """Running mean and variance, all of it traced."""

    def __init__(self, mean, m2, count):
        self.mean, self.m2, self.count = mean, m2, count

    @classmethod
    def zeros(cls, dim: int):
        return cls(jnp.zeros(dim), jnp.zeros(dim), jnp.zeros(()))

    def update(self, batch):
        """Merge the statistics of a batch (n, dim)."""
        n = batch.shape[0]
        delta = batch.mean(0) - self.mean
        total = self.count + n
        mean = self.mean + delta * n / total
        m2 = self.m2 + batch.var(0) * n + delta**2 * self.count * n / total
        return Standardizer(mean, m2, total)

    def __call__(self, x):
        std = jnp.sqrt(self.m2 / jnp.maximum(self.count, 1.0))
        return (x - self.mean) / jnp.maximum(std, 1e-3)


register_pytree_node(
    Standardizer,
    lambda s: ((s.mean, s.m2, s.count), None),
    lambda _, children: Standardizer(*children),
)
