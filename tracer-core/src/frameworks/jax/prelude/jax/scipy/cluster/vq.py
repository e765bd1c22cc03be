"""`jax.scipy.cluster.vq`."""
from _jitlens import core

from ... import numpy as jnp


@core.jit(static_argnames=("check_finite",))
def vq(obs, code_book, check_finite=True):
    core.check_arraylike("scipy.cluster.vq.vq", obs, code_book)
    if core.ndim(obs) != core.ndim(code_book):
        raise ValueError("Observation and code_book should have the same rank")
    obs, code_book = core.promote_dtypes_inexact(jnp.asarray(obs), jnp.asarray(code_book))
    if obs.ndim == 1:
        obs, code_book = obs[..., None], code_book[..., None]
    if obs.ndim != 2:
        raise ValueError("ndim different than 1 or 2 are not supported")
    distances = jnp.linalg.norm(obs[:, None] - code_book[None], axis=-1)
    code = jnp.argmin(distances, axis=-1)
    return code, jnp.take_along_axis(distances, code[:, None], axis=-1)[:, 0]
