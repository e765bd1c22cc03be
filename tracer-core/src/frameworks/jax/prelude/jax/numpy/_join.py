"""Joining and splitting."""
import math

from _jitlens import core, prims as p

from . import _low
from ._creation import asarray
from ._manipulate import atleast_1d, atleast_2d, atleast_3d, ravel, reshape_array


def _is_array(x):
    return core.is_array(x) or core.is_numpy_array(x)


def concatenate(arrays, axis=0, dtype=None):
    if _is_array(arrays):
        return _concatenate_rows(arrays, axis, dtype)
    core.check_arraylike("concatenate", *arrays)
    arrays = [core.arraylike("concatenate", x) for x in arrays]
    if not arrays:
        raise ValueError("Need at least one array to concatenate.")
    if axis is None:
        return concatenate([ravel(a) for a in arrays], axis=0, dtype=dtype)
    if arrays[0].ndim == 0:
        raise ValueError("Zero-dimensional arrays cannot be concatenated.")
    axis = core.canonical_axis(axis, arrays[0].ndim)
    arrays = core.promote_dtypes(*arrays) if dtype is None else [asarray(a, dtype=dtype) for a in arrays]
    return _low.concatenate(arrays, axis)


def _concatenate_rows(array, axis, dtype):
    """Of one array: its rows joined, which is a reshape."""
    array = asarray(array, dtype=dtype)
    if array.ndim == 0 or array.shape[0] == 0:
        raise ValueError("Need at least one array to concatenate.")
    if axis is None:
        return _low.reshape(array, (array.size,))
    if array.ndim == 1:
        raise ValueError("Zero-dimensional arrays cannot be concatenated.")
    axis = core.canonical_axis(axis, array.ndim - 1)
    shape = array.shape
    joined = shape[1:axis + 1] + (shape[0] * shape[axis + 1],) + shape[axis + 2:]
    order = (*range(1, axis + 1), 0, *range(axis + 1, array.ndim))
    return p.reshape(array, new_sizes=joined, dimensions=None if order == tuple(range(array.ndim)) else order)


def concat(arrays, /, *, axis=0):
    core.check_arraylike("concat", *arrays)
    return concatenate(arrays, axis=axis)


def stack(arrays, axis=0, out=None, dtype=None):
    if not len(arrays):
        raise ValueError("Need at least one array to stack.")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.stack is not supported.")
    if _is_array(arrays):
        axis = core.canonical_axis(axis, core.ndim(arrays))
        return concatenate(_low.expand_dims(core.asarray(arrays), (axis + 1,)), axis=axis, dtype=dtype)
    core.check_arraylike("stack", *arrays)
    arrays = [core.arraylike("stack", x) for x in arrays]
    arrays = core.promote_dtypes(*arrays) if dtype is None else [asarray(a, dtype=dtype) for a in arrays]
    return p.stack(*arrays, axis=core.canonical_axis(axis, arrays[0].ndim + 1))


@core.jit(static_argnames=("axis",))
def unstack(x, /, *, axis=0):
    x = core.arraylike("unstack", x)
    return tuple(p.unstack(x, axis=core.canonical_axis(axis, x.ndim)))


def _stacked(name, at_least, tup):
    """The parts of `vstack` and its siblings: the rows of an array, or a sequence."""
    if _is_array(tup):
        import jax
        return jax.vmap(at_least)(tup)
    core.check_arraylike(name, *tup)
    return [at_least(x) for x in tup]


def vstack(tup, dtype=None):
    return concatenate(_stacked("vstack", atleast_2d, tup), axis=0, dtype=dtype)


def hstack(tup, dtype=None):
    arrays = _stacked("hstack", atleast_1d, tup)
    rank = arrays.ndim - 1 if _is_array(arrays) else arrays[0].ndim
    return concatenate(arrays, axis=0 if rank == 1 else 1, dtype=dtype)


def dstack(tup, dtype=None):
    return concatenate(_stacked("dstack", atleast_3d, tup), axis=2, dtype=dtype)


def column_stack(tup):
    def column(x):
        return _low.transpose(atleast_2d(x), (1, 0))
    if _is_array(tup):
        import jax
        arrays = jax.vmap(column)(tup) if core.ndim(tup) < 3 else tup
    else:
        # A text counts as a scalar until it is converted.
        core.check_arraylike("column_stack", *[x for x in tup if not isinstance(x, str)])
        arrays = [column(x) if x.ndim < 2 else x for x in map(asarray, tup)]
    return concatenate(arrays, axis=1)


@core.jit(static_argnames=("axis",))
def append(arr, values, axis=None):
    if axis is None:
        return concatenate([ravel(arr), ravel(values)], 0)
    return concatenate([arr, values], axis=axis)


def _block(x):
    """(the array, the depth of lists that it stands for)"""
    if isinstance(x, tuple):
        raise ValueError(f"jax.numpy.block does not allow tuples, got {x}")
    if not isinstance(x, list):
        return asarray(x), 1
    if not x:
        raise ValueError("jax.numpy.block does not allow empty list arguments")
    parts, depths = zip(*[_block(part) for part in x])
    depth = depths[0]
    if any(d != depth for d in depths):
        raise ValueError("Mismatched list depths in jax.numpy.block")
    rank = max(depth, max(part.ndim for part in parts))
    parts = [_low.broadcast_in_dim(part, (1,) * (rank - part.ndim) + part.shape, range(rank - part.ndim, rank))
             if part.ndim < rank else part for part in parts]
    return concatenate(parts, axis=-depth), depth + 1


@core.jit
def block(arrays):
    return _block(arrays)[0]


def _split(name, ary, where, axis=0):
    ary = core.arraylike(name, ary)
    axis = core.concrete_index(axis, f"in jax.numpy.{name} argument `axis`")
    size = ary.shape[axis]
    if isinstance(where, (tuple, list)) or _is_array(where) and core.ndim(where) > 0:
        cuts = [0] + [core.concrete_dim(i, f"in jax.numpy.{name} argument 1") for i in where] + [size]
        sizes = [b - a for a, b in zip(cuts, cuts[1:])]
    else:
        count = core.concrete_int(where, f"in jax.numpy.{name} argument 1")
        part, rest = divmod(size, count)
        # A size that a symbol stands for is taken to divide as the program divides it.
        if name != "array_split" and core.is_symbolic_dim(rest) and core.may_be_equal(rest, 0) or rest == 0:
            sizes = [part] * count
        elif name == "array_split":
            sizes = [part + 1] * rest + [part] * (count - rest)
        else:
            raise ValueError(f"array split does not result in an equal division: rest is {rest}")
    sizes = tuple(size if core.is_symbolic_dim(size) else core.numpy_int64(size) for size in sizes)
    return list(p.split(ary, sizes=sizes, axis=core.canonical_axis(axis, ary.ndim)))


def split(ary, indices_or_sections, axis=0):
    return _split("split", ary, indices_or_sections, axis)


def vsplit(ary, indices_or_sections):
    return _split("vsplit", ary, indices_or_sections, 0)


def hsplit(ary, indices_or_sections):
    ary = core.arraylike("hsplit", ary)
    return _split("hsplit", ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


def dsplit(ary, indices_or_sections):
    return _split("dsplit", ary, indices_or_sections, 2)


def array_split(ary, indices_or_sections, axis=0):
    return _split("array_split", ary, indices_or_sections, axis)
