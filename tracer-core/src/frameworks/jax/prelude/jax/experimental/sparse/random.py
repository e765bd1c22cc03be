"""`jax.experimental.sparse.random`: random BCOO arrays."""
import math
import operator

from _jitlens import core

from ... import numpy as jnp
from ... import random
from ..._vmap import vmap
from .bcoo import BCOO
from .util import split


def random_bcoo(key, shape, *, dtype=jnp.float_, indices_dtype=None, nse=0.2, n_batch=0, n_dense=0, unique_indices=True, sorted_indices=False,
                generator=random.uniform, **kwds):
    shape = tuple([operator.index(size) for size in shape])
    n_batch, n_dense = operator.index(n_batch), operator.index(n_dense)
    if n_batch < 0 or n_dense < 0 or n_batch + n_dense > len(shape):
        raise ValueError(f"Invalid {n_batch=}, {n_dense=} for {shape=}")
    n_sparse = len(shape) - n_batch - n_dense
    batch, sparse, dense = split(shape, n_batch, n_sparse)
    sparse_size = math.prod(sparse)
    if not 0 <= nse < sparse_size:
        raise ValueError(f"got {nse=}, expected to be between 0 and {sparse_size}")
    if 0 < nse < 1:
        nse = int(math.ceil(nse * sparse_size))
    assert not isinstance(nse, float)
    nse = operator.index(nse)
    indices_dtype = core.default_int() if indices_dtype is None else indices_dtype
    if sparse_size > jnp.iinfo(indices_dtype).max:
        raise ValueError(f"{indices_dtype=} does not have enough range to generate "
                         f"sparse indices of size {sparse_size}.")

    def places(key):
        if not sparse:
            return jnp.zeros((nse, n_sparse), dtype=indices_dtype)
        flat = random.choice(key, sparse_size, shape=(nse,), replace=not unique_indices).astype(indices_dtype)
        return jnp.column_stack(jnp.unravel_index(flat, sparse))

    keys = random.split(key, math.prod(batch) + 1)
    # What is asked for without a word is no request for 64 bits.
    dtype = core.default_float() if dtype is jnp.float_ else dtype
    data = generator(keys[0], shape=batch + (nse,) + dense, dtype=dtype, **kwds)
    indices = vmap(places)(keys[1:]).reshape(batch + (nse, n_sparse))
    mat = BCOO((data, indices), shape=shape)
    return mat.sort_indices() if sorted_indices else mat
