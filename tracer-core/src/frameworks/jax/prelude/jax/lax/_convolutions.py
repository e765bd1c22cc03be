"""Convolutions: layouts, paddings and the transposed ones."""
from _jitlens import core, prims as p

from ._shapes import broadcast_in_dim, reshape
from ._windows import dilate, padtype_to_pads

ConvDimensionNumbers = core.conv_dimension_numbers


def conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation=None, rhs_dilation=None, dimension_numbers=None,
                         feature_group_count=1, batch_group_count=1, precision=None, preferred_element_type=None, out_sharding=None):
    numbers = conv_dimension_numbers(lhs.shape, rhs.shape, dimension_numbers)
    if lhs_dilation is None:
        lhs_dilation = (1,) * (lhs.ndim - 2)
    elif isinstance(padding, str) and any([d != 1 for d in lhs_dilation]):
        raise ValueError("String padding is not implemented for transposed convolution using this op. Please either exactly specify the "
                         "required padding or use conv_transpose.")
    if rhs_dilation is None:
        rhs_dilation = (1,) * (rhs.ndim - 2)
    if isinstance(padding, str):
        lhs_perm, rhs_perm, _ = numbers
        window = [dilate(rhs.shape[i], d) for i, d in zip(rhs_perm[2:], rhs_dilation)]
        padding = padtype_to_pads([lhs.shape[i] for i in lhs_perm[2:]], window, window_strides, padding)
    else:
        try:
            padding = [(core.index(lo), core.index(hi)) for lo, hi in padding]
        except (ValueError, TypeError) as error:
            raise ValueError("padding argument to conv_general_dilated should be a string or a sequence of (low, high) pairs, got "
                             f"{padding}") from error
    if preferred_element_type is not None:
        preferred_element_type = core.user_dtype(preferred_element_type, "conv_general_dilated")
    return p.conv_general_dilated(
        lhs, rhs, window_strides=tuple(window_strides), padding=tuple(padding), lhs_dilation=tuple(lhs_dilation),
        rhs_dilation=tuple(rhs_dilation), dimension_numbers=numbers, feature_group_count=feature_group_count,
        batch_group_count=batch_group_count, precision=core.precision(precision), preferred_element_type=preferred_element_type)


def conv(lhs, rhs, window_strides, padding, precision=None, preferred_element_type=None):
    return conv_general_dilated(lhs, rhs, window_strides, padding, precision=precision, preferred_element_type=preferred_element_type)


def conv_with_general_padding(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, precision=None,
                              preferred_element_type=None):
    return conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation=lhs_dilation, rhs_dilation=rhs_dilation,
                                precision=precision, preferred_element_type=preferred_element_type)


# ----------------------------------------------------------------------------------------------------------- layouts

def conv_dimension_numbers(lhs_shape, rhs_shape, dimension_numbers):
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    ndim = len(lhs_shape)
    if ndim != len(rhs_shape):
        raise TypeError(f"convolution requires lhs and rhs ndim to be equal, got {ndim} and {len(rhs_shape)}.")
    if dimension_numbers is None:
        same = tuple(range(ndim))
        return ConvDimensionNumbers(same, same, same)
    if not isinstance(dimension_numbers, (list, tuple)):
        raise TypeError(f"convolution dimension_numbers must be tuple/list or None, got {type(dimension_numbers)}.")
    if len(dimension_numbers) != 3:
        raise TypeError(f"convolution dimension_numbers list/tuple must be length 3, got {len(dimension_numbers)}.")
    if not all([isinstance(spec, str) for spec in dimension_numbers]):
        raise TypeError(f"convolution dimension_numbers elements must be strings, got {tuple([type(s) for s in dimension_numbers])}.")
    for i, spec in enumerate(dimension_numbers):
        if len(spec) != ndim:
            raise TypeError(f"convolution dimension_numbers[{i}] must have len equal to the ndim of lhs and rhs, got {len(spec)} for lhs and "
                            f"rhs shapes {lhs_shape} and {rhs_shape}.")
    layouts = tuple(dimension_numbers)
    if layouts not in _known_numbers:
        _known_numbers[layouts] = ConvDimensionNumbers(*conv_general_permutations(layouts))
    return _known_numbers[layouts]


# The numbers that were worked out, by the layouts.
_known_numbers = {}


def conv_general_permutations(dimension_numbers):
    pairs = (("N", "C"), ("O", "I"), ("N", "C"))
    _lhs, _rhs, _out = dimension_numbers
    for i, (a, b) in enumerate(pairs):
        spec = dimension_numbers[i]
        if not spec.count(a) == spec.count(b) == 1:
            raise TypeError(f"convolution dimension_numbers[{i}] must contain the characters '{a}' and '{b}' exactly once, got {spec}.")
        if len(spec) != len(set(spec)):
            raise TypeError(f"convolution dimension_numbers[{i}] cannot have duplicate characters, got {spec}.")
    spatial = [set(spec) - set(pair) for spec, pair in zip(dimension_numbers, pairs)]
    if not spatial[0] == spatial[1] == spatial[2]:
        raise TypeError(f"convolution dimension_numbers elements must each have the same set of spatial characters, got {dimension_numbers}.")
    order = [c for c in dimension_numbers[1] if c not in "OI"]
    return tuple([(spec.index(a), spec.index(b), *[spec.index(c) for c in order])
                  for spec, (a, b) in zip(dimension_numbers, pairs)])


# -------------------------------------------------------------------------------------------------------- transposed

_TRANSPOSE_LAYOUTS = {2: ("NC", "IO", "NC"), 3: ("NHC", "HIO", "NHC"), 4: ("NHWC", "HWIO", "NHWC"), 5: ("NHWDC", "HWDIO", "NHWDC")}


def conv_transpose(lhs, rhs, strides, padding, rhs_dilation=None, dimension_numbers=None, transpose_kernel=False, precision=None,
                   preferred_element_type=None, use_consistent_padding=False):
    ndim = len(lhs.shape)
    assert ndim == len(rhs.shape) and ndim >= 2
    if dimension_numbers is None:
        if ndim not in _TRANSPOSE_LAYOUTS:
            raise ValueError("No 4+ dimensional dimension_number defaults.")
        dimension_numbers = _TRANSPOSE_LAYOUTS[ndim]
    numbers = conv_dimension_numbers(lhs.shape, rhs.shape, dimension_numbers)
    rhs_spec = numbers[1]
    if rhs_dilation is None:
        rhs_dilation = (1,) * (ndim - 2)
    if use_consistent_padding or isinstance(padding, str) and padding in ("SAME", "VALID"):
        sizes = [dilate(rhs.shape[i], d) for i, d in zip(rhs_spec[2:], rhs_dilation)]
        each = [padding] * len(strides) if isinstance(padding, str) else padding
        padding = tuple([_transpose_padding(k, s, pad) for k, s, pad in zip(sizes, strides, each)])
    if transpose_kernel:
        for axis in rhs_spec[2:]:
            rhs = p.rev(rhs, dimensions=(axis,))
        rhs = rhs.swapaxes(rhs_spec[0], rhs_spec[1])
    return conv_general_dilated(lhs, rhs, (1,) * (ndim - 2), padding, strides, rhs_dilation, numbers, precision=precision,
                                preferred_element_type=preferred_element_type)


def _transpose_padding(k, s, padding):
    """The padding around the dilated input of a transposed convolution with kernel size `k` and stride `s`."""
    if padding == "SAME":
        total = k + s - 2
        before = k - 1 if s > k - 1 else -(-total // 2)
    elif padding == "VALID":
        total = k + s - 2 + max(k - s, 0)
        before = k - 1
    elif isinstance(padding, tuple):
        pads = [k - pad - 1 for pad in padding]
        before, total = pads[0], sum(pads)
    else:
        raise ValueError(f"Invalid padding mode: {padding}")
    return before, total - before


# ------------------------------------------------------------------------------------------------------------ shapes

def conv_shape_tuple(lhs_shape, rhs_shape, strides, pads, batch_group_count=1):
    if isinstance(pads, str):
        pads = padtype_to_pads(lhs_shape[2:], rhs_shape[2:], strides, pads)
    if len(pads) != len(lhs_shape) - 2:
        raise TypeError(f"Wrong number of explicit pads for convolution: expected {len(lhs_shape) - 2}, got {len(pads)}.")
    padded = [n + lo + hi for n, (lo, hi) in zip(lhs_shape[2:], pads)]
    if any([n < 0 for n in padded]):
        raise ValueError("Negative padding is larger than the size of the corresponding dimension: got "
                         f"padding={pads} for lhs_shape[2:]={lhs_shape[2:]}")
    space = [0 if n < w else (n - w) // s + 1 for n, w, s in zip(padded, rhs_shape[2:], strides)]
    return (lhs_shape[0] // batch_group_count, rhs_shape[0], *_numpy_ints(space))


def conv_general_shape_tuple(lhs_shape, rhs_shape, window_strides, padding, dimension_numbers):
    lhs_perm, rhs_perm, out_perm = conv_general_permutations(dimension_numbers)
    out = conv_shape_tuple([lhs_shape[i] for i in lhs_perm], [rhs_shape[i] for i in rhs_perm], window_strides, padding)
    return _unpermute(out, out_perm)


def conv_transpose_shape_tuple(lhs_shape, rhs_shape, window_strides, padding, dimension_numbers):
    lhs_perm, rhs_perm, out_perm = conv_general_permutations(dimension_numbers)
    lhs, rhs = [lhs_shape[i] for i in lhs_perm], [rhs_shape[i] for i in rhs_perm]
    if isinstance(padding, str):
        padding = [_transpose_padding(k, s, padding) for k, s in zip(rhs[2:], window_strides)]
    space = [(i - 1) * s - k + 2 + sum(pad) for i, k, s, pad in zip(lhs[2:], rhs[2:], window_strides, padding)]
    return _unpermute((lhs[0], rhs[0], *space), out_perm)


def _unpermute(shape, perm):
    out = [None] * len(perm)
    for i, j in enumerate(perm):
        out[j] = shape[i]
    return _numpy_ints(out)


def _numpy_ints(shape):
    int64 = core.numpy_dtype("int64")
    return tuple(core.numpy_scalar(n, int64) for n in shape)


# ----------------------------------------------------------------------------------------------------------- patches

def conv_general_dilated_patches(lhs, filter_shape, window_strides, padding, lhs_dilation=None, rhs_dilation=None,
                                 dimension_numbers=None, precision=None, preferred_element_type=None):
    from .. import numpy as jnp
    lhs, filter_shape = core.asarray(lhs), tuple(filter_shape)
    numbers = conv_dimension_numbers(lhs.shape, (1, 1) + filter_shape, dimension_numbers)
    lhs_spec, rhs_spec, _ = numbers
    size, channels = core.product(filter_shape), lhs.shape[lhs_spec[1]]
    rhs = core.convert(core.eye(lhs.dtype, (size, size)), lhs.dtype)
    rhs = broadcast_in_dim(rhs, (channels, size, size), (1, 2))
    rhs = reshape(rhs, (channels * size, 1, *filter_shape))
    rhs = jnp.moveaxis(rhs, (0, 1), (rhs_spec[0], rhs_spec[1]))
    return conv_general_dilated(
        lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, numbers, feature_group_count=channels,
        precision=None if precision is None else (precision, core.Precision.DEFAULT), preferred_element_type=preferred_element_type)


def conv_general_dilated_local(lhs, rhs, window_strides, padding, filter_shape, lhs_dilation=None, rhs_dilation=None,
                               dimension_numbers=None, precision=None):
    from .. import numpy as jnp
    from ._contractions import dot_general
    lhs = core.asarray(lhs)
    given = core.precision(precision)
    if given is not None and not (isinstance(given, tuple) and len(given) == 2):
        raise ValueError(f"Unsupported precision for conv_general_dilated_local: {precision}")
    patches = conv_general_dilated_patches(lhs, filter_shape, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers,
                                           None if given is None else given[0])
    _, rhs_spec, out_spec = conv_dimension_numbers(lhs.shape, (1, 1) + tuple(filter_shape), dimension_numbers)
    lhs_batch, rhs_batch = list(out_spec[2:]), list(rhs_spec[2:])
    order = sorted(range(len(lhs_batch)), key=lambda k: lhs_batch[k])
    numbers = (([out_spec[1]], [rhs_spec[1]]), (sorted(lhs_batch), [rhs_batch[i] for i in order]))
    out = dot_general(patches, rhs, numbers, precision=precision)
    return jnp.moveaxis(out, (-2, -1), (out_spec[0], out_spec[1]))
