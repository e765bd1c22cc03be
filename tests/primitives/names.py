"""Prints the names of the primitives that JAX has code for on CPU: `python tests/primitives/names.py > tests/primitives/names.txt`."""
import pkgutil

import jax
import jax._src.lax as lax
from jax._src.interpreters import mlir

for module in pkgutil.iter_modules(lax.__path__):
    try:
        __import__(f"jax._src.lax.{module.name}")
    except ImportError:
        pass
jax.jit(lambda x: jax.random.normal(jax.random.key(0)) + x)(1.0)
known = {p.name for p in mlir._lowerings} | {p.name for p in mlir._platform_specific_lowerings["cpu"]}
print("\n".join(sorted(known)))
