import jax.numpy as jnp
import optax

def schedule(total):
    warm = optax.linear_schedule(0.0, 1e-3, total // 10)
    decay = optax.cosine_decay_schedule(1e-3, total - total)
    return optax.join_schedules([warm, decay], [total // 10])

schedule(100)
