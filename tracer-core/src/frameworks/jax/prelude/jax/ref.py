"""`jax.ref`."""
from ._references import AbstractRef, Ref, addupdate, empty_ref, free_ref, freeze, get, new_ref, set, swap
