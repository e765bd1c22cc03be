"""`jax.experimental.pallas.tpu`: memory, grids with scalars, copies, as they are interpreted."""
from _jitlens import core

from ... import _removed
from . import _specs
from ._kernel import load, store
from ._specs import MemorySpace

SMEM, VMEM, HBM, CMEM = MemorySpace("SMEM"), MemorySpace("VMEM"), MemorySpace("HBM"), MemorySpace("CMEM")
VMEM_SHARED, SEMAPHORE = MemorySpace("VMEM_SHARED"), MemorySpace("SEMAPHORE", "semaphore_mem")

_UNMODELLED = frozenset("""
    BufferType BufferedRef BufferedRefBase ChipVersion CoreType LoweringException SideEffectType Tiling TpuInfo async_remote_copy
    core core_barrier create_tensorcore_mesh einshape emit_pipeline emit_pipeline_with_allocations force_tpu_interpret_mode
    get_barrier_semaphore get_tpu_info get_tpu_info_for_chip is_tpu_device make_async_remote_copy matmul_acc_lhs matmul_pop
    matmul_push_rhs pack_elementwise prng_random_bits prng_seed reset_tpu_interpret_mode_state run_on_first_core sample_block
    set_tpu_interpret_mode stateful_bernoulli stateful_bits stateful_normal stateful_uniform stochastic_round to_pallas_key touch
    trace_value unpack_elementwise with_memory_space_constraint dma_semaphore
    """.split())


class GridDimensionSemantics:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"GridDimensionSemantics.{self.name}"


for _name in ("PARALLEL", "ARBITRARY", "CORE_PARALLEL", "SUBCORE_PARALLEL"):
    setattr(GridDimensionSemantics, _name, GridDimensionSemantics(_name))
PARALLEL, ARBITRARY = GridDimensionSemantics.PARALLEL, GridDimensionSemantics.ARBITRARY
CORE_PARALLEL, SUBCORE_PARALLEL = GridDimensionSemantics.CORE_PARALLEL, GridDimensionSemantics.SUBCORE_PARALLEL

for _space in (SMEM, VMEM, HBM, CMEM, VMEM_SHARED, SEMAPHORE, _specs.ANY, _specs.HOST):
    setattr(MemorySpace, _space.name, _space)


class CompilerParams:
    def __init__(self, dimension_semantics=None, allow_input_fusion=None, vmem_limit_bytes=None, **options):
        self.dimension_semantics, self.allow_input_fusion = dimension_semantics, allow_input_fusion
        self.vmem_limit_bytes = vmem_limit_bytes
        for name, value in options.items():
            setattr(self, name, value)


class InterpretParams:
    def __init__(self, **options):
        for name, value in options.items():
            setattr(self, name, value)


class PrefetchScalarGridSpec(_specs.GridSpec):
    FIELDS = ("num_scalar_prefetch", *_specs.GridSpec.FIELDS)


class Semaphores:
    """Semaphores of a kind: what they count is not followed."""

    def __init__(self, shape=()):
        self.shape = shape

    @property
    def at(self):
        return self

    def __getitem__(self, index):
        return self

    def __call__(self, shape):
        return Semaphores(shape)


class SemaphoreType:
    REGULAR = Semaphores()
    DMA = Semaphores()
    BARRIER = Semaphores()


class AsyncCopyDescriptor:
    """A copy between references: it is done when it is started."""

    def __init__(self, source, target):
        self._source, self._target = source, target

    def start(self, priority=0):
        self._target[...] = self._source[...]

    def wait(self):
        return None

    wait_send = wait_recv = wait


def make_async_copy(src_ref, dst_ref, sem):
    return AsyncCopyDescriptor(src_ref, dst_ref)


def async_copy(src_ref, dst_ref, sem, *, priority=0, add=False):
    copy = AsyncCopyDescriptor(src_ref, dst_ref)
    if add:
        dst_ref[...] += src_ref[...]
    else:
        copy.start()
    return copy


def sync_copy(src_ref, dst_ref, *, add=False):
    if add:
        dst_ref[...] += src_ref[...]
    else:
        dst_ref[...] = src_ref[...]


def roll(x, shift, axis, *, stride=None, stride_axis=None):
    if stride is not None:
        return core.unmodelled("a roll with strides")
    from ... import numpy as jnp
    return jnp.roll(x, shift, axis)


def bitcast(x, ty):
    return core.unmodelled("jax.experimental.pallas.tpu.bitcast")


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.experimental.pallas.tpu." + name)
    raise AttributeError(_removed.missing("jax.experimental.pallas.tpu", name))
