"""`jax.typing`: names for annotations."""
from _jitlens import core

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()

ArrayLike = core.ArrayLike
DTypeLike = core.DTypeLike
