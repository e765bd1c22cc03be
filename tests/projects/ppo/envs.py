"""Environments as pure functions, in the gym style, plus wrappers."""
from functools import partial
from typing import Any, NamedTuple, Tuple

import jax
import jax.numpy as jnp


class EnvParams(NamedTuple):
    gravity: float = 9.8
    masscart: float = 1.0
    masspole: float = 0.1
    length: float = 0.5
    force_mag: float = 10.0
    tau: float = 0.02
    theta_threshold: float = 12 * 2 * 3.141592653589793 / 360
    x_threshold: float = 2.4
    max_steps: int = 200


class EnvState(NamedTuple):
    x: jax.Array
    x_dot: jax.Array
    theta: jax.Array
    theta_dot: jax.Array
    time: jax.Array


class CartPole:
    """Balance a pole on a cart by pushing the cart left or right."""

    num_actions = 2
    obs_shape = (4,)

    @property
    def default_params(self) -> EnvParams:
        return EnvParams()

    def observe(self, state: EnvState) -> jax.Array:
        return jnp.array([state.x, state.x_dot, state.theta, state.theta_dot])

    def reset_env(self, key: jax.Array, params: EnvParams) -> Tuple[jax.Array, EnvState]:
        init = jax.random.uniform(key, (4,), minval=-0.05, maxval=0.05)
        state = EnvState(init[0], init[1], init[2], init[3], time=jnp.array(0, jnp.int32))
        return self.observe(state), state

    def is_terminal(self, state: EnvState, params: EnvParams) -> jax.Array:
        out = jnp.logical_or(jnp.abs(state.x) > params.x_threshold,
                             jnp.abs(state.theta) > params.theta_threshold)
        return jnp.logical_or(out, state.time >= params.max_steps)

    def step_env(self, key, state: EnvState, action, params: EnvParams):
        force = params.force_mag * action - params.force_mag * (1 - action)
        costheta, sintheta = jnp.cos(state.theta), jnp.sin(state.theta)
        total_mass = params.masscart + params.masspole
        polemass_length = params.masspole * params.length
        temp = (force + polemass_length * state.theta_dot**2 * sintheta) / total_mass
        theta_acc = (params.gravity * sintheta - costheta * temp) / (
            params.length * (4.0 / 3.0 - params.masspole * costheta**2 / total_mass)
        )
        x_acc = temp - polemass_length * theta_acc * costheta / total_mass
        state = EnvState(
            x=state.x + params.tau * state.x_dot,
            x_dot=state.x_dot + params.tau * x_acc,
            theta=state.theta + params.tau * state.theta_dot,
            theta_dot=state.theta_dot + params.tau * theta_acc,
            time=state.time + 1,
        )
        done = self.is_terminal(state, params)
        return self.observe(state), state, jnp.float32(1.0), done, {}

    @partial(jax.jit, static_argnums=(0,))
    def reset(self, key, params):
        return self.reset_env(key, params)

    @partial(jax.jit, static_argnums=(0,))
    def step(self, key, state, action, params):
        """One transition, with automatic reset at the end of an episode."""
        step_key, reset_key = jax.random.split(key)
        obs_st, state_st, reward, done, info = self.step_env(step_key, state, action, params)
        obs_re, state_re = self.reset_env(reset_key, params)
        state = jax.tree.map(lambda a, b: jax.lax.select(done, a, b), state_re, state_st)
        obs = jnp.where(done, obs_re, obs_st)
        return obs, state, reward, done, info


class Wrapper:
    def __init__(self, env):
        self._env = env

    def __getattr__(self, name):
        return getattr(self._env, name)


class LogState(NamedTuple):
    env_state: Any
    episode_return: jax.Array
    episode_length: jax.Array
    returned_return: jax.Array
    returned_length: jax.Array


class LogWrapper(Wrapper):
    """Keeps track of the return and the length of the episodes."""

    def reset(self, key, params):
        obs, env_state = self._env.reset(key, params)
        return obs, LogState(env_state, jnp.float32(0), jnp.int32(0), jnp.float32(0), jnp.int32(0))

    def step(self, key, state: LogState, action, params):
        obs, env_state, reward, done, info = self._env.step(key, state.env_state, action, params)
        ep_return = state.episode_return + reward
        ep_length = state.episode_length + 1
        state = LogState(
            env_state=env_state,
            episode_return=ep_return * (1 - done),
            episode_length=ep_length * (1 - done),
            returned_return=jnp.where(done, ep_return, state.returned_return),
            returned_length=jnp.where(done, ep_length, state.returned_length),
        )
        info = {**info, "returned_return": state.returned_return, "returned": done}
        return obs, state, reward, done, info


class VecEnv(Wrapper):
    def __init__(self, env):
        super().__init__(env)
        self.reset = jax.vmap(self._env.reset, in_axes=(0, None))
        self.step = jax.vmap(self._env.step, in_axes=(0, 0, 0, None))
