"""Convolutions of one axis, of which an operand is sparse: all pairs of elements."""
from _jitlens import core

from ... import lax
from ... import numpy as jnp


def convolved(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers, feature_group_count, batch_group_count):
    from .util import types_of

    def dense(x, y):
        return lax.conv_general_dilated(x, y, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers, feature_group_count,
                                        batch_group_count)
    types_of(dense, core.ShapedArray(lhs.shape, lhs.dtype), core.ShapedArray(rhs.shape, rhs.dtype))
    ones = (1,) * (lhs.ndim - 2)
    if tuple(lhs_dilation or ones) != ones:
        raise NotImplementedError("bcoo convolution with lhs_dilation.")
    if tuple(rhs_dilation or ones) != ones:
        raise NotImplementedError("bcoo convolution with lhs_dilation.")
    if tuple(window_strides) != ones:
        raise NotImplementedError("bcoo convolution with non-unit window_strides.")
    if batch_group_count != feature_group_count != 1:
        raise NotImplementedError("bcoo convolution with non-unit group counts.")
    if lhs.shape[:2] != rhs.shape[:2] != (1, 1):
        raise NotImplementedError("bcoo convolution with leading dimensions other than (1, 1)")
    if isinstance(padding, str):
        padding = lax.padtype_to_pads(lhs.shape[2:], rhs.shape[2:], window_strides, padding)
    before, behind = [int(size) for size in padding[0]]
    dtype = getattr(lhs, "indices", getattr(rhs, "indices", None))
    dtype = "int32" if dtype is None else dtype.dtype
    return _convolved(_one_axis(lhs, dtype), _one_axis(rhs, dtype), before, behind)


def _one_axis(mat, index_dtype):
    """Elements and places of the one axis, and its size."""
    from .bcoo import BCOO
    if isinstance(mat, BCOO):
        mat = mat.update_layout(n_batch=2, n_dense=0)
        data, indices = lax.squeeze(mat.data, (0, 1)), lax.squeeze(mat.indices, (0, 1))
        return jnp.where(lax.squeeze(indices, (1,)) < mat.shape[-1], data, 0), indices, mat.shape[-1]
    if not core.is_arraylike(mat):
        raise TypeError(f"bcoo_conv_general_dilated: input of type {type(mat)} not recognized.")
    data = lax.squeeze(jnp.asarray(mat), (0, 1))
    return data, lax.broadcasted_iota(index_dtype, (len(data), 1), 0), mat.shape[-1]


def _convolved(lhs, rhs, before, behind):
    from .bcoo import BCOO
    data = (lhs[0][:, None] * rhs[0][None, :]).ravel()
    indices = (lhs[1][:, None] + (before - rhs[1])[None, :]).ravel()
    outside = indices < 0
    indices, data = jnp.where(outside, 0, indices), jnp.where(outside, 0, data)
    size = max(0, lhs[2] + before + behind - rhs[2] + 1)
    return BCOO((lax.expand_dims(data, (0, 1)), lax.expand_dims(indices, (0, 1, 3))), shape=(1, 1, size))
