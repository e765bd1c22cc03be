import optax

schedule = optax.exponential_decay(1e-3, decay_rate=0.9)
