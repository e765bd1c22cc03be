"""The exponential integrals, as Moshier's Cephes library has them: every step of theirs is rounded to the type of the argument."""
import functools
import math

from _jitlens import core

from ... import numpy as jnp
from ..._custom_jvp import custom_jvp
from ...lax import fori_loop, while_loop
from ._gamma import gammaln
from ._integrals import EULER, ratio, real


def exp1(x):
    x, = real("exp1", x)
    return expn(1, x)


@functools.partial(custom_jvp, nondiff_argnums=(0,))
@jnp.vectorize
@core.jit
def expn(n, x):
    if n is None:
        raise ValueError("None is not a valid value for jnp.array")
    n, x = real("expn", n, x)
    where = [(n < 0) | (x < 0), (x == 0) & (n < 2), (x == 0) & (n >= 2), (n == 0) & (x >= 0), n >= 5000, x > 1]
    pole = jnp.where(n == 1, n + n, n)
    return jnp.piecewise(x, where, [math.nan, math.inf, 1 / pole, jnp.exp(-x) / x, _of_large_order, _by_fraction, _by_series], n=n)


# What is passed as `n` of a compiled function cannot be differentiated past: a second derivative is an error.

@expn.defjvp
@core.jit
def _expn_jvp(n, primals, tangents):
    (x,), (t,) = primals, tangents
    return expn(n, x), -t * expn(n - 1, x)


def _by_series(x, n):
    """For x of at most 1: powers of -x, where that which would be divided by zero has a logarithm instead."""
    zero, one = core.scalar_like(x, 0), core.scalar_like(x, 1)
    harmonic = fori_loop(one, n, lambda i, total: total + one / i, -EULER - jnp.log(x))
    start = dict(
        argument=x, minus=-x, i=zero, power=one, below=one - n, change=math.inf,
        ans=jnp.where(n == 1, zero, one / (one - jnp.where(n == 1, one + one, n))))

    def add(state):
        i = state["i"] + one
        power = state["power"] * (state["minus"] / i)
        below = state["below"] + one
        ans = state["ans"] + jnp.where(below != zero, power / below, zero)
        return dict(state, i=i, power=power, below=below, ans=ans, change=jnp.where(ans != zero, abs(power / ans), one))

    found = while_loop(lambda state: (state["argument"] > 0) & (state["change"] > core.finfo(x.dtype).eps), add, start)
    return found["minus"] ** (n - one) * harmonic / jnp.exp(gammaln(n)) - found["ans"]


def _by_fraction(x, n):
    """For x above 1: convergents of a continued fraction, numerators p over denominators q, until they rest."""
    zero, one, two = [core.scalar_like(x, value) for value in (0, 1, 2)]
    # Of an array every branch is computed for all numbers: near 0 the fraction would come to no end.
    x = jnp.where(x > one, x, two)
    large = core.scalar_like(x, 2.0 ** 57)
    start = dict(k=one, p2=one, q2=x, p1=one, q1=x + n, ans=one / (x + n), change=core.scalar_like(x, math.inf), last=zero, argument=x)

    def add(state):
        k, argument = state["k"] + one, state["argument"]
        odd = k % two == one
        kept = jnp.where(odd, one, argument)
        added = jnp.where(odd, n + (k - one) / two, k / two)
        p = state["p1"] * kept + state["p2"] * added
        q = state["q1"] * kept + state["q2"] * added
        proper = q != zero
        last = jnp.where(proper, p / q, state["last"])
        change = jnp.where(proper, abs((state["ans"] - last) / last), one)
        ans = jnp.where(proper, last, state["ans"])
        scaled = abs(p) > large
        p, p2, q, q2 = [jnp.where(scaled, part / large, part) for part in (p, state["p1"], q, state["q1"])]
        return dict(k=k, p2=p2, q2=q2, p1=p, q1=q, ans=ans, change=change, last=last, argument=argument)

    found = while_loop(lambda state: (state["argument"] > 0) & (state["change"] > core.finfo(x.dtype).eps), add, start)
    return found["ans"] * jnp.exp(-x)


def _of_large_order(x, n):
    """For n of at least 5000: the first terms of an expansion in 1 / (x + n)."""
    both = x + n
    inverse = 1 / (both * both)
    ans = inverse * n * (6 * x * x - 8 * n * x + n * n)
    ans = inverse * (ans + n * (n - 2 * x))
    ans = inverse * (ans + n)
    return (ans + 1) * jnp.exp(-x) / both


# Ratios for Ei(x) above 0: in x up to 2, and in 1 / x up to 4, 8, 16, 32, 64 and above.
_ONE = (-5.350447357812543, 218.50491688166133, -4176.572384826693, 55411.76756393557, -331338.13311781443, 1592627.1633849454)
_ONE_BELOW = (1.0, -52.505479591128626, 1259.6161867867906, -17565.495819735348, 149306.2117002726, -729494.9239640528,
              1592627.1633849454)
_TWO = (0.019818085032596897, -1.2716456259849176, -2.0881603356812284, 2.7555445091879367, -0.44095070487016,
        0.046656238059358916, -0.0015450426796734852, 7.059980605299618e-05)
_TWO_BELOW = (1.0, 1.4764986709149215, 0.5629177174822436, 0.16990178978793072, 0.02291647179034212, 0.0044501504397287525,
              0.00017274396122065214, 3.953167195549672e-05)
_THREE = (-1.3732153758712087, -0.7084559133740839, 1.580806855547941, -0.2601500427425623, 0.029946746941137137,
          -0.001038086040188744, 4.371064420753005e-05, 2.141783679522603e-06)
_THREE_BELOW = (1.0, 0.8585231423622028, 0.4483285822873995, 0.07687932158124476, 0.024498682410218877, 0.0008832165941927797,
                0.00045909522995113536, -4.729848351866523e-06, 2.66519553739071e-06)
_FOUR = (-2.1069346016919166, 1.7327338696646881, -0.2423619178935842, 0.02322724180937566, 0.00023728804404931798,
         -8.343219561192553e-05, 1.3634087956052505e-05, -3.655412321999254e-07, 1.4649417339759612e-08, 6.17640786371036e-10)
_FOUR_BELOW = (1.0, -0.2298062239901678, 0.11050770414740378, -0.015665429666307924, 0.002761106850817353,
               -0.00020891480122840484, 1.7085289388076754e-05, -4.4593117963566865e-07, 1.3946349303538475e-08,
               6.150865933977338e-10)
_FIVE = (-0.24581193676740204, -0.14833822533220778, 0.07248291795735552, -0.013483156873809405, 0.001342775069788637,
         -7.942465637159712e-05, 2.644179518984236e-06, -4.239473659313765e-08)
_FIVE_BELOW = (1.0, -0.10442259084438711, -0.26764531281014026, 0.09695000254621984, -0.01601745692712991,
               0.001496414899205908, -8.462452563778485e-05, 2.7289384034767266e-06, -4.239462431819542e-08)
_SIX = (0.12125611181054567, -0.5823133179043894, 0.2348887314557017, -0.030400343181132484, 0.0015100821468651906,
        -2.5231370954995714e-05)
_SIX_BELOW = (1.0, -1.002252150365854, 0.2928709694872224, -0.03337004338674008, 0.0015605448811273888, -2.5231370936032347e-05)
_SEVEN = (-0.7657847078286127, 0.6886192415566705, -0.2132598113545206, 0.033461075523841935, -0.003076541477344756,
          0.00017471193164549074, -6.1037116822741705e-06, 1.218032765428652e-07, -1.0860761027932903e-09)
_SEVEN_BELOW = (1.0, -1.8888028686623086, 1.066691687211409, -0.27519159823063805, 0.039308526882338234, -0.003414684558602365,
                0.00018668443707035555, -6.345146083130515e-06, 1.239754287483207e-07, -1.0860761027931265e-09)

@custom_jvp
@core.jit
def expi(x):
    x, = real("expi", x)
    return jnp.piecewise(x, [x < 0], [lambda x: -exp1(-x), _above_zero])


def _above_zero(x):
    limits = [(0, 2), (2, 4), (4, 8), (8, 16), (16, 32), (32, 64)]
    tables = [(_TWO, _TWO_BELOW), (_THREE, _THREE_BELOW), (_FOUR, _FOUR_BELOW), (_FIVE, _FIVE_BELOW), (_SIX, _SIX_BELOW),
              (_SEVEN, _SEVEN_BELOW)]
    return jnp.piecewise(x, [(low < x) & (x <= high) for low, high in limits],
                         [_near_zero] + [functools.partial(_far_from_zero, *table) for table in tables])


def _near_zero(x):
    return x * ratio(_ONE, _ONE_BELOW, x) + EULER + jnp.log(x)


def _far_from_zero(above, below, x):
    inverse = 1 / x
    return jnp.exp(x) * inverse * (inverse * ratio(above, below, inverse) + 1)


@expi.defjvp
@core.jit
def _expi_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return expi(x), jnp.exp(x) / x * t
