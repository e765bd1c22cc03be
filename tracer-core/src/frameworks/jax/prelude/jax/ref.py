"""`jax.ref`."""
from ._references import AbstractRef, Ref, addupdate, empty_ref, free_ref, freeze, get, new_ref, set, swap

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()
