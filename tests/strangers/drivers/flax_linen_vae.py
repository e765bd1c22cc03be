import jax
import jax.numpy as jnp
import optax
from flax.training import train_state

import models
import train

latents = 4
key = jax.random.key(0)
images = jax.random.bernoulli(key, 0.3, (8, 784)).astype(jnp.float32)
params = models.model(latents).init(key, images, key)["params"]
state = train_state.TrainState.create(apply_fn=models.model(latents).apply, params=params, tx=optax.adam(1e-3))
step = jax.jit(train.train_step, static_argnums=3)
for i in range(3):
    state = step(state, images, jax.random.fold_in(key, i), latents)
z = jax.random.normal(key, (16, latents))
metrics, comparison, sample = train.eval_f(state.params, images, z, key, latents)
print(metrics["loss"], comparison.shape, sample.shape)
