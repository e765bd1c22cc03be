"""`jax.scipy.optimize`: what `minimize` evaluates, refuses and gives back. Where its search ends is not computed."""
from typing import NamedTuple

from _jitlens import core

_OPTIONS = {
    "bfgs": ("minimize_bfgs", frozenset("maxiter norm gtol line_search_maxiter".split())),
    "l-bfgs-experimental-do-not-rely-on-this": ("_minimize_lbfgs", frozenset("maxiter norm maxcor ftol gtol maxfun maxgrad maxls".split())),
}


class OptimizeResults(NamedTuple):
    x: object
    success: object
    status: object
    fun: object
    jac: object
    hess_inv: object
    nfev: object
    njev: object
    nit: object


def minimize(fun, x0, args=(), *, method, tol=None, options=None):
    import jax
    from .. import numpy as jnp
    if not isinstance(args, tuple):
        raise TypeError(f"args argument to jax.scipy.optimize.minimize must be a tuple, got {args}")
    name = method.lower()
    if name not in _OPTIONS:
        raise ValueError(f"Method {method} not recognized")
    called, known = _OPTIONS[name]
    for option in options or ():
        if option not in known:
            raise TypeError(f"{called}() got an unexpected keyword argument {option!r}")
    if not core.is_arraylike(x0) or isinstance(x0, (bool, int, float, complex)):
        if name == "bfgs":
            raise AttributeError(f"{type(x0).__name__!r} object has no attribute 'shape'")
        raise TypeError(f"Cannot determine dtype of {x0}")
    if core.ndim(x0) != 1:
        return core.unmodelled("jax.scipy.optimize.minimize of what is no vector")
    x = jnp.asarray(x0)
    evaluate = jax.value_and_grad(lambda x: fun(x, *args))
    value, slope = evaluate(x)
    for _ in range(3):
        # The search along a line evaluates at three places of its loops, which are staged.
        jax.eval_shape(lambda x: evaluate(x), x)

    def like(shape, dtype, weak=False):
        return core.ShapedArray(shape, dtype, weak)

    number = like((), core.default_int(), True)
    kinds = [like(x.shape, x.dtype), like((), core.canonical_dtype(bool)), number, like((), value.dtype), like(x.shape, slope.dtype), number, number,
             number]
    if name == "bfgs":
        kinds.append(like((*x.shape, *x.shape), x.dtype))
    found = core.opaque_call("minimize", [x], kinds)
    x, success, status, value, slope, nfev, njev, nit = found[:8]
    return OptimizeResults(x, success, status, value, slope, found[8] if name == "bfgs" else None, nfev, njev, nit)
