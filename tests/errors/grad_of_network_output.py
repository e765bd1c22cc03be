import jax, jax.numpy as jnp
def net(p, xt):
    return jnp.tanh(xt @ p["w"]) @ p["v"]
u_x = jax.grad(net, argnums=1)
p = {"w": jnp.ones((2, 8)), "v": jnp.ones((8, 1))}
jax.vmap(u_x, (None, 0))(p, jnp.ones((5, 2)))
