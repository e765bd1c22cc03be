"""Shapes and axes."""
import math
import operator

from _jitlens import core, prims as p

from . import _low
from ..lax._shapes import check_sizes
from ._reductions import static_axes


def index_tuple(x):
    """An int or a sequence of ints as a tuple."""
    try:
        return (operator.index(x),)
    except TypeError:
        return tuple(operator.index(i) for i in x)


def new_shape(x, shape):
    """A user's new shape with its `-1` filled in."""
    wanted = shape
    if not isinstance(shape, (tuple, list)):
        try:
            iter(shape)
        except TypeError:
            shape = [shape]
    shape = core.canonical_shape(shape)
    size = x.size
    unknown = [i for i, d in enumerate(shape) if d == -1]
    if len(unknown) > 1:
        raise TypeError(f"can only specify one unknown axis size with a `-1` value, got {wanted}")
    if unknown:
        i, = unknown
        rest = math.prod(shape[:i] + shape[i + 1:])
        left = size % rest
        if core.holds_for_every_size(left):
            raise core.InconclusiveDimensionOperation(f"Cannot divide evenly the sizes of shapes {x.shape} and {wanted}. The remainder "
                                                      f"mod({size}, - {rest}) should be 0.")
        # What is left of a size that is not known is none.
        if core.surely(left != 0):
            raise TypeError(f"cannot reshape array of shape {x.shape} (size {size}) into shape {wanted} because the product of"
                            f" specified axis sizes ({rest}) does not evenly divide {size}")
        return shape[:i] + (size // rest,) + shape[i + 1:]
    if core.surely(size != math.prod(shape)):
        raise TypeError(f"cannot reshape array of shape {x.shape} (size {size}) into shape {wanted} (size {math.prod(shape)})")
    return shape


def reshape_array(x, shape, order="C"):
    """`x.reshape(shape)` of a jax array."""
    shape = new_shape(x, shape)
    if order == "C":
        return _low.reshape(x, shape)
    if order == "F":
        dims = tuple(range(x.ndim))[::-1]
        same = shape[::-1] == x.shape and dims == tuple(range(x.ndim)) and x.ndim
        flat = x if same else p.reshape(x, new_sizes=shape[::-1], dimensions=None if x.ndim < 2 else dims)
        return _low.transpose(flat, tuple(range(flat.ndim))[::-1])
    if order == "A":
        raise NotImplementedError("np.reshape order=A is not implemented.")
    raise ValueError(f"Unexpected value for 'order' argument: {order}.")


def reshape(a, shape, order="C", *, copy=None, out_sharding=None):
    core.check_arraylike("reshape", a)
    if core.is_numpy_array(a) or core.is_numpy_scalar(a):
        if shape is None:
            if not isinstance(order, str):
                raise TypeError(f"order must be str, not {type(order).__name__}")
            return a
        return a.reshape(shape, order=order)
    return reshape_array(core.asarray(a), shape, order)


def ravel(a, order="C", *, out_sharding=None):
    a = core.arraylike("ravel", a)
    if order == "K":
        raise NotImplementedError("Ravel not implemented for order='K'.")
    return reshape_array(a, (a.size,), order)


def transpose(a, axes=None):
    a = core.arraylike("transpose", a)
    rank = a.ndim
    axes = range(rank)[::-1] if axes is None else axes
    return _low.transpose(a, [core.canonical_axis(axis, rank) for axis in axes])


def permute_dims(a, /, axes):
    return _low.transpose(core.arraylike("permute_dims", a), axes)


def matrix_transpose(x, /):
    x = core.arraylike("matrix_transpose", x)
    ndim = x.ndim
    if ndim < 2:
        raise ValueError(f"x must be at least two-dimensional for matrix_transpose; got ndim={ndim}")
    return _low.transpose(x, (*range(ndim - 2), ndim - 1, ndim - 2))


@core.jit(static_argnames=("axis1", "axis2"), inline=True)
def swapaxes(a, axis1, axis2):
    a = core.arraylike("swapaxes", a)
    if axis1 is None and axis2 is None:
        return a
    order = list(range(a.ndim))
    for axis in (axis2, axis1):
        if type(axis) is not int:
            # The axes index an array of axes.
            import numpy
            order = numpy.arange(a.ndim)
            break
        if not -a.ndim <= axis < a.ndim:
            raise IndexError(f"index {axis} is out of bounds for axis 0 with size {a.ndim}")
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return _low.transpose(a, [int(i) for i in order])


def moveaxis(a, source, destination):
    a = core.arraylike("moveaxis", a)
    source, destination = index_tuple(source), index_tuple(destination)
    source = tuple(core.canonical_axis(i, a.ndim) for i in source)
    destination = tuple(core.canonical_axis(i, a.ndim) for i in destination)
    if len(source) != len(destination):
        raise ValueError(f"Inconsistent number of elements: {len(source)} vs {len(destination)}")
    order = [i for i in range(a.ndim) if i not in source]
    for to, axis in sorted(zip(destination, source)):
        order.insert(to, axis)
    return _low.transpose(a, order)


@core.jit(static_argnames=("axis", "start"))
def rollaxis(a, axis, start=0):
    a = core.arraylike("rollaxis", a)
    start = core.concrete_index(start, "'start' argument of jnp.rollaxis()")
    ndim = a.ndim
    axis = core.canonical_axis(axis, ndim)
    if not -ndim <= start <= ndim:
        raise ValueError(f"start={start} must satisfy {-ndim}<=start<={ndim}")
    if start < 0:
        start += ndim
    if start > axis:
        start -= 1
    return moveaxis(a, axis, start)


def squeeze(a, axis=None):
    a = core.arraylike("squeeze", a)
    axes = [i for i, size in enumerate(a.shape) if size == 1] if axis is None else index_tuple(axis)
    return _low.squeeze(a, axes)


def expand_dims(a, axis):
    return _low.expand_dims(core.arraylike("expand_dims", a), index_tuple(axis))


def flip(m, axis=None):
    return _flip(core.arraylike("flip", m), static_axes(axis))


@core.jit(static_argnames=("axis",))
def _flip(m, axis=None):
    axes = range(m.ndim) if axis is None else [core.canonical_axis(i, m.ndim) for i in index_tuple(axis)]
    return p.rev(m, dimensions=tuple(axes))


def fliplr(m):
    return _flip(core.arraylike("fliplr", m), 1)


def flipud(m):
    return _flip(core.arraylike("flipud", m), 0)


@core.jit(static_argnames=("k", "axes"))
def rot90(m, k=1, axes=(0, 1)):
    m = core.arraylike("rot90", m)
    if m.ndim < 2:
        raise ValueError("rot90 requires its first argument to have ndim at least two, but got first argument of"
                         f" shape {m.shape}, which has ndim {m.ndim}")
    first, second = (core.canonical_axis(axis, m.ndim) for axis in axes)
    if first == second:
        raise ValueError("Axes must be different")
    k = k % 4
    if k == 0:
        return m
    if k == 2:
        return flip(flip(m, first), second)
    order = list(range(m.ndim))
    order[first], order[second] = second, first
    return transpose(flip(m, second), order) if k == 1 else flip(transpose(m, order), second)


def roll(a, shift, axis=None):
    a = core.arraylike("roll", a)
    if axis is None:
        return reshape_array(roll(ravel(a), shift, 0), a.shape)
    if core.is_tracer(axis):
        core.concrete(axis)
    axes = tuple(core.canonical_axis(i, a.ndim) for i in index_tuple(axis))
    try:
        shift = index_tuple(shift)
    except TypeError:
        from ._creation import asarray
        return _roll_dynamic(a, asarray(shift), axes)
    return _roll_static(a, shift, axes)


def _paired(axes, shifts):
    """Axes and shifts, one of them repeated when it is single."""
    if len(axes) != len(shifts) and 1 not in (len(axes), len(shifts)):
        raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape "
                         f"({len(axes)},) and arg 1 with shape ({len(shifts)},).")
    count = len(shifts) if len(axes) == 1 else len(axes)
    return zip(axes * count if len(axes) == 1 else axes, shifts * count if len(shifts) == 1 else shifts)


@core.jit(static_argnums=(1, 2))
def _roll_static(a, shift, axis):
    for one, by in _paired(axis, shift):
        size = a.shape[one]
        if size:
            cut = -by % size
            a = _low.concatenate([_low.slice_in_dim(a, cut, size, axis=one), _low.slice_in_dim(a, 0, cut, axis=one)], one)
    return a


@core.jit(static_argnums=(2,))
def _roll_dynamic(a, shift, axis):
    from .._indexing import dynamic_slice
    from ._elementwise import remainder
    shape = core.broadcast_shapes(shift.shape, (len(axis),))
    if len(shape) != 1:
        raise ValueError("'shift' and 'axis' arguments to roll must be scalars or 1D arrays")
    int32 = core.canonical_dtype("int32")
    shifts = list(_low.broadcast_to(shift, shape))
    for by, one in zip(shifts, axis * shape[0] if len(axis) == 1 else axis):
        size = core.constant(a.shape[one], int32)
        by = remainder(core.convert(by, int32), p.max(size, core.constant(1, int32)))
        twice = p.concatenate(a, a, dimension=one)
        starts = [core.constant(0, int32)] * a.ndim
        starts[one] = p.sub(size, by)
        a = dynamic_slice(twice, starts, a.shape)
    return a


def broadcast_to(array, shape, *, out_sharding=None):
    array = core.arraylike("broadcast_to", array)
    if not isinstance(shape, tuple) and core.ndim(shape) == 0:
        shape = (shape,)
    return _low.broadcast_to(array, core.canonical_shape(shape))


def broadcast_arrays(*args):
    core.check_arraylike("broadcast_arrays", *args)
    return _low.broadcast_arrays(*args) if args else []


def broadcast_shapes(*shapes):
    if not shapes:
        return ()
    shapes = [s if core.ndim(s) or isinstance(s, (tuple, list)) else (s,) for s in shapes]
    for one in shapes:
        check_sizes(one)
    shapes = [tuple(s) for s in shapes]
    return shapes[0] if len(shapes) == 1 else core.broadcast_shapes(*shapes)


@core.jit(static_argnames=("new_shape",))
def resize(a, new_shape):
    core.check_arraylike("resize", a)
    shape = index_tuple(new_shape)
    if any(size < 0 for size in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    flat = ravel(a)
    size = math.prod(shape)
    if flat.size == 0 or size == 0:
        return core.full_like(flat, 0, shape=shape)
    flat = tile(flat, -(-size // flat.size))
    return reshape_array(_low.slice_in_dim(flat, 0, size) if flat.size != size else flat, shape)


def tile(A, reps):
    A = core.arraylike("tile", A)
    try:
        reps = tuple(iter(reps))
    except TypeError:
        reps = (reps,)
    if any(core.is_tracer(rep) for rep in reps):
        raise TypeError("As of JAX v0.7, parameters to jaxpr equations must have __hash__ and __eq__ methods. In a call to "
                        f"primitive tile, the value of parameter reps was not hashable: {(1,) * (A.ndim - len(reps)) + reps}")
    if any(isinstance(rep, float) for rep in reps):
        sizes = zip((1,) * (len(reps) - A.ndim) + A.shape, (1,) * (A.ndim - len(reps)) + reps)
        sizes = ", ".join(f"np.float64({float(size * rep)})" for size, rep in sizes)
        raise TypeError("Shapes must be 1D sequences of concrete values of integer type, got "
                        f"({sizes}{',' if len(reps) < 2 and A.ndim < 2 else ''}).")
    reps = tuple(operator.index(rep) for rep in reps)
    reps = (1,) * (A.ndim - len(reps)) + reps
    if len(reps) > A.ndim:
        A = _low.expand_dims(A, range(len(reps) - A.ndim))
    return p.tile(A, reps=reps)


def _atleast(name, arys, rank):
    core.check_arraylike(name, *arys)

    def one(x):
        x = core.asarray(x)
        missing = rank - x.ndim
        if missing <= 0:
            return x
        if rank == 3:
            return _low.expand_dims(x, {0: (0, 1, 2), 1: (0, 2), 2: (2,)}[x.ndim])
        return _low.expand_dims(x, range(missing))
    return one(arys[0]) if len(arys) == 1 else [one(x) for x in arys]


@core.jit
def atleast_1d(*arys):
    return _atleast("atleast_1d", arys, 1)


@core.jit
def atleast_2d(*arys):
    return _atleast("atleast_2d", arys, 2)


@core.jit
def atleast_3d(*arys):
    core.check_arraylike("atleast_3d", *arys)
    if len(arys) == 1:
        return _atleast("atleast_3d", arys, 3)
    return [atleast_3d(x) for x in arys]


def repeat(a, repeats, axis=None, *, total_repeat_length=None, out_sharding=None):
    if core.is_static_integer(repeats):
        core.check_arraylike("repeat", a)
    else:
        core.check_arraylike("repeat", a, repeats)
    a = core.asarray(a)
    if axis is None:
        a, axis = reshape_array(a, (-1,)) if a.ndim != 1 else a, 0
    axis = core.concrete_index(axis, "'axis' argument of jnp.repeat()")
    if total_repeat_length is None:
        repeats = core.concrete(
            repeats, "When jit-compiling jnp.repeat, the total number of repeats must be static. To fix this, either specify a "
            "static value for `repeats`, or pass a static value to `total_repeat_length`.")
        if core.ndim(repeats) == 0 and a.ndim != 0:
            if isinstance(repeats, float):
                kinds = ["<class 'int'>"] * a.ndim
                kinds.insert(core.canonical_axis(axis, a.ndim) + 1, "<class 'float'>")
                raise TypeError(f"broadcast_in_dim shape must have every element be an integer type, got ({', '.join(kinds)}).")
            return _repeat_each(a, core.concrete_index(repeats), core.canonical_axis(axis, a.ndim))
        counts = tuple(int(count) for count in core.concrete_numpy(repeats).ravel())
        if a.ndim:
            if len(counts) == 1:
                counts = counts * a.shape[axis]
            elif len(counts) != a.shape[axis]:
                raise ValueError("operands could not be broadcast together with remapped shapes [original->remapped]: "
                                 f"({len(counts)},)  and requested shape ({a.shape[axis]},)")
        total_repeat_length = sum(counts)
        repeats = core.numpy_ints(counts)
    else:
        repeats = ravel(repeats)
        if a.ndim:
            repeats = broadcast_to(repeats, [a.shape[axis]])
    if a.ndim == 0:
        if core.shape(repeats) == (1,):
            return core.full((total_repeat_length,), a)
        raise ValueError("`repeat` with a scalar parameter `a` is only implemented for scalar values of the parameter `repeats`.")
    if total_repeat_length == 0:
        from ._creation import array
        shape = list(a.shape)
        shape[axis] = 0
        return reshape_array(array([], dtype=a.dtype), shape)
    if a.shape[axis] == 0:
        return a
    return _repeat_by(a, repeats, axis, total_repeat_length)


def _repeat_each(a, count, axis):
    shape = a.shape
    if count < 0:
        wanted = shape[:axis + 1] + (count,) + shape[axis + 1:]
        raise TypeError(f"broadcast_in_dim shape must have every element be nonnegative, got {wanted}.")
    spread = p.broadcast_in_dim(a, shape=shape[:axis + 1] + (count,) + shape[axis + 1:],
                                broadcast_dimensions=tuple(i for i in range(len(shape) + 1) if i != axis + 1))
    return _low.reshape(spread, shape[:axis] + (shape[axis] * count,) + shape[axis + 1:])


def _repeat_by(a, repeats, axis, total):
    from .._indexing import at_update
    from ._index import take
    from ._nan_reductions import cumsum
    before = at_update(roll(repeats, shift=1), 0, 0, "scatter")
    starts = cumsum(before)
    marks = core.full((total,), 0, core.canonical_dtype("int32"))
    marks = at_update(marks, starts, 1, "scatter_add")
    return take(a, cumsum(marks) - 1, axis=axis)


def trim_zeros(filt, trim="fb", axis=None):
    filt = core.arraylike("trim_zeros", filt)
    core.concrete(filt, "Error arose in the `filt` argument of trim_zeros()")
    axes = set(_low.axis_tuple(axis, filt.ndim))
    front, back = "f" in trim.lower(), "b" in trim.lower()
    if not axes or not (front or back):
        return filt
    from .._indexing import index
    places = core.known_nonzero(filt)
    item = []
    for axis, size in enumerate(filt.shape):
        if axis not in axes:
            item.append(slice(None))
        elif places[axis].size == 0:
            item.append(slice(0, 0))
        else:
            item.append(slice(int(places[axis].min()) if front else None, int(places[axis].max()) + 1 if back else None))
    return index(filt, tuple(item))
