"""The names of shardings that `jax` itself has."""
from _jitlens import core

from ._mesh import make_mesh, set_mesh
from ._partition import (NamedSharding, P, Shard, make_array_from_callback, make_array_from_process_local_data,
                         make_array_from_single_device_arrays, reshard)
from ._shard_map import shard_map, smap


class SimpleNamespace:
    """As Python's."""

    def __init__(self, **names):
        self.__dict__.update(names)


memory = SimpleNamespace(Space=core.MemorySpace)
