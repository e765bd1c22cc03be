"""`jax.experimental.pallas`: a kernel's results have the shapes it declares; its body is not looked into."""
import math

from _jitlens import core

from ... import _removed

_UNMODELLED = frozenset("""
    ANY BlockDim Blocked BoundedSlice Buffered DeviceIdType Element HOST Indirect MemoryRef MemorySpace RevisitMode Slice Squeezed
    broadcast_to core_map debug_check debug_print delay empty empty_like empty_ref_like enable_debug_checks enable_poison_buffers
    estimate_cost get_global kernel loop lower_as_mlir multiple_of no_block_spec num_programs pallas_export_experimental program_id
    reciprocal run_scoped run_state select_ref semaphore semaphore_read semaphore_signal semaphore_wait squeezed when with_scoped
    """.split())


class _Fields:
    """A record of the arguments it is made with."""

    def __init__(self, *args, **kwargs):
        for name, value in zip(self.FIELDS, args):
            setattr(self, name, value)
        for name in self.FIELDS[len(args):]:
            setattr(self, name, kwargs.pop(name, None))
        for name, value in kwargs.items():
            setattr(self, name, value)


class BlockSpec(_Fields):
    FIELDS = ("block_shape", "index_map", "pipeline_mode", "memory_space")

    def replace(self, **changes):
        return BlockSpec(**{**{name: getattr(self, name) for name in self.FIELDS}, **changes})


class GridSpec(_Fields):
    FIELDS = ("grid", "in_specs", "out_specs", "scratch_shapes")


class CostEstimate(_Fields):
    FIELDS = ("flops", "transcendentals", "bytes_accessed", "remote_bytes_transferred")


class CompilerParams(_Fields):
    FIELDS = ()


def pallas_call(kernel, out_shape, *, grid_spec=None, grid=(), in_specs=None, out_specs=None, scratch_shapes=(), input_output_aliases={},
                debug=False, interpret=False, name=None, compiler_params=None, cost_estimate=None, metadata=None):
    def wrapped(*args):
        shapes, out_tree = core.tree_flatten(out_shape)
        leaves = core.tree_leaves(args)
        return out_tree.unflatten(core.opaque_call("pallas_call", leaves, [core.ShapedArray(s.shape, s.dtype) for s in shapes]))
    return wrapped


def cdiv(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return (a + b - 1) // b
    from ... import lax
    return lax.div(a + (b - 1), b)


def align_to(x, a):
    return cdiv(x, a) * a


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
