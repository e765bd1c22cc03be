"""`jax.experimental.pallas.triton`: loads and stores under a mask."""
from _jitlens import core

from ... import _removed
from ._kernel import load, store

_UNMODELLED = frozenset("""
    approx_tanh atomic_add atomic_and atomic_cas atomic_max atomic_min atomic_or atomic_xchg atomic_xor elementwise_inline_asm
    """.split())


class CompilerParams:
    def __init__(self, num_warps=None, num_stages=None):
        self.num_warps, self.num_stages = num_warps, num_stages


def max_contiguous(x, values):
    return x


def debug_barrier():
    return None


def dot(a, b, *, trans_a=False, trans_b=False, allow_tf32=None, precision=None):
    from ... import numpy as jnp
    return jnp.dot(a.T if trans_a else a, b.T if trans_b else b, preferred_element_type=jnp.float32)


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.experimental.pallas.triton." + name)
    raise AttributeError(_removed.missing("jax.experimental.pallas.triton", name))
