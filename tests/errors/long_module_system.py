import jax
import jax.numpy as jnp


class Module:
    def parameters(self):
        return {k: v for k, v in vars(self).items() if isinstance(v, (jax.Array, Module))}

    def __call__(self, *args):
        return self.forward(*args)


class Linear(Module):
    def __init__(self, key, n_in, n_out):
        self.weight = jax.random.normal(key, (n_in, n_out))
        self.bias = jnp.zeros((n_out,))

    def forward(self, x):
        return jnp.dot(x, self.weight) + self.bias


class Sequential(Module):
    def __init__(self, *layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def build(key):
    k1, k2 = jax.random.split(key)
    return Sequential(Linear(k1, 4, 16), jax.nn.relu, Linear(k2, 8, 2))


@jax.jit
def run(x):
    model = build(jax.random.key(0))
    return model(x)


run(jnp.ones((3, 4)))
