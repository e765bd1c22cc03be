import jax
import jax.numpy as jnp
import optax

from diffusion_transformer import DiT

model = DiT(patch_size=2, hidden_size=16, depth=2, num_heads=2, mlp_ratio=2.0, class_dropout_prob=0.1, num_classes=5)
key = jax.random.PRNGKey(0)
x, t, y = jax.random.normal(key, (3, 8, 8, 4)), jnp.linspace(0.1, 0.9, 3), jnp.array([0, 1, 2])
params = model.init({"params": key, "label_dropout": key}, x, t, y)["params"]
tx = optax.adamw(1e-3)
state = tx.init(params)


@jax.jit
def update(params, state, key):
    def loss_fn(params):
        noise_key, drop = jax.random.split(key)
        noise = jax.random.normal(noise_key, x.shape)
        mixed = x * t[:, None, None, None] + noise * (1 - t[:, None, None, None])
        v = model.apply({"params": params}, mixed, t, y, train=True, rngs={"label_dropout": drop})
        return jnp.mean((v - (x - noise)) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss


for step in range(2):
    params, state, loss = update(params, state, jax.random.fold_in(key, step))
    print(loss)


@jax.jit
def sample(params, noise):
    def step(z, t):
        v = model.apply({"params": params}, z, jnp.full((z.shape[0],), t), y)
        return z + 0.25 * v, jnp.mean(z)

    return jax.lax.scan(step, noise, jnp.arange(4) / 4)


print(sample(params, x)[0].shape)
