"""`jax.experimental.random`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.random", "StatefulPRNG stateful_rng")
