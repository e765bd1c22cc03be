import jax
import jax.numpy as jnp


class Linear:
    def __init__(self, key, n_in, n_out):
        self.weight = jax.random.normal(key, (n_in, n_out))
        self.bias = jnp.zeros(n_out)

    def __call__(self, x):
        return x @ self.weight + self.bias


class MLP:
    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.first = Linear(k1, 4, 8)
        self.second = Linear(k2, 8, 2)

    def __call__(self, x):
        return self.second(jax.nn.relu(self.frist(x)))


model = MLP(jax.random.key(0))
jax.vmap(model)(jnp.ones((5, 4)))
