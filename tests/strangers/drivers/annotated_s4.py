from functools import partial

import jax
import jax.numpy as jnp
import optax

from s4 import s4

key = jax.random.PRNGKey(0)
model = s4.BatchStackedModel(
    layer_cls=s4.S4Layer, layer=dict(N=4, l_max=16), d_output=8, d_model=6, n_layers=2, dropout=0.1, training=True)
inputs = jax.random.uniform(key, (3, 16, 1)) * 255
labels = jax.random.randint(key, (3, 16), 0, 8)
params = model.init({"params": key, "dropout": key}, inputs)["params"]
tx = optax.adam(1e-3)
state = tx.init(params)


def loss_fn(params, key):
    log_probs = model.apply({"params": params}, inputs, rngs={"dropout": key})
    return -jnp.mean(jnp.take_along_axis(log_probs, labels[..., None], axis=-1))


@jax.jit
def step(params, state, key):
    loss, grads = jax.value_and_grad(loss_fn)(params, key)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state, loss


for i in range(2):
    params, state, loss = step(params, state, jax.random.fold_in(key, i))
print(loss)

ssm = s4.random_SSM(key, 4)
u = jnp.arange(16.0)
rec = s4.run_SSM(*ssm, u)
discrete = s4.discretize(*ssm, step=1.0 / 16)
conv = s4.causal_convolution(u, s4.K_conv(*discrete, 16))
print(rec.shape, jnp.max(jnp.abs(rec.ravel() - conv.ravel())))
Lambda, P, B, V = s4.make_DPLR_HiPPO(4)
kernel = jax.jit(partial(s4.kernel_DPLR, L=16))(Lambda, P, P, B, jnp.ones(4, jnp.complex64), 1.0 / 16)
print(kernel.shape)
