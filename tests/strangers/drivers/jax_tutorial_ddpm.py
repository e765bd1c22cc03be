import jax
import jax.numpy as jnp
import optax
from flax import linen as nn

from ddpm.diffusion import Diffusion


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, t):
        h = nn.Conv(8, (3, 3))(x) + nn.Dense(8)(t[:, None].astype(jnp.float32))[:, None, None, :]
        return nn.Conv(x.shape[-1], (3, 3))(nn.silu(h))


diffusion = Diffusion.create(diffusion_steps=8)
key = jax.random.key(0)
images = jax.random.normal(key, (4, 8, 8, 1))
net = Net()
params = net.init(key, images, jnp.zeros(4, jnp.int32))
tx = optax.adam(1e-3)
state = tx.init(params)


@jax.jit
def step(params, state, key):
    loss, grads = jax.value_and_grad(lambda p: diffusion.calc_loss(key, images, lambda x, t: net.apply(p, x, t)))(params)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state, loss


for i in range(3):
    params, state, loss = step(params, state, jax.random.fold_in(key, i))
    print(loss)
model = lambda x, t: net.apply(params, x, t)
_, sample = diffusion.reverse_diffusion(key, model, (2, 8, 8, 1))
last, between = diffusion.reverse_diffusion_with_intermediate(key, model, (2, 8, 8, 1), num_intermediate=4)
print(sample.shape, last.shape, between.shape, diffusion.forward_diffusion(images, 3, images).shape)
