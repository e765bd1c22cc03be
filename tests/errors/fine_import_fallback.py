try:
    from jax.experimental import maps
except ImportError:
    maps = None
try:
    from jax import linear_util
except ImportError:
    linear_util = None
import jax._src.core
import jax.experimental.sparse.bcsr
from jax.experimental import checkify, mesh_utils, multihost_utils, pallas
from jax.interpreters import ad, batching, mlir, partial_eval, pxla, xla

print(maps, linear_util)
