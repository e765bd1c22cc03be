"""Stand-in for the native modules of the interpreter, on top of real JAX under CPython.

`_jitlens.prims` binds primitives, `_jitlens.core` gives engine services. Inside jitlens both are written in Rust; here
they lean on JAX's internals, so that the Python prelude can be held against the functions it models.
"""
from . import core, prims

__all__ = ["core", "prims"]
