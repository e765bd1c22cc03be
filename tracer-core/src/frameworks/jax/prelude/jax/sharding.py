"""`jax.sharding`: meshes, partition specs, shardings."""
from ._mesh import (AbstractDevice, AbstractMesh, AxisType, Mesh, get_abstract_mesh, get_mesh, set_mesh, use_abstract_mesh)
from ._partition import (NamedSharding, PartitionSpec, Sharding, SingleDeviceSharding, auto_axes, explicit_axes,
                         make_single_device_sharding, reshard)

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


class ManualAxisType:
    pass
