"""`jnp.pad`."""
from _jitlens import core, prims as p

from . import _low
from ._creation import asarray, full_like, linspace
from ._manipulate import flip, repeat, squeeze

_ALLOWED = {
    "empty": [], "edge": [], "wrap": [], "constant": ["constant_values"], "linear_ramp": ["end_values"], "maximum": ["stat_length"],
    "mean": ["stat_length"], "median": ["stat_length"], "minimum": ["stat_length"], "reflect": ["reflect_type"],
    "symmetric": ["reflect_type"],
}


def pad(array, pad_width, mode="constant", **kwargs):
    array = core.arraylike("pad", array)
    width = _pairs(pad_width, array.ndim, "pad_width")
    if not all(core.is_static_integer(low) and core.is_static_integer(high) for low, high in width):
        raise TypeError("`pad_width` must be of integral type.")
    if callable(mode):
        return _pad_by_function(array, width, mode, kwargs)
    if mode not in _ALLOWED:
        raise NotImplementedError(f"Unimplemented padding mode '{mode}' for np.pad.")
    unsupported = set(kwargs) - set(_ALLOWED[mode])
    if unsupported:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unsupported}")
    return _pad(array, width, mode, kwargs.get("constant_values", 0), kwargs.get("stat_length"), kwargs.get("end_values", 0),
                kwargs.get("reflect_type", "even"))


def _pairs(values, ndim, name):
    """(before, after) for each axis, from a scalar, a pair, or a pair for each axis."""
    if isinstance(values, dict):
        return ((values, values),)
    values = _known(values, name)
    try:
        shape = core.numpy_regular_shape(values)
    except ValueError:
        raise TypeError(f"`{name}` entries must be the same shape: {values}")
    if shape == (ndim, 2):
        return tuple((low, high) for low, high in values)
    if shape == (1, 2):
        return tuple((values[0][0], values[0][1]) for _ in range(ndim))
    if shape == (2,):
        return tuple((values[0], values[1]) for _ in range(ndim))
    if shape == (1,):
        return tuple((values[0], values[0]) for _ in range(ndim))
    if shape == ():
        return tuple((values, values) for _ in range(ndim))
    raise ValueError(f"jnp.pad: {name} with nd={ndim} has unsupported shape {shape}. "
                     f"Valid shapes are ({ndim}, 2), (1, 2), (2,), (1,), or ().")


def _known(values, name):
    """Nested tuples of numbers; NumPy and known arrays are unpacked."""
    if isinstance(values, (tuple, list)):
        return tuple(_known(value, name) for value in values)
    values = core.concrete(values, f"{name} argument of jnp.pad")
    if core.is_array(values) or core.is_numpy_array(values):
        listed = core.concrete_numpy(values).tolist()
        return _known(listed, name) if isinstance(listed, list) else listed
    return values


@core.jit(static_argnums=(1, 2, 4, 5, 6))
def _pad(array, pad_width, mode, constant_values, stat_length, end_values, reflect_type):
    array = asarray(array)
    ndim = array.ndim
    if ndim == 0:
        return array
    if any(low < 0 or high < 0 for low, high in pad_width):
        raise ValueError("index can't contain negative values")
    if mode == "constant":
        return _constant(array, pad_width, asarray(constant_values))
    if mode == "wrap":
        return _wrap(array, pad_width)
    if mode in ("symmetric", "reflect"):
        return _mirror(array, pad_width, mode, reflect_type)
    if mode == "edge":
        return _edge(array, pad_width)
    if mode == "linear_ramp":
        return _ramp(array, pad_width, _pairs(end_values, ndim, "end_values"))
    if mode == "empty":
        return _empty(array, pad_width)
    if stat_length is not None:
        stat_length = _pairs(stat_length, ndim, "stat_length")
    return _by_statistic(array, pad_width, stat_length, mode)


def _widths(array, pad_width):
    return tuple((low, high, 0) for low, high in pad_width)


def _constant(array, pad_width, values):
    values = core.convert(values, array.dtype, core.weak_type(array))
    if values.ndim == 0:
        return p.pad(array, values, padding_config=_widths(array, pad_width))
    if values.ndim == 1:
        if values.shape[-1] == 1:
            return p.pad(array, squeeze(values), padding_config=_widths(array, pad_width))
        if values.shape[-1] != 2:
            raise ValueError(f"jnp.pad: constant_values has unsupported shape {values.shape}. "
                             "If the shape is 1D or 2D, the last dimension must be of size 1 or 2.")
    ndim = array.ndim
    values = _low.broadcast_to(values, (ndim, 2))
    for axis, (low, high) in enumerate(pad_width):
        for side, amount in enumerate((low, high)):
            if amount:
                config = [(0, 0, 0)] * ndim
                config[axis] = (amount, 0, 0) if side == 0 else (0, amount, 0)
                array = p.pad(array, values[axis, side], padding_config=tuple(config))
    return array


def _nothing_to_pad_with(pair, mode):
    if pair[0] > 0 or pair[1] > 0:
        raise ValueError(f"Cannot apply '{mode}' padding to empty axis")


def _wrap(array, pad_width):
    for axis in range(array.ndim):
        size = array.shape[axis]
        if size == 0:
            _nothing_to_pad_with(pad_width[axis], "wrap")
            continue
        (before, first), (after, last) = divmod(pad_width[axis][0], size), divmod(pad_width[axis][1], size)
        parts = [_low.slice_in_dim(array, size - first, size, axis=axis)] if first else []
        parts += [array] * (before + after + 1)
        if last:
            parts.append(_low.slice_in_dim(array, 0, last, axis=axis))
        array = _low.concatenate(parts, axis)
    return array


def _mirror(array, pad_width, mode, reflect_type):
    for axis in range(array.ndim):
        if array.shape[axis] == 0:
            _nothing_to_pad_with(pad_width[axis], mode)
            continue
        if pad_width[axis] == (0, 0):
            continue
        size = array.shape[axis]
        array = _mirrored_side(array, axis, size, pad_width[axis][0], True, mode, reflect_type)
        array = _mirrored_side(array, axis, size, pad_width[axis][1], False, mode, reflect_type)
    return array


def _mirrored_side(array, axis, size, padding, before, mode, reflect_type):
    """Reflections are added until the padding is reached, each as long as what there was at first allows."""
    edge = _low.slice_in_dim(array, 0, 1, axis=axis) if before else _low.slice_in_dim(array, -1, None, axis=axis)
    offset = 1 if mode == "reflect" and size > 1 else 0
    while padding > 0:
        now = min(padding, size - offset)
        padding -= now
        if before:
            start, stop = offset, offset + now
        else:
            start, stop = -(now + offset), None if mode == "symmetric" or size == 1 else -1
        part = flip(_low.slice_in_dim(array, start, stop, axis=axis), axis=axis)
        if reflect_type == "odd":
            part = 2 * edge - part
            if size > 1:
                edge = _low.slice_in_dim(part, 0, 1, axis=axis) if before else _low.slice_in_dim(part, -1, None, axis=axis)
        array = p.concatenate(*((part, array) if before else (array, part)), dimension=axis)
    return array


def _edge(array, pad_width):
    for axis in range(array.ndim):
        size = array.shape[axis]
        if size == 0:
            _nothing_to_pad_with(pad_width[axis], "edge")
            continue
        before, after = pad_width[axis]
        first = repeat(_low.slice_in_dim(array, 0, 1, axis=axis), before, axis=axis)
        last = repeat(_low.slice_in_dim(array, size - 1, size, axis=axis), after, axis=axis)
        array = p.concatenate(first, array, last, dimension=axis)
    return array


def _ramp(array, pad_width, ends):
    weak = core.weak_type(array)
    for axis in range(array.ndim):
        edges = _low.slice_in_dim(array, 0, 1, axis=axis), _low.slice_in_dim(array, -1, None, axis=axis)
        ramps = []
        for edge, end, amount in zip(edges, ends[axis], pad_width[axis]):
            ramp = linspace(end, squeeze(edge, axis), amount, endpoint=False, dtype=array.dtype, axis=axis)
            ramps.append(core.convert(ramp, None, weak))
        array = p.concatenate(ramps[0], array, flip(ramps[1], axis), dimension=axis)
    return array


def _by_statistic(array, pad_width, stat_length, mode):
    from . import _reductions
    if mode == "median":
        from ._statistics import median as statistic
    else:
        statistic = {"maximum": _reductions.amax, "minimum": _reductions.amin, "mean": _reductions.mean}[mode]
    for axis in range(array.ndim):
        if stat_length is None:
            stats = [statistic(array, axis=axis, keepdims=True)] * 2
        else:
            size = array.shape[axis]
            before, after = stat_length[axis]
            if before == 0 or after == 0:
                raise ValueError("stat_length of 0 yields no value for padding")
            parts = (_low.slice_in_dim(array, 0, min(before, size), axis=axis),
                     _low.slice_in_dim(array, -min(after, size), None, axis=axis))
            stats = [statistic(part, axis=axis, keepdims=True) for part in parts]
        if array.dtype.kind in "iu":
            from ._rounding import round
            stats = [round(stat) for stat in stats]
        stats = [core.convert(stat, array.dtype, core.weak_type(array)) for stat in stats]
        sides = [repeat(stat, amount, axis=axis) for stat, amount in zip(stats, pad_width[axis])]
        array = p.concatenate(sides[0], array, sides[1], dimension=axis)
    return array


def _empty(array, pad_width):
    for axis in range(array.ndim):
        sides = [full_like(array, 0, shape=array.shape[:axis] + (amount,) + array.shape[axis + 1:]) for amount in pad_width[axis]]
        array = p.concatenate(sides[0], array, sides[1], dimension=axis)
    return array


def _pad_by_function(array, pad_width, function, kwargs):
    from ._vectorize import apply_along_axis
    padded = _constant(array, pad_width, asarray(0))
    for axis in range(padded.ndim):
        padded = apply_along_axis(function, axis, padded, pad_width[axis], axis, kwargs)
    return padded
