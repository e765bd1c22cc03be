import jax
import numpy as np

from jax.sharding import Mesh, PartitionSpec as P, NamedSharding
Mesh(np.array(jax.devices()).reshape(1, 1), ("x",))
