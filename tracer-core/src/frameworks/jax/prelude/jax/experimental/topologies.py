"""`jax.experimental.topologies`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.topologies", """
    TopologyDescription get_attached_topology get_topology_desc make_mesh
    """)
