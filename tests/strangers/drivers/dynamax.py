import jax
import jax.numpy as jnp

from dynamax.hidden_markov_model import CategoricalHMM, GaussianHMM
from dynamax.linear_gaussian_ssm import LinearGaussianSSM

key = jax.random.PRNGKey(0)
hmm = GaussianHMM(3, 2)
params, props = hmm.initialize(key)
states, emissions = hmm.sample(params, key, 20)
posterior = hmm.smoother(params, emissions)
print(states.shape, posterior.smoothed_probs.shape, hmm.most_likely_states(params, emissions).shape, hmm.marginal_log_prob(params, emissions))
params, losses = hmm.fit_em(params, props, emissions, num_iters=3, verbose=False)
print(losses.shape)
categorical = CategoricalHMM(2, 1, 4)
params, props = categorical.initialize(key)
_, emissions = categorical.sample(params, key, 12)
params, losses = categorical.fit_sgd(params, props, emissions[None], num_epochs=3)
print(losses.shape)

lgssm = LinearGaussianSSM(state_dim=3, emission_dim=2)
params, props = lgssm.initialize(key)
states, emissions = lgssm.sample(params, key, 10)
print(lgssm.filter(params, emissions).filtered_means.shape, lgssm.smoother(params, emissions).smoothed_covariances.shape)
params, losses = lgssm.fit_em(params, props, emissions[None], num_iters=2, verbose=False)
print(losses.shape, jax.grad(lambda p: lgssm.marginal_log_prob(p, emissions))(params).dynamics.weights.shape)
