"""`jax.experimental.shard_alike`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.shard_alike", "shard_alike")
