"""jax.scipy."""
import jax
import jax.numpy as jnp
import jax.scipy.stats
import jax.scipy.optimize
import jax.scipy.sparse.linalg
import jax.scipy.interpolate
import jax.scipy.integrate
import jax.scipy.cluster.vq
import jax.scipy.spatial.transform
import jax.scipy.fft
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
S.linalg.cholesky(spd)
S.linalg.cholesky(spd, lower=True)
S.linalg.cho_factor(spd)
S.linalg.cho_solve((spd, True), v)
S.linalg.cho_solve((spd, False), k2)
S.linalg.svd(m)
S.linalg.svd(m, compute_uv=False)
S.linalg.det(a)
S.linalg.inv(a)
S.linalg.eigh(spd)
S.linalg.eigh(spd, eigvals_only=True)
S.linalg.eigh(spd, spd)
S.linalg.schur(a)
S.linalg.schur(a, output='complex')
S.linalg.schur(a, output='odd')
S.linalg.lu_factor(a)
S.linalg.lu_solve((a, i[:3] % 3), v)
S.linalg.lu_solve((a, i[:3] % 3), k2, trans=1)
S.linalg.lu(a)
S.linalg.lu(a, permute_l=True)
S.linalg.qr(m)
S.linalg.qr(m, mode='economic')
S.linalg.qr(m, mode='r')
S.linalg.qr(m, mode='odd')
S.linalg.polar(a, method='svd')
S.linalg.solve(a, v)
S.linalg.solve(a, k2)
S.linalg.solve(spd, v, assume_a='pos')
S.linalg.solve(spd, k2, assume_a='pos', lower=True)
S.linalg.solve(a, v, assume_a='odd')
S.linalg.solve(a, x, assume_a='pos')
S.linalg.solve_triangular(a, v)
S.linalg.solve_triangular(a, k2, lower=True, trans=1)
S.linalg.solve_triangular(a, v, trans='Q')
S.linalg.solve_triangular(t, t)
S.linalg.solve_triangular(a, x)
S.linalg.expm(a)
S.linalg.expm(t)
S.linalg.expm(a, upper_triangular=True)
S.linalg.expm(m)
S.linalg.expm_frechet(a, spd)
S.linalg.block_diag(a, m, v)
S.linalg.block_diag()
S.linalg.block_diag(t)
S.linalg.toeplitz(v)
S.linalg.toeplitz(v, x)
S.linalg.hilbert(3)
S.signal.convolve(x, v)
S.signal.convolve(x, v, mode='same')
S.signal.convolve(v, x, mode='same')
S.signal.convolve(x, v, mode='valid')
S.signal.convolve(x, v, mode='odd')
S.signal.convolve(x, v, method='fft')
S.signal.convolve(x, v, method='odd')
S.signal.convolve(img, a)
S.signal.convolve(x, img)
S.signal.correlate(x, v)
S.signal.correlate(x, v, mode='same')
S.signal.convolve2d(img, a)
S.signal.convolve2d(img, a, mode='same')
S.signal.convolve2d(img, a, mode='valid')
S.signal.convolve2d(img, a, boundary='wrap')
S.signal.convolve2d(x, v)
S.signal.correlate2d(img, a)
S.signal.correlate2d(img, a, mode='same')
S.signal.correlate2d(img, a, mode='valid')
S.signal.correlate2d(a, img)
S.signal.correlate2d(a, img, mode='valid')
S.signal.correlate2d(a, img, mode='same')
S.signal.fftconvolve(img, a, mode='same')
S.signal.fftconvolve(img, img, axes=1)
S.signal.fftconvolve(img, a, axes=1)
S.signal.fftconvolve(x, a)
S.signal.detrend(x, type='constant')
S.signal.detrend(x, type='odd')
S.integrate.trapezoid(x)
S.integrate.trapezoid(m, dx=0.5, axis=0)
S.integrate.trapezoid(x, y)
S.ndimage.map_coordinates(img, [v, v], 1)
S.ndimage.map_coordinates(img, [v, v], 0)
S.ndimage.map_coordinates(img, [v, v], 1, mode='nearest')
S.ndimage.map_coordinates(img, [v, v], 1, mode='reflect')
S.ndimage.map_coordinates(img, [v, v], 1, mode='wrap')
S.ndimage.map_coordinates(img, [v, v], 1, mode='mirror')
S.ndimage.map_coordinates(img, [v, v], 1, mode='odd')
S.ndimage.map_coordinates(img, [v, v], 2)
S.ndimage.map_coordinates(img, [v], 1)
S.ndimage.map_coordinates(i, [v], 1)
S.sparse.linalg.cg(spd, v)
S.sparse.linalg.cg(lambda q: {'k': q['k'] * 2.0}, {'k': v})
S.sparse.linalg.cg(spd, v, x0=x)
S.sparse.linalg.cg(m, v)
S.sparse.linalg.bicgstab(a, v, tol=1e-3)
jax.grad(lambda b: S.sparse.linalg.cg(spd, b)[0].sum())(v)
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


MODULES = ["special", "stats", "linalg", "signal", "integrate", "ndimage", "sparse.linalg", "fft", "interpolate", "optimize", "cluster.vq", "spatial.transform"] + ["stats." + n for n in (*STATS, "multivariate_normal")]
NOT_OURS = {"kde"}
