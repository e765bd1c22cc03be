import jax
import jax.numpy as jnp

from rejax import DQN, PPO

key = jax.random.PRNGKey(0)
ppo = PPO.create(
    env="CartPole-v1", num_envs=4, num_steps=8, num_epochs=2, num_minibatches=2, total_timesteps=64, eval_freq=32, max_grad_norm=0.5)
state, (lengths, returns) = jax.jit(ppo.train)(key)
print(lengths.shape, jnp.mean(returns))
dqn = DQN.create(
    env="CartPole-v1", num_envs=2, buffer_size=64, fill_buffer=8, batch_size=8, total_timesteps=32, eval_freq=16, target_update_freq=8)
state, (lengths, returns) = jax.jit(dqn.train)(key)
act = jax.jit(dqn.make_act(state))
print(lengths.shape, act(jnp.zeros(4), key))
