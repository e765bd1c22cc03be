import jax
import jax.numpy as jnp


def ensemble(key, n):
    keys = jax.random.split(key, n)
    return [jax.random.normal(k, (4, 2 + i % 2)) for i, k in enumerate(keys)]


def vote(weights, x):
    outputs = [
        jax.nn.softmax(x @ w)
        for w in weights
    ]
    return jnp.mean(
        jnp.stack(outputs),
        axis=0,
    )


weights = ensemble(jax.random.key(0), 3)
single = vote(weights[:1], jnp.ones((5, 4)))
mean = vote(weights, jnp.ones((5, 4)))
