"""`jax.stages`: the classes of staged and compiled functions, for annotations and `isinstance`."""
from _jitlens import core

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()

Wrapped, Traced, Lowered, Compiled, ArgInfo = [core.stage_class(name) for name in ("Wrapped", "Traced", "Lowered", "Compiled", "ArgInfo")]
CompilerOptions = dict
