"""`jax.extend.mlir`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.extend.mlir", """
    deserialize_portable_artifact hlo_to_stablehlo lower_with_sharding_in_types refine_polymorphic_shapes
    serialize_portable_artifact
    """)
