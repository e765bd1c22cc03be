import jax
import jax.numpy as jnp

from dynamax.hidden_markov_model import GaussianHMM
from dynamax.linear_gaussian_ssm import LinearGaussianSSM

key = jax.random.PRNGKey(0)
hmm = GaussianHMM(3, 2)
params, props = hmm.initialize(key)
states, emissions = jax.jit(hmm.sample, static_argnums=2)(params, key, 10)
posterior = jax.jit(hmm.smoother)(params, emissions)
print(states.shape, posterior.smoothed_probs.shape, jax.jit(hmm.marginal_log_prob)(params, emissions))
params, losses = hmm.fit_em(params, props, emissions, num_iters=2, verbose=False)
print(losses.shape)

lgssm = LinearGaussianSSM(state_dim=3, emission_dim=2)
params, props = lgssm.initialize(key)
states, emissions = jax.jit(lgssm.sample, static_argnums=2)(params, key, 8)
print(jax.jit(lgssm.filter)(params, emissions).filtered_means.shape, jax.jit(lgssm.smoother)(params, emissions).smoothed_covariances.shape)
print(jax.jit(jax.grad(lambda p: lgssm.marginal_log_prob(p, emissions)))(params).dynamics.weights.shape)
