import jax
import jax.numpy as jnp
from jax.scipy.stats import norm
from jax.scipy.special import logsumexp


def log_likelihood(params, x):
    weights = jax.nn.log_softmax(params["logits"])
    components = norm.logpdf(x, params["means"], jnp.exp(params["log_scales"]))
    return logsumexp(weights + components, axis=-1)


def negative(params, data):
    return -jax.vmap(log_likelihood, in_axes=(None, 0))(params, data).mean()


def fit(params, data, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(negative)(params, data)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value

    return jax.lax.scan(step, params, None, length=steps)


data = jnp.linspace(-3, 3, 40)
params = {"logits": jnp.zeros(3), "means": jnp.array([-1.0, 0.0, 1.0]), "log_scales": jnp.zeros(3)}
params, values = fit(params, data, 10)
wrong = {**params, "means": jnp.zeros(2)}
fit(wrong, data, 10)
