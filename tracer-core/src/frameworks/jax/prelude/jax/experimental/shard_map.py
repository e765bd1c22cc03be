"""`jax.experimental.shard_map`: the old signature of `jax.shard_map`."""
from _jitlens import core


def _shard_map(f, mesh, in_specs, out_specs, check_rep=True):
    from .._shard_map import shard_map
    return shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_rep)


_shard_map.__name__ = _shard_map.__qualname__ = "shard_map"


def __getattr__(name):
    if name == "shard_map":
        core.warn("jax.experimental.shard_map is deprecated in v0.8.0. Used jax.shard_map instead.", DeprecationWarning, stacklevel=2)
        return _shard_map
    from .. import _removed
    raise AttributeError(_removed.missing("jax.experimental.shard_map", name))
