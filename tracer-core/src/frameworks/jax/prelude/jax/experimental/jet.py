"""`jax.experimental.jet`: the derivatives of a function along a curve, all up to an order.

A curve is a polynomial of one parameter. What `jet` gives are the derivatives of the function along it by that parameter, which are found
here by differentiating forward as often. JAX has a rule for each primitive instead, and none for some: those are errors.
"""
import math

from _jitlens import core

from .. import _custom_jvp, _unmodelled
from .._jaxprs import Literal

# Primitives whose results do not move along the curve.
_STILL = frozenset("""and ceil eq floor ge gt is_finite le lt ne not or round shift_left shift_right_arithmetic shift_right_logical sign
    stop_gradient xor""".split())
# Others that JAX has a rule for.
_RULES = frozenset("""abs acosh add add_any asinh atan2 atanh bitcast_convert_type broadcast_in_dim clamp complex concatenate conj
    conv_general_dilated convert_element_type copy cos cosh cummax cummin cumprod cumsum device_put div dot_general dynamic_slice
    dynamic_update_slice erf erf_inv erfc exp expm1 fft gather imag integer_pow log log1p logistic max min mul neg pad pow real
    reduce_max reduce_min reduce_sum reduce_window_sum rem reshape reshard rev rsqrt scatter-add select_n sin sinh slice split sqrt square
    squeeze stack sub tanh transpose unstack""".split())
# Calls whose body counts.
_CALLS = frozenset(("jit", "custom_jvp_call", "custom_vjp_call"))

__getattr__ = _unmodelled.names("jax.experimental.jet", "zero_series")


def jet(fun, primals, series, factorial_scaled=True, **_):
    try:
        order, = set(map(len, series))
    except ValueError:
        raise ValueError("jet terms have inconsistent lengths for different arguments") from None
    for i, (x, terms) in enumerate(zip(primals, series)):
        if not _is_leaf(x):
            raise ValueError(f"primal value at position {i} is not an array")
        for j, term in enumerate(terms):
            if not _is_leaf(term):
                raise ValueError(f"term {j} for argument {i} is not an array")
    primals = list(primals)
    in_tree = core.tree_structure((tuple([0] * len(primals)), {}))
    with _custom_jvp.ignored_rules():
        jaxpr, consts, out_tree, out_avals = core.trace_to_jaxpr(fun, in_tree, [core.typeof(x) for x in primals], "jet", fun)
    moves = _moving(jaxpr.jaxpr, [False] * len(consts) + [True] * len(primals))
    moves = [moved and core.dtype_kind(aval.dtype) in ("float", "complex") for moved, aval in zip(moves, out_avals)]

    # JAX's factorials are not quite whole.
    scales = [fact(k) if factorial_scaled else 1 for k in range(1, order + 1)]

    def curve(parameter):
        xs = []
        for x, terms in zip(primals, series):
            aval = core.typeof(x)
            for k, term in enumerate(terms, 1):
                x = x + (term / scales[k - 1]) * (parameter ** k).astype(core.typeof(term).dtype)
            xs.append(core.convert(x, aval.dtype, aval.weak_type))
        return core.eval_jaxpr(jaxpr, *consts, *xs)

    found = _derivatives(curve, moves, order)
    outs = curve(_start())
    columns = iter(zip(*found)) if order else iter([()] * len(outs))
    rows = []
    for out, moved in zip(outs, moves):
        if moved:
            rows.append([core.convert(term / math.factorial(k) * scales[k - 1], core.dtype(out)) for k, term in enumerate(next(columns), 1)])
        else:
            zeros = core.zeros_like(out)
            rows.append([zeros * scale if factorial_scaled else zeros for scale in scales])
    return out_tree.unflatten(outs), out_tree.unflatten(rows)


def jet2(fun, primals, series):
    return jet(fun, primals, series, factorial_scaled=False)


def fact(n):
    from .. import lax
    return lax.exp(lax.lgamma(n + 1.))


def _is_leaf(x):
    leaves, tree = core.tree_flatten(x)
    return len(leaves) == 1 and tree == core.tree_structure(0)


def _start():
    import jax.numpy as jnp
    return jnp.zeros((), "float64" if core.x64_enabled() else "float32")


def _derivatives(curve, moves, order):
    """For each order from the first on, the derivatives of what moves."""
    from .. import jvp, numpy as jnp

    def moving(parameter):
        return [[out for out, moved in zip(curve(parameter), moves) if moved]]

    def once_more(lower):
        def function(parameter):
            below, dots = jvp(lower, (parameter,), (jnp.ones_like(parameter),))
            return below + [dots[-1]]
        return function

    function = moving
    for _ in range(order):
        function = once_more(function)
    return function(_start())[1:]


def _moving(jaxpr, ins):
    """Which results move along with the arguments that do.

    Raises KeyError where JAX has no rule for how they do.
    """
    env = dict(zip(jaxpr.invars, ins))

    def read(atom):
        return not isinstance(atom, Literal) and env.get(atom, False)

    for eqn in jaxpr.eqns:
        given = [read(x) for x in eqn.invars]
        for var, moved in zip(eqn.outvars, _of_equation(eqn, given)):
            env[var] = moved
    return [read(x) for x in jaxpr.outvars]


def _of_equation(eqn, given):
    name = eqn.primitive.name
    if not any(given) or name in _STILL:
        return [False] * len(eqn.outvars)
    if name in _CALLS:
        for key in ("jaxpr", "call_jaxpr"):
            if key in eqn.params:
                inner = eqn.params[key]
                return _moving(inner.jaxpr if hasattr(inner, "jaxpr") else inner, given)
    if name not in _RULES:
        raise KeyError(eqn.primitive)
    return [True] * len(eqn.outvars)
