"""`scipy.optimize`: the function is called where the search starts; where it ends is not known, only of which type that is."""

import numpy as np
from _jitlens import core
from _jitlens.python import called_again, unknown
from numpy.random._given import lose

from ._arrays import opaque, refuse_tracers

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
    limits = _limits(constraints, method)
    for one in limits:
        for function in (one.get("fun"), one.get("jac")):
            if callable(function):
                function(start.copy(), *_args(one.get("args", ())))
    x = _somewhere(start.shape)
    if callback is not None and not _wants_result(callback):
        callback(x)
    called_again([fun, jac, hess, hessp, callback] + [one.get(name) for one in limits for name in ("fun", "jac")])
    return _found(x, fun=unknown("float", _WHY), jac=_somewhere(start.shape), **_second(method, bounds, constraints, start.size))


def _limits(constraints, method):
    """The constraints that a method asks, where they are dictionaries."""
    if isinstance(method, str) and method.lower() not in ("slsqp", "cobyla", "cobyqa", "trust-constr"):
        return []
    given = constraints if isinstance(constraints, (list, tuple)) else [constraints]
    return [one for one in given if isinstance(one, dict)]


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


class RootResults(OptimizeResult):
    pass


def _args(args):
    return args if isinstance(args, tuple) else (args,)


def _number():
    return unknown("float", _WHY)


def fsolve(func, x0, args=(), fprime=None, full_output=0, col_deriv=0, xtol=1.49012e-8, maxfev=0, band=None, epsfcn=None, factor=100,
           diag=None):
    refuse_tracers((x0, args), {})
    start = np.asarray(x0).ravel()
    if start.dtype.kind not in "biuf":
        return core.unknown("`fsolve` of these numbers")
    func(start.astype("float64"), *_args(args))
    called_again([func, fprime])
    x = _somewhere(start.shape)
    return (x, unknown("", _WHY), unknown("int", _WHY), unknown("str", _WHY)) if full_output else x


def leastsq(func, x0, args=(), Dfun=None, full_output=False, *options, **more):
    refuse_tracers((x0, args), {})
    start = np.asarray(x0).ravel()
    if start.dtype.kind not in "biuf":
        return core.unknown("`leastsq` of these numbers")
    func(start.astype("float64"), *_args(args))
    called_again([func, Dfun])
    return core.unknown("what `leastsq` tells beside") if full_output else (_somewhere(start.shape), unknown("int", _WHY))


def curve_fit(f, xdata, ydata, p0=None, sigma=None, absolute_sigma=False, check_finite=None, bounds=None, method=None, jac=None, *,
              full_output=False, nan_policy=None, **options):
    refuse_tracers((xdata, ydata, p0, sigma), {})
    if p0 is not None:
        count = np.atleast_1d(p0).size
    else:
        import inspect
        parameters = list(inspect.signature(f).parameters.values())
        if any([p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.KEYWORD_ONLY) for p in parameters]):
            return core.unknown("how many parameters there are")
        count = len(parameters) - 1
    xdata = np.asarray(xdata, float) if isinstance(xdata, (list, tuple, np.ndarray)) or core.is_array(xdata) else xdata
    f(xdata, *[opaque((), "float64") for _ in range(count)])
    called_again([f, jac])
    found = _somewhere((count,)), _somewhere((count, count))
    return (*found, unknown("", _WHY), unknown("str", _WHY), unknown("int", _WHY)) if full_output else found


def _bracketing(name):
    def function(f, a, b, args=(), xtol=2e-12, rtol=8.9e-16, maxiter=100, full_output=False, disp=True):
        refuse_tracers((a, b, args), {})
        f(float(a), *_args(args))
        called_again([f])
        root = unknown("float", _WHY)
        return (root, _roots(root)) if full_output else root
    function.__name__ = name
    return function


def _roots(root):
    return RootResults(root=root, iterations=unknown("int", _WHY), function_calls=unknown("int", _WHY), converged=unknown("bool", _WHY),
                       flag=unknown("str", _WHY), method=unknown("str", _WHY))


brentq, brenth, ridder, bisect = [_bracketing(name) for name in ("brentq", "brenth", "ridder", "bisect")]


def toms748(f, a, b, args=(), *options, **more):
    called_again([f])
    return core.unknown("`scipy.optimize.toms748` is not modelled")


def newton(func, x0, fprime=None, args=(), tol=1.48e-8, maxiter=50, fprime2=None, x1=None, rtol=0.0, full_output=False, disp=True):
    refuse_tracers((x0, args), {})
    start = np.asarray(x0)
    if start.dtype.kind not in "iuf" or full_output:
        return core.unknown("`newton` of these numbers")
    start = opaque(start.shape, "float64")
    made = func(start, *_args(args))
    if callable(fprime):
        fprime(start, *_args(args))
    called_again([func, fprime, fprime2])
    if start.shape:
        # Derivatives of arrays of JAX leave others.
        return _somewhere(start.shape) if core.is_numpy_array(made) else core.unknown("of which type a root is")
    return core.unknown("of which type a root is") if core.is_array(made) and not hasattr(made, "tobytes") else opaque((), "float64")


def root_scalar(f, args=(), method=None, bracket=None, fprime=None, fprime2=None, x0=None, x1=None, xtol=None, rtol=None, maxiter=None,
                options=None):
    refuse_tracers((bracket, x0, x1, args), {})
    at = bracket[0] if bracket is not None else x0
    f(float(at), *_args(args))
    called_again([f, fprime, fprime2])
    return _roots(unknown("float" if bracket is not None else "", _WHY))


def minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None):
    refuse_tracers((bracket, bounds, args), {})
    fun(_number(), *_args(args))
    called_again([fun])
    return OptimizeResult(x=unknown("float", _WHY), fun=unknown("", _WHY), nfev=unknown("int", _WHY), nit=unknown("int", _WHY),
                          success=unknown("bool", _WHY), message=unknown("str", _WHY))


def fminbound(func, x1, x2, args=(), *options, **more):
    refuse_tracers((x1, x2, args), {})
    func(_number(), *_args(args))
    called_again([func])
    return core.unknown("where an optimizer ends")


def linear_sum_assignment(cost_matrix, maximize=False):
    refuse_tracers((cost_matrix,), {})
    costs = np.asarray(cost_matrix)
    if costs.ndim != 2:
        raise ValueError(f"expected a matrix (2-D array), got a {costs.ndim} array")
    count = min(costs.shape)
    return opaque((count,), "int64"), opaque((count,), "int64")


def _over_bounds(name, draws):
    def function(func, bounds, args=(), *options, **more):
        refuse_tracers((args,), {})
        if not isinstance(bounds, (list, tuple)):
            called_again([func])
            return core.unknown("how many bounds there are")
        if draws:
            lose(more.get("rng", more.get("seed")))
        func(_somewhere((len(bounds),)), *_args(args))
        called_again([func, more.get("callback")])
        return _found(_somewhere((len(bounds),)), fun=unknown("", _WHY))
    function.__name__ = name
    return function


dual_annealing, shgo, direct = [_over_bounds(name, name == "dual_annealing") for name in ("dual_annealing", "shgo", "direct")]
_evolve = _over_bounds("differential_evolution", True)


def differential_evolution(func, bounds, args=(), **options):
    if options.get("vectorized"):
        lose(options.get("rng", options.get("seed")))
        called_again([func])
        return core.unknown("a vectorized search")
    return _evolve(func, bounds, args, **options)


def basinhopping(func, x0, niter=100, T=1.0, stepsize=0.5, minimizer_kwargs=None, **options):
    refuse_tracers((x0,), {})
    lose(options.get("rng", options.get("seed")))
    start = np.atleast_1d(np.asarray(x0, dtype=np.float64))
    args = (minimizer_kwargs or {}).get("args", ())
    func(start.copy(), *_args(args))
    called_again([func, options.get("callback"), (minimizer_kwargs or {}).get("jac")])
    return _found(_somewhere(start.shape), fun=unknown("", _WHY), lowest_optimization_result=unknown("", _WHY))


def nnls(A, b, **options):
    refuse_tracers((A, b), {})
    A = np.asarray(A)
    if A.ndim != 2:
        raise ValueError(f"Expected a 2-D array, but the shape of A is {A.shape}")
    return _somewhere(A.shape[1:]), unknown("float", _WHY)


def lsq_linear(A, b, bounds=(), **options):
    refuse_tracers((A, b), {})
    A = np.asarray(A)
    return _found(_somewhere(A.shape[1:]), cost=unknown("", _WHY), fun=_somewhere(A.shape[:1]), optimality=unknown("", _WHY))


def linprog(c, A_ub=None, b_ub=None, A_eq=None, b_eq=None, bounds=(0, None), method="highs", **options):
    """There is no solution (`x` is `None`) where constraints exclude each other: taken to be there."""
    refuse_tracers((c, A_ub, b_ub, A_eq, b_eq), {})
    c = np.asarray(c)
    return _found(_somewhere((c.size,)), fun=unknown("", _WHY), slack=unknown("", _WHY), con=unknown("", _WHY))


def _simple(name):
    def function(func, x0, *args, **kwargs):
        refuse_tracers((x0,), {})
        start = np.asarray(x0)
        more = kwargs.get("args", args[0] if args and name == "fmin" else ())
        if start.dtype.kind not in "biuf" or kwargs.get("full_output") or kwargs.get("retall") or len(args) > 2:
            called_again([func])
            return core.unknown(f"options of `scipy.optimize.{name}`")
        func(start.astype("float64").ravel(), *_args(more))
        called_again([func, *[a for a in args if callable(a)], *[a for a in kwargs.values() if callable(a)]])
        return _somewhere((start.size,))
    function.__name__ = name
    return function


fmin = _simple("fmin")
fmin_bfgs, fmin_cg = _simple("fmin_bfgs"), _simple("fmin_cg")


def approx_fprime(xk, f, epsilon=1.49e-8, *args):
    refuse_tracers((xk, epsilon, args), {})
    start = np.atleast_1d(np.asarray(xk, dtype=np.float64))
    value = np.atleast_1d(np.asarray(f(start, *args)))
    called_again([f])
    return _somewhere((*(value.shape if value.size > 1 else ()), start.size)) if value.ndim == 1 else core.unknown("a gradient of a grid")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name[0].isupper():
        return unknown("", f"`scipy.optimize.{name}` is not modelled")

    def function(*args, **kwargs):
        called_again([x for x in (*args, *kwargs.values()) if callable(x)])
        return core.unknown(f"`scipy.optimize.{name}` is not modelled")
    function.__name__ = name
    return function
