import jax
from jax.experimental import optimizers

init, update, get = optimizers.adam(1e-3)
