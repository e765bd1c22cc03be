import jax
import jax.numpy as jnp

from models.cnn import cnn_forward, init_cnn_params
from models.mlp import init_mlp_params, mlp_forward

key = jax.random.PRNGKey(0)
images, labels = jax.random.uniform(key, (4, 1, 28, 28)), jax.nn.one_hot(jnp.arange(4), 10)


def train(forward, params, inputs):
    @jax.jit
    def update(params):
        loss = lambda params: -jnp.mean(jnp.sum(labels * jax.nn.log_softmax(forward(params, inputs)), axis=1))
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), value

    for _ in range(2):
        params, value = update(params)
    return value


print(train(cnn_forward, init_cnn_params(key), images))
print(train(mlp_forward, init_mlp_params([784, 32, 10], key), images.reshape(4, -1)))
