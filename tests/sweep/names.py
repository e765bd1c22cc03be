"""The public names that the sweep asks about."""
import importlib
import inspect
import pkgutil

SHORT = {"jax.numpy": "jnp", "numpy": "np", "jax.lax": "lax"}
MODULES = """jax jax.numpy jax.numpy.linalg jax.numpy.fft jax.lax jax.lax.linalg jax.nn jax.nn.initializers jax.random jax.scipy.special
jax.scipy.linalg jax.scipy.fft jax.scipy.signal jax.scipy.integrate jax.scipy.interpolate jax.scipy.cluster.vq jax.scipy.ndimage
jax.scipy.optimize jax.scipy.sparse.linalg jax.scipy.spatial.transform jax.scipy.stats jax.tree jax.tree_util jax.ops jax.image jax.dtypes
numpy numpy.linalg numpy.fft numpy.random""".split()
# Methods are asked of an instance, under the name of the expression that makes it.
CLASSES = {"jax.Array": "F34", "numpy.ndarray": "N34"}


def modules():
    stats = importlib.import_module("jax.scipy.stats")
    inner = [f"jax.scipy.stats.{info.name}" for info in pkgutil.iter_modules(importlib.import_module("jax._src.scipy.stats").__path__)
             if hasattr(stats, info.name) and inspect.ismodule(getattr(stats, info.name))]
    return MODULES + inner


def short(module):
    """How programs of the sweep write a module: `jnp` for `jax.numpy`."""
    for long, brief in SHORT.items():
        if module == long or module.startswith(long + "."):
            return brief + module[len(long):]
    return module


def public(module):
    """Names of a module that are no modules, as its `dir` has them; modules' names of JAX that warn are left out."""
    found = importlib.import_module(module)
    for name in sorted(dir(found)):
        if name.startswith("_"):
            continue
        value = getattr(found, name)
        if not inspect.ismodule(value):
            yield name, value
