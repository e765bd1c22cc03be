import jax

key = jax.random.fold_in(jax.random.key(0), "dropout")
