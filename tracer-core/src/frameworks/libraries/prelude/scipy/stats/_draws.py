"""Random numbers of `scipy.stats`: those that a stream of NumPy draws."""

import numpy as np
from _jitlens.python import is_unknown
from numpy.random._given import lose, stream_of


def _geometric(rs, p, size):
    drawn = rs.geometric(p, size)
    # A RandomState's own go around at the end of their type.
    return np.where(drawn < 0, np.iinfo("int64").max, drawn)


# What distributions draw, where NumPy draws it: all others invert their distribution functions, or have ways of their own.
_DRAWN = {
    "bernoulli": lambda rs, p, size: rs.binomial(1, p, size),
    "beta": lambda rs, a, b, size: rs.beta(a, b, size),
    "binom": lambda rs, n, p, size: rs.binomial(n, p, size),
    "chi": lambda rs, df, size: np.sqrt(rs.chisquare(df, size)),
    "chi2": lambda rs, df, size: rs.chisquare(df, size),
    "erlang": lambda rs, a, size: rs.standard_gamma(a, size),
    "expon": lambda rs, size: rs.standard_exponential(size),
    "f": lambda rs, dfn, dfd, size: rs.f(dfn, dfd, size),
    "gamma": lambda rs, a, size: rs.standard_gamma(a, size),
    "geom": _geometric,
    "halfnorm": lambda rs, size: abs(rs.standard_normal(size)),
    "hypergeom": lambda rs, total, good, drawn, size: rs.hypergeometric(good, total - good, drawn, size),
    "invgauss": lambda rs, mu, size: rs.wald(mu, 1.0, size),
    "laplace": lambda rs, size: rs.laplace(0, 1, size),
    "logistic": lambda rs, size: rs.logistic(size=size),
    "lognorm": lambda rs, s, size: np.exp(s * rs.standard_normal(size)),
    "maxwell": lambda rs, size: np.sqrt(rs.chisquare(3.0, size)),
    "nbinom": lambda rs, n, p, size: rs.negative_binomial(n, p, size),
    "norm": lambda rs, size: rs.standard_normal(size),
    "poisson": lambda rs, mu, size: rs.poisson(mu, size),
    "rayleigh": lambda rs, size: np.sqrt(rs.chisquare(2, size)),
    "t": lambda rs, df, size: rs.standard_t(df, size),
    "uniform": lambda rs, size: rs.uniform(0.0, 1.0, size),
    "vonmises": lambda rs, kappa, size: rs.vonmises(0.0, kappa, size),
    "wald": lambda rs, size: rs.wald(1.0, 1.0, size),
}


def drawn(name, parameters, size, random_state):
    """What a distribution with plain parameters draws, in place 0 and of scale 1; None where NumPy does not draw it, and the stream is lost."""
    draw = _DRAWN.get(name)
    if draw is None or any([is_unknown(x) or np.ndim(x) for x in parameters]):
        lose(random_state)
        return None
    return draw(stream_of(random_state), *parameters, size or None)
