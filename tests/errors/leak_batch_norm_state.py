import jax, jax.numpy as jnp
def bn(x, state, train):
    if train:
        m = x.mean(0); state["mean"] = 0.9 * state["mean"] + 0.1 * m
    else:
        m = state["mean"]
    return x - m
state = {"mean": jnp.zeros(4)}
f = jax.jit(bn, static_argnames="train")
f(jnp.ones((2, 4)), state, train=True)
g = jax.jit(lambda x: bn(x, state, True))
g(jnp.ones((2, 4)))
print(state["mean"] * 2)
