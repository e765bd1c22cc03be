import jax
import jax.numpy as jnp


def dense(params, x):
    return x @ params["w"] + params["b"]


def init_dense(key, m, n):
    return {"w": jax.random.normal(key, (m, n)) / m**0.5, "b": jnp.zeros(n)}


def init(key, pixels, hidden, latent):
    keys = jax.random.split(key, 4)
    return {
        "encoder": [init_dense(keys[0], pixels, hidden), init_dense(keys[1], hidden, latent)],
        "decoder": [init_dense(keys[2], latent, hidden), init_dense(keys[3], hidden, pixels)],
    }


def encode(params, x):
    h = jax.nn.relu(dense(params[0], x))
    mean, log_var = jnp.split(dense(params[1], h), 2, axis=-1)
    return mean, log_var


def decode(params, z):
    h = jax.nn.relu(dense(params[0], z))
    return dense(params[1], h)


def elbo(params, key, x):
    mean, log_var = encode(params["encoder"], x)
    z = mean + jnp.exp(0.5 * log_var) * jax.random.normal(key, mean.shape)
    logits = decode(params["decoder"], z)
    reconstruction = jnp.sum(x * jax.nn.log_sigmoid(logits), axis=-1)
    divergence = -0.5 * jnp.sum(1 + log_var - mean**2 - jnp.exp(log_var), axis=-1)
    return jnp.mean(reconstruction - divergence)


params = init(jax.random.key(0), 64, 32, 8)
images = jnp.ones((16, 64))
grads = jax.grad(elbo)(params, jax.random.key(1), images)
