import jax
import jax.numpy as jnp


def split_rhat(x):
    """Potential scale reduction for x of shape (chains, draws)."""
    n = x.shape[1] // 2
    halves = jnp.concatenate([x[:, :n], x[:, n:2 * n]], axis=0)
    within = jnp.var(halves, axis=1, ddof=1).mean()
    between = n * jnp.var(halves.mean(axis=1), ddof=1)
    return jnp.sqrt(((n - 1) / n * within + between / n) / within)


def autocorrelation(x):
    """Normalised autocorrelation along the last axis, by FFT."""
    n = x.shape[-1]
    x = x - x.mean(axis=-1, keepdims=True)
    f = jnp.fft.rfft(x, n=2 * n)
    acov = jnp.fft.irfft(jnp.abs(f) ** 2, n=2 * n)[..., :n]
    return acov / acov[..., :1]


def effective_sample_size(x):
    """Sum over chains; correlations are cut at the first negative pair."""
    chains, n = x.shape
    rho = autocorrelation(x).mean(axis=0)
    pairs = rho[: n - n % 2].reshape(-1, 2).sum(axis=1)
    positive = jnp.cumprod(pairs > 0)
    tau = -1.0 + 2.0 * jnp.sum(pairs * positive)
    return chains * n / tau


def summarize(samples):
    """samples: pytree with leaves (chains, draws, ...). One dict per scalar coordinate."""
    rows = {}
    for path, leaf in jax.tree_util.tree_flatten_with_path(samples)[0]:
        name = jax.tree_util.keystr(path, simple=True, separator=".")
        flat = leaf.reshape(leaf.shape[:2] + (-1,))
        for i in range(flat.shape[-1]):
            label = name if flat.shape[-1] == 1 else f"{name}[{i}]"
            x = flat[..., i]
            q5, q95 = jnp.percentile(x, jnp.array([5.0, 95.0]))
            rows[label] = dict(mean=x.mean(), std=x.std(), q5=q5, q95=q95, rhat=split_rhat(x),
                               ess=effective_sample_size(x))
    return rows
