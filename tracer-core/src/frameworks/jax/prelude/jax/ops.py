"""`jax.ops`: reductions by segment."""
from _jitlens import core

from ._indexing import at_update
from .lax._reductions import highest, lowest

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def segment_sum(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False, bucket_size=None, mode=None,
                out_sharding=None):
    return _segment("segment_sum", "add", "sum", lambda dtype: 0, data, segment_ids, num_segments, indices_are_sorted, unique_indices,
                    bucket_size, mode)


def segment_prod(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False, bucket_size=None, mode=None,
                 out_sharding=None):
    return _segment("segment_prod", "mul", "prod", lambda dtype: 1, data, segment_ids, num_segments, indices_are_sorted, unique_indices,
                    bucket_size, mode)


def segment_max(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False, bucket_size=None, mode=None,
                out_sharding=None):
    return _segment("segment_max", "max", "max", _smallest, data, segment_ids, num_segments, indices_are_sorted, unique_indices,
                    bucket_size, mode)


def segment_min(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False, bucket_size=None, mode=None,
                out_sharding=None):
    return _segment("segment_min", "min", "min", _largest, data, segment_ids, num_segments, indices_are_sorted, unique_indices,
                    bucket_size, mode)


def _smallest(dtype):
    return float("-inf") if core.dtype_kind(dtype) in ("float", "complex") else lowest(dtype)


def _largest(dtype):
    return float("inf") if core.dtype_kind(dtype) in ("float", "complex") else highest(dtype)


def _segment(name, kind, reduction, identity, data, ids, count, indices_are_sorted, unique_indices, bucket_size, mode):
    from . import numpy as jnp
    core.check_arraylike(name, data, ids)
    data, ids = jnp.asarray(data), jnp.asarray(ids)
    if count is None:
        count = core.known_max(ids) + 1
    count = core.concrete_dim(count, "segment_sum() `num_segments` argument.")
    if count is not None and count < 0:
        raise ValueError("num_segments must be non-negative.")
    if bucket_size is None:
        out = jnp.full((count,) + data.shape[1:], identity(data.dtype), dtype=data.dtype)
        return at_update(out, ids, data, "scatter_" + kind, mode, indices_are_sorted, unique_indices, normalize=False)
    buckets = -(-ids.size // bucket_size)
    out = jnp.full((buckets, count) + data.shape[1:], identity(data.dtype), dtype=data.dtype)
    places = (jnp.arange(ids.shape[0]) // bucket_size, ids[None, :])
    out = at_update(out, places, data, "scatter_" + kind, mode, indices_are_sorted, unique_indices, normalize=False)
    return getattr(jnp, reduction)(out, axis=0).astype(data.dtype)
