"""Functions that show an array in another way: views, where NumPy's are."""
from _jitlens import core

from ._arguments import axes_of, order as check_order


def shape(a):
    return core.shape(a if hasattr(a, "shape") else core.numpy_array(a))


def ndim(a):
    return core.ndim(a if hasattr(a, "shape") else core.numpy_array(a))


def size(a, axis=None):
    if not hasattr(a, "shape"):
        a = core.numpy_array(a)
    if axis is None:
        return core.size(a)
    axes = [_axis(one, core.ndim(a)) for one in ((axis,) if core.is_static_integer(axis) else axis)]
    if len(set(axes)) < len(axes):
        raise ValueError("repeated axis")
    total = 1
    for one in axes:
        total *= core.shape(a)[one]
    return total


def reshape(a, /, shape, order="C", *, copy=None):
    check_order(order)
    if shape is None:
        return core.numpy_array(a) if hasattr(a, "shape") and not core.is_numpy_scalar(a) else core.numpy_array(a)[()]
    return core.numpy_array(a).reshape(shape, order=order)


def ravel(a, order="C"):
    check_order(order)
    return core.numpy_array(a).ravel(order)


def transpose(a, axes=None):
    if axes is not None:
        a = core.numpy_array(a)
        if core.is_static_integer(axes):
            axes = (axes,)
        if core.is_numpy_array(axes) and axes.dtype.kind not in "iub" or isinstance(axes, (tuple, list)) and any([core.ndim(x) for x in axes]):
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        if len(axes) != a.ndim:
            raise ValueError("axes don't match array")
    return a if core.is_numpy_scalar(a) else core.numpy_array(a).transpose(axes)


def permute_dims(a, axes=None):
    return core.numpy_array(a).transpose(axes)


def matrix_transpose(x, /):
    if core.ndim(x) < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {core.ndim(x)}")
    return swapaxes(x, -1, -2)


def swapaxes(a, axis1, axis2):
    return core.numpy_array(a).swapaxes(axis1, axis2)


def squeeze(a, axis=None):
    if core.is_numpy_scalar(a) and axis in (None, (), 0, -1):
        return a
    a = core.numpy_array(a)
    if a.ndim == 0 and core.is_static_integer(axis) and core.index(axis) in (0, -1):
        return a
    return core.numpy_array(a).squeeze(axis)


def _axis(axis, ndim, prefix=""):
    axis = core.index(axis)
    if axis < -ndim or axis >= ndim:
        from numpy.exceptions import AxisError
        raise AxisError(axis, ndim, prefix)
    return axis + ndim if axis < 0 else axis


def moveaxis(a, source, destination):
    a = _kept(a)
    source, destination = axes_of(source, a.ndim, "source"), axes_of(destination, a.ndim, "destination")
    if len(source) != len(destination):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [n for n in range(a.ndim) if n not in source]
    for d, s in sorted(zip(destination, source)):
        order.insert(d, s)
    return a.transpose(order)


def rollaxis(a, axis, start=0):
    a.ndim
    a = _kept(a)
    axis = _axis(axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    if not 0 <= start <= a.ndim:
        from numpy.exceptions import AxisError
        raise AxisError(f"'start' arg requires -{a.ndim} <= start < {a.ndim + 1}, but {start} was passed in")
    start = core.index(start)
    order = [n for n in range(a.ndim) if n != axis]
    order.insert(start - 1 if axis < start else start, axis)
    return a.transpose(order)


def expand_dims(a, axis):
    a = core.numpy_array(a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    if not axes:
        return a
    ndim = a.ndim + len(axes)
    axes = axes_of(axes, ndim)
    return a[tuple(None if i in axes else slice(None) for i in range(ndim))]


def flip(m, axis=None):
    m = _kept(m)
    axes = range(m.ndim) if axis is None else axes_of(axis, m.ndim)
    return m[tuple(slice(None, None, -1) if i in axes else slice(None) for i in range(m.ndim))]


def flipud(m):
    if core.ndim(m) < 1:
        raise ValueError("Input must be >= 1-d.")
    return flip(core.numpy_array(m), 0)


def fliplr(m):
    m = core.numpy_array(m)
    if m.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(m, 1)


def rot90(m, k=1, axes=(0, 1)):
    m = core.numpy_array(m)
    if any([a >= m.ndim or a < -m.ndim for a in axes]):
        raise ValueError(f"Axes={tuple(axes)} out of range for array of ndim={m.ndim}.")
    first, second = [_axis(x, m.ndim) for x in axes]
    k %= 4
    if k == 0:
        return m[...]
    if k == 2:
        return flip(flip(m, first), second)
    if k == 1:
        return flip(m, second).swapaxes(first, second)
    return flip(m.swapaxes(first, second), second)


def _at_least(n):
    def function(*arys):
        made = []
        for a in arys:
            a = core.numpy_array(a)
            if a.ndim == 0:
                a = a.reshape((1,) * n)
            elif a.ndim < n:
                a = a[(None, slice(None), None)[:n] if a.ndim == 1 else (slice(None), slice(None), None)]
            made.append(a)
        return made[0] if len(made) == 1 else tuple(made)
    function.__name__ = f"atleast_{n}d"
    return function


atleast_1d, atleast_2d, atleast_3d = _at_least(1), _at_least(2), _at_least(3)


def broadcast_to(array, shape, subok=False):
    import jax.numpy as jnp
    array = core.numpy_array(array)
    wanted = (shape,) if core.is_static_integer(shape) else tuple(shape)
    known = all(type(s) is int for s in wanted + array.shape)
    if known:
        ahead = len(wanted) - array.ndim
        if ahead < 0:
            raise ValueError("input operand has more dimensions than allowed by the axis remapping")
        if any(a != 1 and a != w for a, w in zip(array.shape, wanted[ahead:])):
            tight = [str(s).replace(" ", "") for s in (array.shape, wanted)]
            raise ValueError("operands could not be broadcast together with remapped shapes [original->remapped]: "
                             f"{tight[0]}  and requested shape {tight[1]}")
    return core.numpy_maybe_view(core.numpy_call(jnp.broadcast_to, "broadcast_to", (array, wanted), {}), array)


def broadcast_shapes(*args):
    shapes = [(s,) if core.is_static_integer(s) else tuple([core.index(n) for n in s]) for s in args]
    ndim = max([len(s) for s in shapes] or [0])
    out = []
    for i in range(ndim):
        sizes = [s[i - ndim + len(s)] for s in shapes if i - ndim + len(s) >= 0]
        larger = [n for n in sizes if n != 1]
        if any(n != larger[0] for n in larger):
            raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape "
                             f"{shapes[0]} and arg 1 with shape {shapes[1] if len(shapes) > 1 else ()}.")
        out.append(larger[0] if larger else 1)
    return tuple(out)


def broadcast_arrays(*args, subok=False):
    args = [core.numpy_array(a) for a in args]
    shape = broadcast_shapes(*[a.shape for a in args])
    return tuple(broadcast_to(a, shape) for a in args)


def _kept(a):
    """An array: one of JAX's stays what it is, for what slices it asks it to slice itself."""
    return a if core.is_array(a) else core.numpy_array(a)


def array_split(ary, indices_or_sections, axis=0):
    if core.is_static_integer(ary) or isinstance(ary, bool):
        raise TypeError(f"object of type '{type(ary).__name__}' has no len()")
    shaped, ary = hasattr(ary, "shape"), _kept(ary)
    if ary.ndim == 0 or shaped and core.index(axis) not in range(-ary.ndim, ary.ndim):
        raise IndexError("tuple index out of range")
    axis = _axis(axis, ary.ndim)
    total = ary.shape[axis]
    if _is_count(indices_or_sections):
        sections = int(indices_or_sections)
        if sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, extras = divmod(total, sections)
        points = [0]
        for i in range(sections):
            points.append(points[-1] + each + (1 if i < extras else 0))
    else:
        points = [0] + [core.index(i) for i in indices_or_sections] + [total]
    before = (slice(None),) * axis
    return [ary[before + (slice(points[i], points[i + 1]),)] for i in range(len(points) - 1)]


def _is_count(sections):
    """Whether parts are counted: what has no length is a number, whatever its type."""
    return isinstance(sections, (int, float)) or core.is_static_integer(sections) or core.is_numpy_scalar(sections) or (
        core.is_array(sections) or core.is_numpy_array(sections)) and core.ndim(sections) == 0


def split(ary, indices_or_sections, axis=0):
    if _is_count(indices_or_sections):
        if core.is_static_integer(ary) or isinstance(ary, bool):
            return array_split(ary, 1)
        ary = _kept(ary)
        if ary.ndim == 0:
            raise IndexError("tuple index out of range")
        if ary.shape[_axis(axis, ary.ndim)] % indices_or_sections:
            raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def vsplit(ary, indices_or_sections):
    if core.ndim(ary) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


def hsplit(ary, indices_or_sections):
    if core.ndim(ary) == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 0 if core.ndim(ary) == 1 else 1)


def dsplit(ary, indices_or_sections):
    if core.ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


def unstack(x, /, *, axis=0):
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(moveaxis(x, axis, 0))


def diagonal(a, offset=0, axis1=0, axis2=1):
    import jax.numpy as jnp
    a = core.numpy_array(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    return core.numpy_maybe_view(core.numpy_call(jnp.diagonal, "diagonal", (a, offset, axis1, axis2), {}), a)


def real(val):
    return val.real if hasattr(val, "real") else core.numpy_array(val).real


def imag(val):
    return val.imag if hasattr(val, "imag") else core.numpy_array(val).imag


def resize(a, new_shape):
    import jax.numpy as jnp
    return core.numpy_call(jnp.resize, "resize", (core.numpy_array(a), new_shape), {})


def _check_work(max_work):
    if not (isinstance(max_work, int) or max_work is None):
        raise ValueError("max_work must be an integer")


def may_share_memory(a, b, /, max_work=0):
    _check_work(max_work)
    if core.is_array(a) and a is b:
        return core.size(a) > 0
    return core.numpy_shares(a, b)


def shares_memory(a, b, /, max_work=-1):
    _check_work(max_work)
    if core.is_array(a) and a is b:
        return core.size(a) > 0
    return core.numpy_shares(a, b)


def isfortran(a):
    if not core.is_numpy_array(a):
        a.flags
    return core.numpy_is_in_columns(a)
