"""Internal modules of `jax.scipy.stats`."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src.scipy.stats", """
    bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace
    logistic multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises wrapcauchy
    """)
