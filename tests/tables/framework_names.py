"""The names that objects and modules of JAX and NumPy have, as the real ones have them.

    python tests/tables/framework_names.py            prints the table anew: run it with a Python that has JAX and NumPy
    python tests/tables/framework_names.py --check    fails where the table is another one

What is in the table and not in a model is unknown; what is in neither is no attribute.
"""

import importlib
import os
import sys
import warnings
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.export
import jax.numpy as jnp
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "tracer-core/src/frameworks/names.txt"

MESH = jax.make_mesh((1,), ("x",))
GRAPH = jax.make_jaxpr(lambda x: x + 1)(1.0)
JITTED = jax.jit(lambda x: x)
OBJECTS = [
    np.ones((2, 3)), np.float32(1), np.int64(1), np.bool_(True), np.complex64(1), np.dtype("f4"), np.finfo(np.float32),
    np.iinfo(np.int32), np.random.default_rng(0), np.random.RandomState(0), np.random.SeedSequence(0), np.poly1d([1, 2]),
    np.ones(2).flat, np.add, np.ones(2).flags, jnp.ones((2, 3)), jax.random.key(0), JITTED, JITTED.lower(1.0),
    JITTED.lower(1.0).compile(), JITTED.trace(1.0), GRAPH, GRAPH.jaxpr, GRAPH.jaxpr.eqns[0], GRAPH.jaxpr.invars[0],
    GRAPH.jaxpr.eqns[0].primitive, jax.ShapeDtypeStruct((2,), jnp.float32), jax.tree.structure([1]), jax.devices()[0], MESH,
    MESH.abstract_mesh, jax.sharding.SingleDeviceSharding(jax.devices()[0]), jax.sharding.PartitionSpec("x"),
    jax.sharding.NamedSharding(MESH, jax.sharding.PartitionSpec("x")), jnp.ones(3).at, jnp.ones(3).at[0],
    jax.new_ref(jnp.ones(2)), jax.custom_jvp(lambda x: x), jax.custom_vjp(lambda x: x), jax.config, jax.typeof(jnp.ones(2)),
    jax.vjp(lambda x: x, 1.0)[1], jax.export.export(JITTED)(1.0), jnp.finfo(jnp.float32), jnp.iinfo(jnp.int32),
    jax.tree_util.DictKey("a"), jax.tree_util.SequenceKey(0), jax.tree_util.GetAttrKey("a"), jax.tree_util.Partial(max, 1),
]
MODULES = """numpy numpy.fft numpy.linalg numpy.polynomial numpy.random numpy.testing jax jax.dtypes jax.experimental jax.extend jax.image
    jax.lax jax.lax.linalg jax.nn jax.nn.initializers jax.numpy jax.numpy.fft jax.numpy.linalg jax.ops jax.random jax.scipy jax.scipy.linalg
    jax.scipy.signal jax.scipy.special jax.scipy.stats jax.sharding jax.tree jax.tree_util jax.example_libraries.optimizers
    jax.example_libraries.stax""".split()
# What others ask for to tell kinds of arrays apart: the models say themselves whether it is there.
# `functools.wraps` copies the attributes of what is wrapped.
PROTOCOLS = {"__array_ufunc__", "__array_function__", "__array_struct__", "__array_interface__", "__array_wrap__", "__dict__"}
# What any module has. Beside that a row has the names that `from module import *` binds.
OF_MODULES = """__annotations__ __builtins__ __cached__ __dict__ __doc__ __file__ __loader__ __name__ __package__ __path__
    __spec__ __version__ __all__ __config__""".split()


# Classes that the models do not tell apart.
KEYS = {"numpy.finfo": "jax.finfo", "numpy.iinfo": "jax.iinfo", "numpy.Float32DType": "numpy.dtype", "jax.ArrayImpl": "jax.Array",
        "jax.PRNGKeyArray": "jax.Array", "numpy.flagsobj": "numpy.flags"}


def key(kind):
    """The package of a class, and its name."""
    package = kind.__module__.split(".")[0]
    name = f"{'numpy' if package == 'numpy' else 'jax'}.{kind.__qualname__}"
    return "numpy.generic" if issubclass(kind, np.generic) else KEYS.get(name, name)


def rows():
    found = {}
    for value in OBJECTS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            names = {name for name in dir(value) if not name.startswith("_") or name.startswith("__")}
            names = {name for name in names - PROTOCOLS if has(value, name)}
        found.setdefault(key(type(value)), set()).update(names)
    for path in MODULES:
        module = importlib.import_module(path)
        names = {name for name in OF_MODULES if hasattr(module, name)}
        public = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
        found[path] = names | set(public)
    return found


def has(value, name):
    try:
        return hasattr(value, name)
    except Exception:
        # It is there, and says no.
        return True


def table():
    return "".join(f"{owner}: {' '.join(sorted(names))}\n" for owner, names in sorted(rows().items()))


def main():
    if "--check" not in sys.argv:
        print(table(), end="")
        return 0
    ok = table() == TABLE.read_text()
    print(f"{TABLE.relative_to(ROOT)} is {'as JAX and NumPy have it' if ok else 'another one than JAX and NumPy give'}")
    return int(not ok)


if __name__ == "__main__":
    sys.exit(main())
