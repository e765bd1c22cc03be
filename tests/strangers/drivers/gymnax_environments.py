import jax
import jax.numpy as jnp

from gymnax.environments.bsuite import bandit, catch
from gymnax.environments.classic_control import acrobot, cartpole, mountain_car, pendulum
from gymnax.environments.minatar import asterix, breakout, freeway, space_invaders


def rollouts(env, steps=5, batch=3):
    params = env.default_params

    def rollout(key):
        key, reset = jax.random.split(key)
        obs, state = env.reset(reset, params)

        def step(carry, key):
            obs, state = carry
            act, move = jax.random.split(key)
            action = env.action_space(params).sample(act)
            obs, state, reward, terminated, truncated, info = env.step(move, state, action, params)
            return (obs, state), (obs, reward, terminated | truncated)

        return jax.lax.scan(step, (obs, state), jax.random.split(key, steps))[1]

    return jax.jit(jax.vmap(rollout))(jax.random.split(jax.random.key(0), batch))


environments = [
    cartpole.CartPole(), pendulum.Pendulum(), acrobot.Acrobot(), mountain_car.MountainCar(), catch.Catch(), bandit.SimpleBandit(),
    breakout.MinBreakout(), asterix.MinAsterix(), freeway.MinFreeway(), space_invaders.MinSpaceInvaders()]
for env in environments:
    obs, reward, done = rollouts(env)
    print(env.name, obs.shape, jnp.sum(reward), jnp.sum(done))
