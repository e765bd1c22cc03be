"""`jax.scipy.ndimage`: interpolation at coordinates."""
import functools
import itertools
import operator

from _jitlens import core, prims as p

from .. import numpy as jnp

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def map_coordinates(input, coordinates, order, mode="constant", cval=0.0):
    return _map_coordinates(input, coordinates, order, mode, cval)


def _mirrored(index, size):
    last = size - 1
    return jnp.abs((index + last) % (2 * last) - last)


# How an index outside of the array is brought back.
_FIXERS = {
    "constant": lambda index, size: index,
    "nearest": lambda index, size: jnp.clip(index, 0, size - 1),
    "wrap": lambda index, size: index % size,
    "mirror": _mirrored,
    "reflect": lambda index, size: jnp.floor_divide(_mirrored(2 * index + 1, 2 * size + 1) - 1, 2),
}


@core.jit(static_argnums=(2, 3, 4))
def _map_coordinates(input, coordinates, order, mode, cval):
    array = jnp.asarray(input)
    coordinates = [jnp.asarray(c) for c in coordinates]
    cval = jnp.asarray(cval, array.dtype)
    if len(coordinates) != array.ndim:
        raise ValueError(f"coordinates must be a sequence of length input.ndim, but {len(coordinates)} != {array.ndim}")
    fix = _FIXERS.get(mode)
    if fix is None:
        raise NotImplementedError(f"jax.scipy.ndimage.map_coordinates does not yet support mode {mode}. Currently supported modes are "
                                  f"{set(_FIXERS)}.")
    if order not in (0, 1):
        raise NotImplementedError("jax.scipy.ndimage.map_coordinates currently requires order<=1")
    nodes = _nearest if order == 0 else _linear
    axes = [[(fix(index, size), mode != "constant" or (0 <= index) & (index < size), weight) for index, weight in nodes(c)]
            for c, size in zip(coordinates, array.shape)]
    terms = []
    for corner in itertools.product(*axes):
        indices, inside, weights = [tuple(part) for part in zip(*corner)]
        value = array[indices]
        if not all([i is True for i in inside]):
            value = jnp.where(functools.reduce(operator.and_, inside), value, cval)
        terms.append(functools.reduce(operator.mul, weights) * value)
    out = functools.reduce(operator.add, terms)
    return (_rounded(out) if core.dtype_kind(array.dtype) == "int" else out).astype(array.dtype)


def _rounded(x):
    return x if core.dtype_kind(x.dtype) == "int" else p.round(x, rounding_method=core.RoundingMethod.AWAY_FROM_ZERO)


def _nearest(coordinate):
    return [(_rounded(coordinate).astype("int32"), core.numpy_scalar(1, coordinate.dtype))]


def _linear(coordinate):
    lower = jnp.floor(coordinate)
    above = coordinate - lower
    below = 1 - above
    index = lower.astype("int32")
    return [(index, below), (index + 1, above)]
