from functools import partial

import jax
import jax.numpy as jnp


class Env:
    def __init__(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=(0,))
    def reset(self, key, size=None):
        # fault: key @ jnp.ones((7, 3))
        return jax.random.normal(key, (3,)) * self.scale, key


class Wrapper:
    def __init__(self, env):
        self._env = env

    def __getattr__(self, name):
        return getattr(self._env, name)


def case(key):
    env = Wrapper(Env(0.5))
    shift = key.sum().astype(float)

    def run(keys):
        def again(state):
            moved, last = jax.vmap(env.reset, in_axes=(0, None))(keys, None)
            return state + moved * shift, last

        state, last = jax.checkpoint(again)(jnp.ones(3))
        return state + jax.lax.map(env.reset, last)[0]

    return jax.vmap(run)(jax.random.split(key, (2, 4)))


result = jax.jit(case)(jax.random.PRNGKey(3))
