"""`jax.stages`: the classes of staged and compiled functions, for annotations and `isinstance`."""
from _jitlens import core

Wrapped, Traced, Lowered, Compiled, ArgInfo = [core.stage_class(name) for name in ("Wrapped", "Traced", "Lowered", "Compiled", "ArgInfo")]
CompilerOptions = dict
