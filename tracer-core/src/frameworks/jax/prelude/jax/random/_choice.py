"""`permutation`, `choice`, `categorical`."""
import math

from _jitlens import core, prims as p

from ._arguments import check_shape, single_key
from ._basic import gumbel, randint, uniform
from ._keys import random_bits, split_typed


def permutation(key, x, axis=0, independent=False, *, out_sharding=None):
    from .. import numpy as jnp
    key = single_key("permutation", key)
    core.check_arraylike("permutation", x)
    axis = core.canonical_axis(axis, core.ndim(x) or 1)
    if not core.ndim(x):
        if core.dtype_kind(core.dtype(x)) != "int":
            raise TypeError("x must be an integer or at least 1-dimensional")
        count = core.concrete_int(x, "argument x of jax.random.permutation()")
        return _shuffle(key, jnp.arange(count), axis)
    if independent or core.ndim(x) == 1:
        return _shuffle(key, x, axis)
    order = _shuffle(key, jnp.arange(x.shape[axis]), 0)
    return jnp.take(x, order, axis, unique_indices=True)


@core.jit(static_argnums=(2,))
def _shuffle(key, x, axis):
    # Sorting by random words, as often as makes collisions harmless.
    rounds = math.ceil(3 * math.log(max(1, x.size)) / math.log(2 ** 32 - 1))
    for _ in range(rounds):
        key, subkey = split_typed(key)
        _, x = p.sort(random_bits(subkey, 32, x.shape), x, dimension=axis, is_stable=True, num_keys=1)
    return x


def choice(key, a, shape=(), replace=True, p=None, axis=0, mode=None):
    from .. import numpy as jnp
    key = single_key("choice", key)
    if not isinstance(shape, (tuple, list, range, str, bytes)):
        raise TypeError(f"shape argument of jax.random.choice must be a sequence, got {shape}")
    core.check_arraylike("choice", a)
    arr = jnp.asarray(a)
    if arr.ndim == 0:
        population = core.concrete_int(a, "The error occurred in jax.random.choice()")
    else:
        axis = core.canonical_axis(axis, arr.ndim)
        population = arr.shape[axis]
    draws = math.prod(shape)
    if draws == 0:
        return jnp.zeros(shape, dtype=arr.dtype)
    if population <= 0:
        raise ValueError("a must be greater than 0 unless no samples are taken")
    if not replace and draws > population:
        raise ValueError(f"Cannot take a larger sample (size {draws}) than population (size {population}) when 'replace=False'")
    if p is None and not replace:
        found = permutation(key, population if arr.ndim == 0 else arr, axis)[(slice(None),) * axis + (slice(draws),)]
    else:
        index = randint(key, shape, 0, population) if p is None else _weighted(key, p, population, draws, shape, replace, mode)
        found = index if arr.ndim == 0 else jnp.take(arr, index, axis)
    return found.reshape(shape if arr.ndim == 0 else arr.shape[:axis] + tuple(shape) + arr.shape[axis + 1:])


def _weighted(key, weights, population, draws, shape, replace, mode):
    from .. import numpy as jnp
    from ..lax._reductions import top_k
    core.check_arraylike("choice", weights)
    weights = core.promote_dtypes_inexact(weights)[0]
    if weights.shape != (population,):
        raise ValueError(f"p must be None or a 1D vector with the same size as a.shape[axis]. p has shape {weights.shape} and a.shape[axis] is "
                         f"{population}.")
    if replace:
        total = jnp.cumsum(weights)
        r = total[-1] * (1 - uniform(key, shape, dtype=total.dtype))
        return jnp.searchsorted(total, r).astype(int)
    noise = gumbel(key, (population,), dtype=weights.dtype, mode=mode) + jnp.log(weights)
    return top_k(noise, k=draws)[1].astype(int)


def categorical(key, logits, axis=-1, shape=None, replace=True, mode=None, *, out_sharding=None):
    from .. import numpy as jnp
    key = single_key("categorical", key)
    core.check_arraylike("categorical", logits)
    logits = jnp.asarray(logits)
    batch = tuple(core.numpy_delete(logits.shape, axis))
    if shape is None:
        shape = batch
    else:
        shape = core.canonical_shape(shape)
        check_shape("categorical", shape, batch)
    prefix = shape[:len(shape) - len(batch)]
    if not replace:
        return _categorical_distinct(key, logits, shape, prefix, batch, axis, mode)
    if axis >= 0:
        axis -= logits.ndim
    sampled = list(shape[len(shape) - len(batch):])
    sampled.insert(axis % logits.ndim, logits.shape[axis])
    from ..lax._shapes import expand_dims
    noise = gumbel(key, (*prefix, *sampled), logits.dtype, mode=mode)
    return jnp.argmax(noise + expand_dims(logits, tuple(range(len(prefix)))), axis=axis)


def _categorical_distinct(key, logits, shape, prefix, batch, axis, mode):
    from .. import numpy as jnp
    from ..lax._reductions import top_k
    from ..lax._shapes import reshape
    logits += gumbel(key, logits.shape, logits.dtype, mode=mode)
    k = math.prod(prefix)
    if k > logits.shape[axis]:
        raise ValueError(f"Number of samples without replacement ({k}) cannot exceed number of categories ({logits.shape[axis]}).")
    _, index = top_k(jnp.moveaxis(logits, axis, -1), k)
    return reshape(index, shape, (index.ndim - 1, *range(index.ndim - 1)))
