"""`jax.typing`: names for annotations."""
from _jitlens import core

ArrayLike = core.ArrayLike
DTypeLike = core.DTypeLike
