import jax

from ppo import make_train

config = {
    "LR": 2.5e-4, "NUM_ENVS": 4, "NUM_STEPS": 8, "TOTAL_TIMESTEPS": 64, "UPDATE_EPOCHS": 2, "NUM_MINIBATCHES": 2, "GAMMA": 0.99,
    "GAE_LAMBDA": 0.95, "CLIP_EPS": 0.2, "ENT_COEF": 0.01, "VF_COEF": 0.5, "MAX_GRAD_NORM": 0.5, "ACTIVATION": "tanh",
    "ENV_NAME": "CartPole-v1", "ANNEAL_LR": True, "DEBUG": False}
train = jax.jit(make_train(config))
out = train(jax.random.PRNGKey(30))
print(out["metrics"]["returned_episode_returns"].shape)
