import optax

optimizer = optax.adam(lr=1e-3)
