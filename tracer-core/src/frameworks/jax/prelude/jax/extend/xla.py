"""`jax.extend.xla`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.extend.xla", """
    PipelineStage clear_hlo_module_transformation register_hlo_module_transformation
    """)
