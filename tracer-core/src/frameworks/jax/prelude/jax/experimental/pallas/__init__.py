"""`jax.experimental.pallas`: kernels, as they are interpreted."""
import math

from _jitlens import core

from ... import _removed
from ._specs import ANY, HOST, Blocked, BlockSpec, BoundedSlice, Element, GridSpec, MemoryRef, MemorySpace, Squeezed, no_block_spec, squeezed
from ._call import pallas_call
from ._kernel import (broadcast_to, debug_check, debug_print, delay, empty, empty_like, loop, multiple_of, num_programs, program_id,
                      reciprocal, run_scoped, run_state, when, with_scoped)

_UNMODELLED = frozenset("""
    BlockDim Buffered DeviceIdType Indirect RevisitMode Slice core_map empty_ref_like enable_debug_checks enable_poison_buffers
    get_global kernel lower_as_mlir pallas_export_experimental select_ref semaphore semaphore_read semaphore_signal
    semaphore_wait
    """.split())


class CostEstimate:
    def __init__(self, flops, transcendentals, bytes_accessed, remote_bytes_transferred=0):
        self.flops, self.transcendentals = flops, transcendentals
        self.bytes_accessed, self.remote_bytes_transferred = bytes_accessed, remote_bytes_transferred


class CompilerParams:
    def __init__(self, **options):
        for name, value in options.items():
            setattr(self, name, value)


def estimate_cost(fun, *args, **kwargs):
    import functools

    from ..._staging import make_jaxpr
    make_jaxpr(functools.partial(fun, **kwargs))(*args)
    return CostEstimate(*[core.unmodelled("what a function costs") for _ in range(3)])


def cdiv(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return (a + b - 1) // b
    from ... import lax
    return lax.div(a + (b - 1), b)


def align_to(a, alignment):
    return cdiv(a, alignment) * alignment


def next_power_of_2(x):
    if x < 0:
        raise ValueError("`next_power_of_2` requires a non-negative integer.")
    return 1 if x == 0 else 1 << (x - 1).bit_length()


def strides_from_shape(shape):
    return tuple([math.prod(shape[i + 1:]) for i in range(len(shape))])


def __getattr__(name):
    if name in ("ds", "dslice"):
        from ..._slices import ds
        return ds
    if name in _UNMODELLED:
        return core.unmodelled("jax.experimental.pallas." + name)
    raise AttributeError(_removed.missing("jax.experimental.pallas", name))
