"""What every family needs: thin helpers over primitives that leave out equations which would do nothing."""
import operator

from _jitlens import core, prims as p


def select(pred, yes, no):
    return p.select_n(pred, no, yes)


def reshape(x, shape):
    if shape and core.is_shape(x, shape):
        return x
    return p.reshape(x, new_sizes=shape)


def broadcast_in_dim(x, shape, dims):
    if not dims and x.ndim == len(shape):
        return x
    return p.broadcast_in_dim(x, shape=tuple(shape), broadcast_dimensions=tuple(dims))


def broadcast_to(x, shape):
    """To a known shape, with the errors of `jnp.broadcast_to`."""
    have = x.shape
    if have == shape:
        return x
    lead = len(shape) - len(have)
    if lead < 0:
        raise ValueError(f"Cannot broadcast to shape with fewer dimensions: arr_shape={have} shape={shape}")
    for have_size, size in zip(have, shape[lead:]):
        if have_size != size and have_size != 1:
            wanted = ",".join(map(str, shape))
            raise ValueError(f"Incompatible types for broadcasting: input type={core.aval_name(x)}"
                             f" and requested type={x.dtype.name}[{wanted}]")
    return broadcast_in_dim(x, shape, range(lead, len(shape)))


def broadcast_arrays(*xs):
    shapes = [core.shape(x) for x in xs]
    if all(s == shapes[0] for s in shapes):
        return [core.asarray(x) for x in xs]
    shape = core.broadcast_shapes(*shapes)
    return [broadcast_to(core.asarray(x), shape) for x in xs]


def expand_dims(x, axes):
    """`axes` are ints, counted in the result."""
    rank = x.ndim + len(axes)
    found = {core.canonical_axis(axis, rank) for axis in axes}
    if len(found) != len(axes):
        raise ValueError(f"repeated axis in lax.expand_dims: {axes}")
    sizes = iter(x.shape)
    shape = tuple(1 if i in found else next(sizes) for i in range(rank))
    return broadcast_in_dim(x, shape, [i for i in range(rank) if i not in found])


def squeeze(x, axes):
    axes = tuple(sorted(core.canonical_axis(axis, x.ndim) for axis in axes))
    return p.squeeze(x, dimensions=axes) if axes else x


def transpose(x, permutation):
    permutation = tuple(operator.index(axis) for axis in permutation)
    if permutation == tuple(range(x.ndim)):
        return x
    return p.transpose(x, permutation=permutation)


def move_axis(x, source, destination):
    source = core.canonical_axis(source, x.ndim)
    destination = core.canonical_axis(destination, x.ndim)
    order = [axis for axis in range(x.ndim) if axis != source]
    order.insert(destination, source)
    return transpose(x, order)


def concatenate(xs, dimension):
    if len(xs) == 1:
        return xs[0]
    return p.concatenate(*xs, dimension=dimension)


def iota(dtype, size):
    return p.iota(dtype=dtype, shape=(size,), dimension=0)


def broadcasted_iota(dtype, shape, dimension):
    return p.iota(dtype=dtype, shape=tuple(shape), dimension=dimension)


def slice_in_dim(x, start, stop, stride=1, axis=0):
    axis = core.canonical_axis(axis, x.ndim)
    size = x.shape[axis]
    if not core.is_symbolic_dim(size):
        start, stop, stride = slice(start, stop, stride).indices(size)
        stop = max(start, stop)
    starts, limits, strides = [0] * x.ndim, list(x.shape), [1] * x.ndim
    starts[axis], limits[axis], strides[axis] = start, stop, stride
    return p.slice(x, start_indices=tuple(starts), limit_indices=tuple(limits),
                   strides=tuple(strides))


def index_in_dim(x, index, axis=0, keepdims=True):
    axis = core.canonical_axis(axis, x.ndim)
    if index < 0:
        index += x.shape[axis]
    result = slice_in_dim(x, index, index + 1, 1, axis)
    return result if keepdims else squeeze(result, (axis,))


def axis_tuple(axis, ndim, allow_duplicate=False):
    """An `axis=` argument (None, int or sequence) as a tuple of axes in range."""
    if axis is None:
        return tuple(range(ndim))
    if isinstance(axis, (tuple, list)):
        found = tuple(core.canonical_axis(a, ndim) for a in axis)
        if not allow_duplicate and len(set(found)) != len(found):
            raise ValueError(f"repeated axis: {axis}")
        return found
    return (core.canonical_axis(axis, ndim),)


@core.jit
def _where(condition, x, y):
    condition, x, y = core.arraylike("where", condition, x, y)
    if condition.dtype != bool:
        condition = p.ne(condition, core.scalar_like(condition, 0))
    x, y = core.promote_dtypes(x, y)
    if condition.ndim == 0:
        x, y = broadcast_arrays(x, y)
    else:
        condition, x, y = broadcast_arrays(condition, x, y)
    return x if 0 in x.shape else p.select_n(condition, y, x)


where = _where


def is_kind(dtype, *kinds):
    """Whether `dtype` is under one of the names `"inexact" "floating" "complex" "integer" "unsigned" "bool"`."""
    return any(core.issubdtype(dtype, KINDS[kind]) for kind in kinds)


def _kinds():
    import numpy as np
    return {"inexact": np.inexact, "floating": np.floating, "complex": np.complexfloating, "integer": np.integer,
            "unsigned": np.unsignedinteger, "signed": np.signedinteger, "bool": np.bool_, "number": np.number}


KINDS = _kinds()


def check_whole_bytes(dtype):
    """Integers of a few bits have no limits that NumPy knows."""
    if dtype.kind == "V" and is_kind(dtype, "integer"):
        raise ValueError("Invalid integer data type 'V'.")
