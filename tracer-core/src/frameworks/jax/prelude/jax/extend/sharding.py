"""`jax.extend.sharding`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.extend.sharding", """
    GSPMDSharding get_hlo_sharding_from_serialized_proto get_op_sharding_from_serialized_proto
    get_serialized_proto_from_hlo_sharding
    """)
