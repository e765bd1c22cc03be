"""jax.scipy."""
import jax
import jax.numpy as jnp
import jax.scipy.stats
import jax.scipy.optimize
import jax.scipy.sparse.linalg
import jax.scipy.interpolate
import jax.scipy.integrate
import jax.scipy.cluster.vq
from check import array, prelude
from pairs import expressions

ARRAYS = dict(x=abs(array("float32", 4)) / 4 + 0.05, y=abs(array("float32", 4, seed=3)) / 3 + 0.1, m=array("float32", 3, 4), i=array("int32", 4), z=array("complex64", 4),
              h=array("bfloat16", 4), cov=jnp.eye(4) * 2 + 0.1, prob=jnp.array([0.1, 0.2, 0.3, 0.4]), spd=jnp.eye(3) * 3 + 0.5, a=array("float32", 3, 3) + jnp.eye(3) * 3, v=array("float32", 3),
              img=array("float32", 6, 7), k2=array("float32", 3, 2), t=array("float32", 2, 3, 3) + jnp.eye(3) * 4)

UNARY = "gammaln gammasgn loggamma gamma factorial digamma erf erfc erfinv expit logit i0 i0e i1 i1e entr ndtr ndtri log_ndtr softmax log_softmax logsumexp".split()
BINARY = "betaln comb beta gammainc gammaincc xlogy xlog1py boxcox boxcox1p kl_div rel_entr zeta poch".split()

STATS = {
    "norm": ("x y 0.5", "logpdf pdf cdf logcdf ppf sf logsf isf"), "uniform": ("x", "logpdf pdf cdf ppf"), "expon": ("x y", "logpdf pdf cdf logcdf sf logsf ppf"),
    "laplace": ("x y", "logpdf pdf cdf"), "logistic": ("x y", "logpdf pdf cdf sf ppf isf"), "beta": ("x y y", "logpdf pdf cdf logcdf sf logsf"),
    "gamma": ("x y", "logpdf pdf cdf logcdf sf logsf"), "chi2": ("x y", "logpdf pdf cdf logcdf sf logsf"), "t": ("x y", "logpdf pdf"),
    "cauchy": ("x y", "logpdf pdf cdf logcdf sf logsf ppf isf"), "pareto": ("x y", "logpdf pdf cdf logcdf sf logsf ppf"), "gennorm": ("x y", "logpdf pdf cdf"),
    "gumbel_l": ("x y", "logpdf pdf cdf logcdf ppf sf logsf"), "gumbel_r": ("x y", "logpdf pdf cdf logcdf ppf sf logsf"), "vonmises": ("x y", "logpdf pdf"),
    "wrapcauchy": ("x y", "logpdf pdf"), "truncnorm": ("x -1 y", "logpdf pdf cdf logcdf sf logsf"), "dirichlet": ("prob y", "logpdf pdf"),
    "bernoulli": ("i prob", "logpmf pmf cdf ppf"), "binom": ("i 5 prob", "logpmf pmf"), "nbinom": ("i 5 prob", "logpmf pmf"), "geom": ("i prob", "logpmf pmf"),
    "poisson": ("i y", "logpmf pmf cdf"), "betabinom": ("i 5 y y", "logpmf pmf"), "multinomial": ("abs(i) 10 prob", "logpmf pmf"),
}

TEXTS = """
S.special.multigammaln(x + 2, 2)
S.special.multigammaln(x + 2, i[0])
S.special.betainc(x, y, prob)
S.special.polygamma(2, x)
S.special.polygamma(x, x)
S.special.comb(5, i, repetition=True)
S.special.factorial(i, exact=True)
S.special.zeta(x)
S.special.logsumexp(m, axis=0, b=m)
S.special.softmax(m, axis=0)
S.special.log_ndtr(x, 5)
S.special.log_ndtr(x, series_order=-1)
S.special.log_ndtr(x, 2.0)
jax.grad(lambda a: S.special.logit(a).sum())(x)
jax.grad(lambda a: S.special.xlogy(a, a).sum())(x)
jax.grad(lambda a: S.special.log_ndtr(a).sum())(x)
jax.grad(lambda a: S.special.zeta(a + 2, y).sum())(x)
jax.grad(lambda a: S.special.poch(a, y).sum())(x)
S.stats.poisson.entropy(y)
S.stats.multivariate_normal.logpdf(x, y, cov)
S.stats.multivariate_normal.logpdf(x, 0.0, 2.0)
S.stats.multivariate_normal.logpdf(x, y, 2.0)
S.stats.multivariate_normal.logpdf(m, y, cov)
S.stats.multivariate_normal.logpdf(x, y, cov[:2])
S.stats.multivariate_normal.pdf(x, y, cov)
S.stats.dirichlet.logpdf(prob[:3], y)
S.stats.dirichlet.logpdf(prob[:2], y)
S.stats.multinomial.logpmf(x, 10, prob)
S.stats.mode(i)
S.stats.mode(m, axis=1, keepdims=True)
S.stats.mode(m, nan_policy='omit')
S.stats.rankdata(x)
S.stats.rankdata(m, 'min', axis=0)
S.stats.rankdata(x, 'dense')
S.stats.rankdata(x, 'odd')
S.stats.sem(m)
S.stats.sem(m, axis=None)
S.stats.sem(m, nan_policy='omit')
"""


def cases(C):
    S = prelude("scipy")
    texts = TEXTS.strip().split("\n")
    for name in UNARY:
        texts += [f"S.special.{name}({a})" for a in ("x", "i", "2.0", "h", "[1.0]")]
    for name in BINARY:
        texts += [f"S.special.{name}({a})" for a in ("x, y", "x, 2", "i, y", "2.0, 3.0", "x, m", "h, h")]
    for name, (args, functions) in STATS.items():
        for f in functions.split():
            texts.append(f"S.stats.{name}.{f}({', '.join(args.split())})")
    expressions(C, "S", S, jax.scipy, ARRAYS, texts)
    for name in MODULES:
        ours, theirs = S, jax.scipy
        for part in name.split("."):
            ours, theirs = getattr(ours, part), getattr(theirs, part)
        missing = [n for n in dir(theirs) if n[0] != "_" and n not in NOT_OURS and not hasattr(ours, n)]
        if missing:
            C.fail("names of scipy." + name, (), {}, " ".join(missing))


MODULES = ["special", "stats"] + ["stats." + n for n in (*STATS, "multivariate_normal")]
NOT_OURS = {"kde"}
