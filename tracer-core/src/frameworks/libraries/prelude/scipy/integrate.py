"""`scipy.integrate`: the integrand is called where an integral starts; what the integral is is not known."""

import numpy as np
from _jitlens import core
from _jitlens.python import called_again, unknown

from . import _arrays
from ._arrays import floating, numbers, opaque, opaque_array, refuse_tracers

_WHY = "an integral"
__getattr__ = _arrays.unmodelled("scipy.integrate")


def _tuple(args):
    return args if isinstance(args, tuple) else (args,)


def _number():
    return unknown("float", _WHY)


def _middle(a, b):
    """Where an integrand is looked at first."""
    if callable(a) or callable(b):
        called_again([x for x in (a, b) if callable(x)])
        return _number()
    a, b = float(a), float(b)
    if abs(a) == float("inf") or abs(b) == float("inf"):
        return a + 1.0 if abs(a) != float("inf") else b - 1.0 if abs(b) != float("inf") else 1.0
    return 0.5 * (a + b)


def quad(func, a, b, args=(), full_output=0, epsabs=1.49e-8, epsrel=1.49e-8, limit=50, points=None, weight=None, wvar=None, wopts=None,
         maxp1=50, limlst=50, complex_func=False):
    refuse_tracers((a, b, args), {})
    func(_middle(a, b), *_tuple(args))
    called_again([func])
    if full_output:
        return core.unknown("what `quad` tells beside the integral")
    return (unknown("complex", _WHY), unknown("complex", _WHY)) if complex_func else (_number(), _number())


def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    refuse_tracers((a, b, args), {})
    func(_middle(gfun, hfun), _middle(a, b), *_tuple(args))
    called_again([func])
    return _number(), _number()


def tplquad(func, a, b, gfun, hfun, qfun, rfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    refuse_tracers((a, b, args), {})
    func(_middle(qfun, rfun), _middle(gfun, hfun), _middle(a, b), *_tuple(args))
    called_again([func])
    return _number(), _number()


def nquad(func, ranges, args=None, opts=None, full_output=False):
    refuse_tracers((args,), {})
    called_again([x for x in ranges if callable(x)])
    func(*[_number() if callable(r) else _middle(*r) for r in ranges], *(_tuple(args) if args is not None else ()))
    called_again([func])
    return core.unknown("what `nquad` tells beside the integral") if full_output else (_number(), _number())


def quad_vec(f, a, b, epsabs=1e-200, epsrel=1e-8, norm="2", cache_size=100e6, limit=10000, workers=1, points=None, quadrature=None,
             full_output=False, *, args=()):
    refuse_tracers((a, b, args), {})
    value = np.asarray(f(_middle(a, b), *args))
    called_again([f])
    if full_output or value.dtype.name not in ("float64", "complex128") or value.ndim == 0:
        return core.unknown("of which type an integral is")
    return opaque(value.shape, value.dtype), unknown("", _WHY)


def fixed_quad(func, a, b, args=(), n=5):
    refuse_tracers((a, b, args), {})
    value = np.asarray(func(opaque((n,), "float64"), *args))
    called_again([func])
    shape = np.broadcast_shapes(value.shape, (n,))[:-1]
    return opaque(shape, np.result_type(value.dtype, np.float64)), None


def trapezoid(y, x=None, dx=1.0, axis=-1):
    refuse_tracers((y, x, dx), {})
    return np.trapezoid(y, x, dx, axis)


def _without(shape, axis):
    axis = axis % len(shape)
    return shape[:axis] + shape[axis + 1:]


def _typed(y, x):
    """The type of sums over `y` times lengths between `x`."""
    return floating(y.dtype) if x is None else np.result_type(floating(y.dtype), floating(x.dtype))


def simpson(y, x=None, *, dx=1.0, axis=-1):
    refuse_tracers((y, x, dx), {})
    y = numbers(y)
    x = None if x is None else numbers(x)
    dtype = _typed(y, x)
    if y.ndim == 0 or y.dtype.name == "float16" or not isinstance(dx, (int, float)) or dtype.name not in ("float64", "complex128") and x is not None:
        return core.unknown("Simpson's rule for these numbers")
    return opaque(_without(y.shape, axis), dtype)


def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    refuse_tracers((y, x, dx), {})
    y = numbers(y)
    x = None if x is None else numbers(x)
    if y.ndim == 0 or y.dtype.name == "float16" or not isinstance(dx, (int, float)):
        return core.unknown("sums of these numbers")
    shape = list(y.shape)
    if initial is None:
        shape[axis] -= 1
    return opaque(shape, _typed(y, x))


def cumulative_simpson(y, *, x=None, dx=1.0, axis=-1, initial=None):
    refuse_tracers((y, x, dx), {})
    y = numbers(y)
    if y.dtype.name != "float64" or x is not None and numbers(x).dtype.name != "float64":
        return core.unknown("sums of these numbers")
    shape = list(y.shape)
    if initial is None:
        shape[axis] -= 1
    return opaque(shape, "float64")


def romb(y, dx=1.0, axis=-1, show=False):
    refuse_tracers((y, dx), {})
    y = numbers(y)
    return opaque(_without(y.shape, axis), "float64") if y.dtype.name == "float64" else core.unknown("sums of these numbers")


class OdeResult(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value


class OdeSolution:
    """What a solver found as a function of time."""

    def __init__(self, shape, dtype):
        self._shape, self._dtype = shape, dtype
        self.n_segments = unknown("int", _WHY)
        self.t_min = self.t_max = unknown("float", _WHY)
        self.ts, self.interpolants = unknown("", _WHY), unknown("", _WHY)

    def __call__(self, t):
        t = numbers(t)
        return opaque(self._shape + t.shape, self._dtype) if t.ndim < 2 else core.unknown("a solution at a grid of times")


def solve_ivp(fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, args=None, **options):
    refuse_tracers((t_span, y0, t_eval, args), {})
    start = numbers(y0)
    if start.ndim != 1:
        raise ValueError("`y0` must be 1-dimensional.")
    dtype = "complex128" if start.dtype.kind == "c" else "float64"
    more = () if args is None else tuple(args)
    first = float(list(t_span)[0])
    fun(first, start.astype(dtype), *more)
    events = events if events is None or isinstance(events, (list, tuple)) else (events,)
    for event in events or ():
        event(first, start.astype(dtype), *more)
    called_again([fun, *(events or ()), options.get("jac")])
    stops = [e for e in events or () if getattr(e, "terminal", False)]
    if t_eval is not None:
        times = numbers(t_eval)
        # An event may end it before, and so may a failure, which is no more asked than of others.
        count = core.unknown_dim("times") if stops else times.shape[0]
        kind = times.dtype if not stops else core.unknown("how far a solver came")
    else:
        count, kind = core.unknown_dim("times"), "float64"
    result = OdeResult(t=opaque((count,), kind), y=opaque((start.shape[0], count), dtype),
                       sol=OdeSolution(start.shape, dtype) if dense_output else None,
                       t_events=None if events is None else [opaque((core.unknown_dim("events"),), "float64") for _ in events],
                       y_events=None if events is None else [unknown("", _WHY) for _ in events],
                       nfev=unknown("int", _WHY), njev=unknown("int", _WHY), nlu=unknown("int", _WHY), status=unknown("int", _WHY),
                       message=unknown("str", _WHY), success=unknown("bool", _WHY))
    return result


def _first(times):
    return float(times[0]) if times.shape[0] else _number()


def odeint(func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=None, atol=None, tcrit=None, h0=0.0, hmax=0.0,
           hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5, printmessg=0, tfirst=False):
    refuse_tracers((y0, t, args), {})
    start, times = numbers(y0), numbers(t)
    if start.ndim > 1 or start.dtype.kind == "c" or times.ndim != 1:
        return core.unknown("`odeint` of these numbers")
    state = np.atleast_1d(start).astype("float64")
    func(*((_first(times), state) if tfirst else (state, _first(times))), *_tuple(args))
    called_again([func, Dfun])
    made = opaque((times.shape[0], start.size), "float64")
    return (made, unknown("", _WHY)) if full_output else made
