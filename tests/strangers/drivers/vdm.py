import jax
import jax.numpy as jnp
import optax

from model_vdm import VDM, VDMConfig

config = VDMConfig(
    vocab_size=16, sample_softmax=False, antithetic_time_sampling=True, with_fourier_features=True, with_attention=False,
    gamma_type="learnable_nnet", gamma_min=-13.3, gamma_max=5.0, sm_n_timesteps=0, sm_n_embd=32, sm_n_layer=1, sm_pdrop=0.1)
model = VDM(config)
key = jax.random.PRNGKey(0)
images = jax.random.randint(key, (2, 8, 8, 3), 0, 16).astype(jnp.uint8)
conditioning = jnp.zeros((2,))
variables = model.init({"params": key, "sample": key, "dropout": key}, images=images.astype(jnp.float32), conditioning=conditioning)
params = variables["params"]


def loss_fn(params, key):
    first, second = jax.random.split(key)
    outputs = model.apply({"params": params}, images.astype(jnp.float32), conditioning, deterministic=False, rngs={"sample": first, "dropout": second})
    return jnp.mean(outputs.loss_recon + outputs.loss_klz + outputs.loss_diff)


tx = optax.adam(1e-3)
state = tx.init(params)


@jax.jit
def step(params, state, key):
    loss, grads = jax.value_and_grad(loss_fn)(params, key)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state, loss


params, state, loss = step(params, state, key)


@jax.jit
def sample(params, key):
    body = lambda i, z: model.apply({"params": params}, i, 4, z, conditioning, rng=key, method=model.sample)
    z = jax.lax.fori_loop(0, 4, body, jax.random.normal(key, (2, 8, 8, 3)))
    return model.apply({"params": params}, z, method=model.generate_x)


print(loss, sample(params, key).shape)
