"""`scipy.optimize`: the function is called where the search starts; where it ends is not known, only of which type that is."""

import numpy as np
from _jitlens import core
from _jitlens.python import called_again, unknown

_WHY = "what an optimizer finds"


class OptimizeResult(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            # Only methods that look at second derivatives give these.
            if name.startswith("__") or name in ("nhev", "hess", "hess_inv"):
                raise AttributeError(name) from None
            return unknown("", _WHY)

    def __setattr__(self, name, value):
        self[name] = value


def _somewhere(shape):
    """An array of doubles of which only the shape is known."""
    return core.numpy_opaque(shape, core.named_dtype("float64"))


class LbfgsInvHessProduct:
    """What L-BFGS-B knows of the second derivatives: of the last rounds, whose number is not known."""

    def __init__(self, sk, yk):
        self.sk, self.yk = sk, yk
        self.n_corrs, self.rho = sk.shape[0], _somewhere(sk.shape[:1])
        self.dtype = core.named_dtype("float64")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown("", _WHY)


def _second(method, bounds, constraints, size):
    """What methods give beside that look at second derivatives, or estimate them."""
    if method is None:
        method = "slsqp" if constraints else "bfgs" if bounds is None else "l-bfgs-b"
    method = method.lower() if isinstance(method, str) else ""
    if method == "l-bfgs-b":
        rounds = core.unknown_dim("rounds")
        return {"hess_inv": LbfgsInvHessProduct(_somewhere((rounds, size)), _somewhere((rounds, size)))}
    if method == "bfgs":
        return {"hess_inv": _somewhere((size, size))}
    return {"nhev": unknown("int", _WHY)} if method.startswith(("newton", "trust", "dogleg")) else {}


def _found(x, **more):
    return OptimizeResult(x=x, nfev=unknown("int", _WHY), njev=unknown("int", _WHY), nit=unknown("int", _WHY), status=unknown("int", _WHY),
                          success=unknown("bool", _WHY), message=unknown("str", _WHY), **more)


def minimize(fun, x0, args=(), method=None, jac=None, hess=None, hessp=None, bounds=None, constraints=(), tol=None, callback=None,
             options=None):
    start = np.atleast_1d(np.asarray(x0, dtype=np.float64)).ravel()
    args = args if isinstance(args, tuple) else (args,)
    fun(start.copy(), *args)
    if callable(jac):
        jac(start.copy(), *args)
    x = _somewhere(start.shape)
    if callback is not None and not _wants_result(callback):
        callback(x)
    called_again([fun, jac, hess, hessp, callback])
    return _found(x, fun=unknown("float", _WHY), jac=_somewhere(start.shape), **_second(method, bounds, constraints, start.size))


def _wants_result(callback):
    import inspect
    try:
        return list(inspect.signature(callback).parameters) == ["intermediate_result"]
    except (TypeError, ValueError):
        return False


def root(fun, x0, args=(), method="hybr", jac=None, tol=None, callback=None, options=None):
    start = np.asarray(x0, dtype=np.float64)
    args = args if isinstance(args, tuple) else (args,)
    fun(start.copy(), *args)
    called_again([fun, jac, callback])
    return _found(_somewhere(start.shape), fun=_somewhere(start.shape))


def least_squares(fun, x0, jac="2-point", bounds=(), *, args=(), kwargs=None, **options):
    start = np.atleast_1d(np.asarray(x0, dtype=np.float64))
    residuals = np.atleast_1d(np.asarray(fun(start.copy(), *args, **(kwargs or {}))))
    if callable(jac):
        jac(start.copy(), *args, **(kwargs or {}))
    called_again([fun, jac])
    return _found(_somewhere(start.shape), cost=unknown("float", _WHY),
                  fun=_somewhere(residuals.shape), jac=_somewhere(residuals.shape + start.shape))


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`scipy.optimize.{name}` is not modelled")
