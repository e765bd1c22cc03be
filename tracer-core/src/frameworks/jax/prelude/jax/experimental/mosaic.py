"""`jax.experimental.mosaic`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.mosaic", """
    Tiling TpuMemorySpace TpuSideEffectType as_tpu_kernel lower_module_to_custom_call lowered_as_tpu_kernel
    """)
