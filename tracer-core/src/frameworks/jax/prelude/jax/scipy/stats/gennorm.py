"""The generalized normal distribution."""
from _jitlens import core, prims as p

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def logpdf(x, beta):
    x, beta = core.promote_inexact("gennorm.logpdf", x, beta)
    return p.log(0.5 * beta) - p.lgamma(1 / beta) - p.abs(x) ** beta


def cdf(x, beta):
    x, beta = core.promote_inexact("gennorm.cdf", x, beta)
    return 0.5 * (1 + p.sign(x) * p.igamma(1 / beta, p.abs(x) ** beta))


def pdf(x, beta):
    return p.exp(logpdf(x, beta))
