"""Loops, branches and solvers under their internal names."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src.lax.control_flow", "conditionals loops solves", "jax.lax")
