"""`jax.scipy.stats`: one module per distribution."""
_DISTRIBUTIONS = frozenset("""bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace logistic
    multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises wrapcauchy""".split())


def __getattr__(name):
    from importlib import import_module
    if name in _DISTRIBUTIONS:
        return import_module("." + name, __name__)
    if name in ("mode", "rankdata", "sem"):
        found = getattr(import_module("._rank", __name__), name)
    elif name == "gaussian_kde":
        from ._kde import gaussian_kde as found
    else:
        raise AttributeError(f"module 'jax.scipy.stats' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__():
    return sorted([*_DISTRIBUTIONS, "gaussian_kde", "mode", "rankdata", "sem"])
