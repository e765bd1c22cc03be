"""What the buffers of a BCOO array have to be.

`data` has the shape `(*batch, nse, *dense)` and `indices` `(*batch, nse, n_sparse)`, where batch axes of either may have the size 1. Elements
whose index is out of bounds are not there.
"""
from typing import NamedTuple

from _jitlens import core

from ... import lax
from ... import numpy as jnp
from .util import SparseInfo, fits


class BCOOProperties(NamedTuple):
    n_batch: int
    n_sparse: int
    n_dense: int
    nse: int


def validate_indices(indices, shape):
    """How many axes of each kind indices of this shape have.

    Raises ValueError and AssertionError where they are none of an array of this shape.
    """
    assert jnp.issubdtype(indices.dtype, jnp.integer)
    shape = tuple(shape)
    nse, n_sparse = indices.shape[-2:]
    n_batch = len(indices.shape) - 2
    n_dense = len(shape) - n_batch - n_sparse
    assert n_dense >= 0
    if not fits(indices.shape[:n_batch], shape[:n_batch]):
        raise ValueError(f"indices batch dimensions not compatible for {indices.shape=}, {shape=}")
    return BCOOProperties(n_batch, n_sparse, n_dense, nse)


def validate(data, indices, shape):
    """The same of both buffers."""
    props = validate_indices(indices, shape)
    n_batch, n_sparse, n_dense, nse = props
    shape = tuple(shape)
    if not fits(data.shape[:n_batch], shape[:n_batch]):
        raise ValueError(f"data batch dimensions not compatible for {data.shape=}, {shape=}")
    if data.shape[n_batch:] != (nse,) + shape[n_batch + n_sparse:]:
        raise ValueError(f"Invalid {data.shape=} for {nse=}, {n_batch=}, {n_dense=}")
    return props


def validate_permutation(data, indices, permutation, shape):
    """The permutations of batch, sparse and dense axes, each counted from 0."""
    import numpy as np
    if not isinstance(permutation, (tuple, list, np.ndarray)):
        raise TypeError(f"transpose permutation must be a tuple/list/ndarray, got {type(permutation)}.")
    if tuple(sorted(permutation)) != tuple(range(len(shape))):
        raise TypeError("transpose permutation isn't a permutation of operand dimensions, "
                        f"got permutation {permutation} for shape {shape}.")
    n_batch, n_sparse, n_dense, _ = validate(data, indices, shape)
    batch = permutation[:n_batch]
    sparse = [p - n_batch for p in permutation[n_batch:n_batch + n_sparse]]
    dense = [p - n_sparse - n_batch for p in permutation[n_batch + n_sparse:]]
    if n_batch and tuple(sorted(batch)) != tuple(range(n_batch)):
        raise NotImplementedError("transpose permutation cannot permute batch axes with non-batch axes; "
                                  f"got permutation {permutation}, with {n_batch=}.")
    if n_dense and tuple(sorted(dense)) != tuple(range(n_dense)):
        raise NotImplementedError("transpose permutation cannot permute dense axes with non-dense axes; "
                                  f"got permutation {permutation}, with {n_dense=}.")
    return batch, sparse, dense


def batch_shape(data, indices, n_batch):
    return tuple(map(max, indices.shape[:n_batch], data.shape[:n_batch]))


def batch_dims_to_front(args, dims, spinfo, batch_size=None):
    """Data and indices with the mapped axis as first batch axis, and what is known of the whole."""
    data, indices = args
    n_batch = indices.ndim - 2 + (dims[1] is None)
    if not all([b is None or 0 <= b < n_batch for b in dims]):
        raise NotImplementedError(f"batch_dims must be None or satisfy 0 < dim < n_batch. Got batch_dims={tuple(dims)} for {n_batch=}.")
    if batch_size is None:
        batch_size = max([x.shape[dim] for x, dim in zip((data, indices), dims) if dim is not None])
    data, indices = [lax.expand_dims(x, [0]) if dim is None else jnp.moveaxis(x, dim, 0) for x, dim in zip((data, indices), dims)]
    return data, indices, SparseInfo((batch_size, *spinfo.shape), spinfo.indices_sorted, spinfo.unique_indices)


def sparse_fill(indices, shape, n_batch, n_sparse, axes=True):
    """The sparse part of a shape as an array: what indices out of bounds are."""
    fill = jnp.array(shape[n_batch:n_batch + n_sparse], dtype=indices.dtype)
    return jnp.expand_dims(fill, tuple(range(indices.ndim - 1))) if axes else fill


def tangent_zero(x):
    """The tangent of what does not move."""
    from ...interpreters import ad
    aval = core.typeof(x)
    return ad.Zero(core.ShapedArray(aval.shape, core.tangent_dtype(aval.dtype)))
