"""PPO where the whole training loop is one jitted function."""
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from envs import CartPole, LogWrapper, VecEnv
from networks import Categorical, actor_critic, init_actor_critic

CONFIG = {
    "LR": 2.5e-3,
    "NUM_ENVS": 8,
    "NUM_STEPS": 64,
    "TOTAL_TIMESTEPS": 20_480,
    "UPDATE_EPOCHS": 4,
    "NUM_MINIBATCHES": 4,
    "GAMMA": 0.99,
    "GAE_LAMBDA": 0.95,
    "CLIP_EPS": 0.2,
    "ENT_COEF": 0.01,
    "VF_COEF": 0.5,
    "MAX_GRAD_NORM": 0.5,
    "ANNEAL_LR": True,
    "SEED": 30,
}


class Transition(NamedTuple):
    done: jnp.ndarray
    action: jnp.ndarray
    value: jnp.ndarray
    reward: jnp.ndarray
    log_prob: jnp.ndarray
    obs: jnp.ndarray
    info: dict


class RunnerState(NamedTuple):
    params: dict
    opt_state: optax.OptState
    env_state: NamedTuple
    last_obs: jnp.ndarray
    rng: jnp.ndarray


def make_train(config):
    config = dict(config)
    config["NUM_UPDATES"] = config["TOTAL_TIMESTEPS"] // config["NUM_STEPS"] // config["NUM_ENVS"]
    config["MINIBATCH_SIZE"] = config["NUM_ENVS"] * config["NUM_STEPS"] // config["NUM_MINIBATCHES"]
    base_env = CartPole()
    env_params = base_env.default_params
    env = VecEnv(LogWrapper(base_env))

    def linear_schedule(count):
        updates_done = count // (config["NUM_MINIBATCHES"] * config["UPDATE_EPOCHS"])
        return config["LR"] * (1.0 - updates_done / config["NUM_UPDATES"])

    tx = optax.chain(
        optax.clip_by_global_norm(config["MAX_GRAD_NORM"]),
        optax.adam(learning_rate=linear_schedule if config["ANNEAL_LR"] else config["LR"], eps=1e-5),
    )

    def calculate_gae(traj_batch: Transition, last_val):
        def _get_advantages(carry, transition):
            gae, next_value = carry
            not_done = 1.0 - transition.done
            delta = transition.reward + config["GAMMA"] * next_value * not_done - transition.value
            gae = delta + config["GAMMA"] * config["GAE_LAMBDA"] * not_done * gae
            return (gae, transition.value), gae

        _, advantages = jax.lax.scan(
            _get_advantages,
            (jnp.zeros_like(last_val), last_val),
            traj_batch,
            reverse=True,
            unroll=8,
        )
        return advantages, advantages + traj_batch.value

    def ppo_loss(params, traj_batch: Transition, gae, targets):
        logits, value = actor_critic(params, traj_batch.obs)
        pi = Categorical(logits)
        log_prob = pi.log_prob(traj_batch.action)

        value_clipped = traj_batch.value + (value - traj_batch.value).clip(-config["CLIP_EPS"], config["CLIP_EPS"])
        value_losses = jnp.square(value - targets)
        value_losses_clipped = jnp.square(value_clipped - targets)
        value_loss = 0.5 * jnp.maximum(value_losses, value_losses_clipped).mean()

        ratio = jnp.exp(log_prob - traj_batch.log_prob)
        gae = (gae - gae.mean()) / (gae.std() + 1e-8)
        unclipped = ratio * gae
        clipped = jnp.clip(ratio, 1.0 - config["CLIP_EPS"], 1.0 + config["CLIP_EPS"]) * gae
        actor_loss = -jnp.minimum(unclipped, clipped).mean()
        entropy = pi.entropy().mean()

        total = actor_loss + config["VF_COEF"] * value_loss - config["ENT_COEF"] * entropy
        return total, (value_loss, actor_loss, entropy)

    def train(rng):
        rng, init_rng, reset_rng = jax.random.split(rng, 3)
        params = init_actor_critic(init_rng, base_env.obs_shape[0], base_env.num_actions)
        obsv, env_state = env.reset(jax.random.split(reset_rng, config["NUM_ENVS"]), env_params)

        def _update_step(runner_state: RunnerState, unused):
            def _env_step(runner_state: RunnerState, unused):
                rng, act_rng, step_rng = jax.random.split(runner_state.rng, 3)
                logits, value = actor_critic(runner_state.params, runner_state.last_obs)
                pi = Categorical(logits)
                action = pi.sample(act_rng)
                log_prob = pi.log_prob(action)
                obsv, env_state, reward, done, info = env.step(
                    jax.random.split(step_rng, config["NUM_ENVS"]), runner_state.env_state, action, env_params
                )
                transition = Transition(done, action, value, reward, log_prob, runner_state.last_obs, info)
                runner_state = runner_state._replace(env_state=env_state, last_obs=obsv, rng=rng)
                return runner_state, transition

            runner_state, traj_batch = jax.lax.scan(_env_step, runner_state, None, config["NUM_STEPS"])
            _, last_val = actor_critic(runner_state.params, runner_state.last_obs)
            advantages, targets = calculate_gae(traj_batch, last_val)

            def _update_minibatch(train_state, batch):
                params, opt_state = train_state
                grads, aux = jax.grad(ppo_loss, has_aux=True)(params, *batch)
                updates, opt_state = tx.update(grads, opt_state, params)
                return (optax.apply_updates(params, updates), opt_state), aux

            def _update_epoch(carry, unused):
                params, opt_state, rng = carry
                rng, perm_rng = jax.random.split(rng)
                batch_size = config["MINIBATCH_SIZE"] * config["NUM_MINIBATCHES"]
                permutation = jax.random.permutation(perm_rng, batch_size)
                batch = (traj_batch, advantages, targets)
                batch = jax.tree.map(lambda x: x.reshape((batch_size,) + x.shape[2:]), batch)
                shuffled = jax.tree.map(lambda x: jnp.take(x, permutation, axis=0), batch)
                minibatches = jax.tree.map(
                    lambda x: jnp.reshape(x, [config["NUM_MINIBATCHES"], -1] + list(x.shape[1:])), shuffled
                )
                (params, opt_state), losses = jax.lax.scan(_update_minibatch, (params, opt_state), minibatches)
                return (params, opt_state, rng), losses

            carry = (runner_state.params, runner_state.opt_state, runner_state.rng)
            (params, opt_state, rng), losses = jax.lax.scan(_update_epoch, carry, None, config["UPDATE_EPOCHS"])
            value_loss, actor_loss, entropy = jax.tree.map(jnp.mean, losses)
            metric = {
                "return": traj_batch.info["returned_return"][-1].mean(),
                "episodes": traj_batch.info["returned"].sum(),
                "value_loss": value_loss,
                "entropy": entropy,
            }
            return runner_state._replace(params=params, opt_state=opt_state, rng=rng), metric

        runner_state = RunnerState(params, tx.init(params), env_state, obsv, rng)
        runner_state, metrics = jax.lax.scan(_update_step, runner_state, None, config["NUM_UPDATES"])
        return {"runner_state": runner_state, "metrics": metrics}

    return train


def evaluate(params, key, num_episodes=4, horizon=200):
    """Greedy rollouts without reset: rewards stop counting after the first done."""
    env = CartPole()
    env_params = env.default_params

    def rollout(key):
        obs, state = env.reset(key, env_params)

        def step(carry, key):
            obs, state, alive = carry
            logits, _ = actor_critic(params, obs)
            action = Categorical(logits).mode()
            obs, state, reward, done, _ = env.step(key, state, action, env_params)
            reward = reward * alive
            return (obs, state, alive * (1 - done)), reward

        _, rewards = jax.lax.scan(step, (obs, state, jnp.float32(1)), jax.random.split(key, horizon))
        return rewards.sum()

    return jax.jit(jax.vmap(rollout))(jax.random.split(key, num_episodes))


if __name__ == "__main__":
    rng = jax.random.PRNGKey(CONFIG["SEED"])
    train_jit = jax.jit(make_train(CONFIG))
    out = train_jit(rng)
    metrics = jax.device_get(out["metrics"])
    n = len(metrics["return"])
    for i in np.linspace(0, n - 1, 5).astype(int):
        print(f"update {i:3d}/{n}  return {metrics['return'][i]:6.1f}  episodes {metrics['episodes'][i]:3d}  "
              f"value loss {metrics['value_loss'][i]:8.2f}  entropy {metrics['entropy'][i]:.3f}")
    returns = evaluate(out["runner_state"].params, jax.random.fold_in(rng, 1))
    print("greedy evaluation:", np.asarray(returns))
