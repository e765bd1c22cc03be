import jax
from jax.experimental import no_such_module
