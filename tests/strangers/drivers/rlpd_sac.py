import tensorflow_probability.substrates.jax  # noqa: F401
import gym.spaces
import jax
import numpy as np

from rlpd.agents.sac.sac_learner import SACLearner

observations, actions = gym.spaces.Box(-1.0, 1.0, (5,)), gym.spaces.Box(-1.0, 1.0, (2,))
agent = SACLearner.create(0, observations, actions, hidden_dims=(16, 16), num_qs=2, critic_layer_norm=True)
draw = np.random.RandomState(0)
batch = {
    "observations": draw.randn(8, 5).astype(np.float32), "actions": draw.uniform(-1, 1, (8, 2)).astype(np.float32),
    "rewards": draw.randn(8).astype(np.float32), "masks": np.ones(8, np.float32), "next_observations": draw.randn(8, 5).astype(np.float32)}
for _ in range(2):
    agent, info = agent.update(batch, utd_ratio=2)
    print(sorted(info), jax.tree.map(np.shape, info))
action, agent = agent.sample_actions(batch["observations"][0])
print(action.shape, agent.eval_actions(batch["observations"]).shape)
