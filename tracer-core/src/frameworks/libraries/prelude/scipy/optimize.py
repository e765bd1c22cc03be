"""`scipy.optimize`: the function is called where the search starts; where it ends is not known, only of which type that is."""

import numpy as np
from _jitlens import core
from _jitlens.python import unknown

_WHY = "what an optimizer finds"


class OptimizeResult(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            if name.startswith("__"):
                raise AttributeError(name) from None
            return unknown("", _WHY)

    def __setattr__(self, name, value):
        self[name] = value


def _somewhere(shape):
    """An array of doubles of which only the shape is known."""
    return core.numpy_opaque(shape, core.named_dtype("float64"))


def _found(x, **more):
    return OptimizeResult(x=x, nfev=unknown("int", _WHY), nit=unknown("int", _WHY), status=unknown("int", _WHY),
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
    return _found(x, fun=unknown("float", _WHY), jac=_somewhere(start.shape))


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
    return _found(_somewhere(start.shape), fun=_somewhere(start.shape))


def least_squares(fun, x0, jac="2-point", bounds=(), *, args=(), kwargs=None, **options):
    start = np.atleast_1d(np.asarray(x0, dtype=np.float64))
    residuals = np.atleast_1d(np.asarray(fun(start.copy(), *args, **(kwargs or {}))))
    if callable(jac):
        jac(start.copy(), *args, **(kwargs or {}))
    return _found(_somewhere(start.shape), cost=unknown("float", _WHY),
                  fun=_somewhere(residuals.shape), jac=_somewhere(residuals.shape + start.shape))


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`scipy.optimize.{name}` is not modelled")
