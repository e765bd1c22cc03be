"""`jax.random`. Functions live in files by family and are loaded when first asked for."""
from _jitlens import core as _core

_HOMES = {
    "_keys": "PRNGKey clone fold_in key key_data key_dtype key_impl split wrap_key_data",
    "_basic": "bernoulli bits cauchy exponential gumbel laplace logistic normal rademacher randint truncated_normal uniform",
    "_choice": "categorical choice permutation",
    "_gamma": "beta chisquare dirichlet f gamma loggamma t",
    "_counts": "binomial geometric multinomial poisson",
    "_more": """ball double_sided_maxwell generalized_normal lognormal maxwell multivariate_normal orthogonal pareto rayleigh triangular wald
        weibull_min""",
}
_HOME_OF = _core.by_word(_HOMES)


def __getattr__(name):
    if name not in _HOME_OF:
        if name == "random_gamma_p":
            return _core.primitive("random_gamma")
        raise AttributeError(f"module 'jax.random' has no attribute {name!r}")
    found = getattr(_core.import_module("." + _HOME_OF[name], __name__), name)
    globals()[name] = found
    return found


def __dir__():
    return sorted([*_HOME_OF, "random_gamma_p"])
