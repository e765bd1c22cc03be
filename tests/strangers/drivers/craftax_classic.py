import jax
import jax.numpy as jnp

from craftax.craftax_classic.envs.craftax_symbolic_env import CraftaxClassicSymbolicEnv

env = CraftaxClassicSymbolicEnv()
params = env.default_params
key = jax.random.PRNGKey(0)
obs, state = env.reset(key, params)


def step(carry, key):
    state, total = carry
    act, move = jax.random.split(key)
    action = env.action_space(params).sample(act)
    obs, state, reward, done, info = env.step(move, state, action, params)
    return (state, total + reward), (obs.mean(), done)


(state, total), (means, dones) = jax.jit(lambda state, key: jax.lax.scan(step, (state, jnp.zeros(())), jax.random.split(key, 3)))(state, key)
print(obs.shape, total, means, dones)
