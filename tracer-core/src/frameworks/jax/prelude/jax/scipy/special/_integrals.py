"""Integrals that have names: sine and cosine, Fresnel's, the dilogarithm, Owen's T.

The ratios of polynomials are those of Moshier's Cephes library.
"""
import math

import numpy as np

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..._custom_jvp import custom_jvp

EULER = 0.5772156649015329


def real(name, *args):
    args = core.promote_inexact(name, *args)
    if core.dtype_kind(args[0].dtype) == "complex":
        raise ValueError(f"{name} does not support complex-valued inputs.")
    return args


def polynomial(coefficients, x):
    return jnp.polyval(core.numpy_array(coefficients, x.dtype), x)


def ratio(above, below, x):
    return polynomial(above, x) / polynomial(below, x)


# -------------------------------------------------------------------------------------------------- sine and cosine

_SINE = (-8.391678279103039e-11, 4.625917144270128e-08, -9.757593038436328e-06, 0.0009769454381704354, -0.04134703162294066, 1.0)
_SINE_BELOW = (2.0326926619595193e-12, 1.279978911799433e-09, 4.418278428012189e-07, 9.964121220438756e-05,
               0.01420852393261499, 1.0)
_COSINE = (2.0252400238910228e-11, -1.3524950491579076e-08, 3.593250514199931e-06, -0.0004740072068734079,
           0.028915965260755523, -1.0)
_COSINE_BELOW = (4.077460400618806e-12, 3.067809975818878e-09, 1.2321035568588342e-06, 0.00031744202477503275,
                 0.051002805623644606, 4.0)
_F4 = (4.236128628922166, 5.4593771716181285, 1.6208328770153833, 0.16700661183132304, 0.006810201324725182,
       0.00010893658065032867, 5.489002234213736e-07)
_F4_BELOW = (1.0, 8.16496634205391, 7.308288225055645, 1.867922579501842, 0.1787920529631499, 0.007017106683227897,
             0.00011003435715391573, 5.489002527562557e-07)
_G4 = (0.08710016989731142, 0.6113791099522193, 0.3971802963923375, 0.07485277376284691, 0.005388686814621773,
       0.00016199979459893403, 1.9796387414096365e-06, 7.825790407440903e-09)
_G4_BELOW = (1.0, 1.6440220241335535, 0.666296701268988, 0.09887717612776888, 0.006223963454417684, 0.0001732210814741771,
             2.0265918208634397e-06, 7.825792189335346e-09)
_F8 = (0.4558808734704653, 0.7137152741001467, 0.16030015822231947, 0.01160642294081244, 0.00034955644244785906,
       4.8621543082645475e-06, 3.200927900910049e-08, 9.41779576128513e-11, 9.70507110881952e-14)
_F8_BELOW = (1.0, 0.9174636118736841, 0.17868554533207454, 0.012225359477197129, 0.00035869648188185157, 4.924350643178815e-06,
             3.21956939101046e-08, 9.437205903502767e-11, 9.70507110881952e-14)
_G8 = (0.6973599534432762, 0.33041097930563207, 0.03848787676499743, 0.001717182390523479, 3.4894116550227946e-05,
       3.471311670841167e-07, 1.7040445278204452e-09, 3.859459254302766e-12, 3.1404009894636335e-15)
_G8_BELOW = (1.0, 1.6854889881101165, 0.48785225869530496, 0.04679131942596258, 0.0019028442667439953, 3.684755044425611e-05,
             3.5704322344374083e-07, 1.7269374896631615e-09, 3.878301660239547e-12, 3.1404009894636335e-15)


@custom_jvp
@core.jit
def sici(x):
    x, = real("sici", x)
    size = jnp.abs(x)
    square = size * size
    si = jnp.where(size == 0, 0.0, size * polynomial(_SINE, square) / polynomial(_SINE_BELOW, square))
    ci = jnp.where(size == 0, -math.inf, EULER + p.log(size) + square * polynomial(_COSINE, square) / polynomial(_COSINE_BELOW, square))
    sine, cosine = jnp.sin(size), jnp.cos(size)
    w = 1 / square
    f = jnp.where(size < 8, polynomial(_F4, w) / (size * polynomial(_F4_BELOW, w)), polynomial(_F8, w) / (size * polynomial(_F8_BELOW, w)))
    g = jnp.where(size < 8, w * polynomial(_G4, w) / polynomial(_G4_BELOW, w), w * polynomial(_G8, w) / polynomial(_G8_BELOW, w))
    half = math.pi / 2
    far = size > 1e9
    si = jnp.where(size <= 4, si, jnp.where(far, half - cosine / size, half - f * cosine - g * sine))
    ci = jnp.where(size <= 4, ci, jnp.where(far, sine / size, f * sine - g * cosine))
    si = jnp.where(size == math.inf, half, si)
    ci = jnp.where(size == math.inf, 0.0, ci)
    return jnp.sign(x) * si, jnp.where(x == -math.inf, math.nan, ci)


@sici.defjvp
def _sici_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return sici(x), (jnp.sinc(x / math.pi) * t, jnp.cos(x) / x * t)


# ----------------------------------------------------------------------------------------------------------- Fresnel

_SN = (-2991.8191940101983, 708840.0452577386, -62974148.62058625, 2548908805.7337637, -44297951805.96978, 318016297876.5678)
_SD = (1.0, 281.3762688899943, 45584.78108065326, 5173438.887700964, 419320245.8981112, 22441179564.534092, 607366389490.0846)
_CN = (-4.9884311457357354e-08, 9.504280628298596e-06, -0.0006451914356839651, 0.018884331939670384, -0.20552590095501388, 1.0)
_CD = (3.99982968972496e-12, 9.154392157746574e-10, 1.2500186247959882e-07, 1.2226278902417902e-05, 0.0008680295429417843,
       0.04121420907221998, 1.0)
_FN = (0.4215435550436775, 0.1434079197807589, 0.011522095507358577, 0.000345017939782574, 4.6361374928786735e-06,
       3.055689837902576e-08, 1.0230451416490724e-10, 1.7201074326816183e-13, 1.3428327623306275e-16, 3.763297112699879e-20)
_FD = (1.0, 0.7515863983533789, 0.11688892585919138, 0.0064405152650885865, 0.00015593440916415301, 1.8462756734893055e-06,
       1.1269922476399903e-08, 3.6014002958937136e-11, 5.887545336215784e-14, 4.5200143407412973e-17, 1.2544323709001127e-20)
_GN = (0.5044420736433832, 0.1971028335255234, 0.018764858409257526, 0.0006840793809153931, 1.1513882611188428e-05,
       9.828524436884223e-08, 4.4534441586175015e-10, 1.0826804113902088e-12, 1.375554606332618e-15, 8.363544356306774e-19,
       1.8695871016278324e-22)
_GD = (1.0, 1.4749575992512833, 0.33774898912002, 0.02536037414203388, 0.0008146791071843061, 1.2754507566772912e-05,
       1.0431458965757199e-07, 4.6068072814652043e-10, 1.1027321506624028e-12, 1.3879653125957886e-15, 8.391588162831187e-19,
       1.8695871016278324e-22)


@custom_jvp
def fresnel(x):
    x, = core.promote_inexact("fresnel", x)
    if core.dtype_kind(x.dtype) == "complex":
        raise NotImplementedError("Support for complex-valued inputs is not implemented yet.")
    given = x.dtype
    if given.name in ("bfloat16", "float16"):
        x = x.astype("float32")
    size = jnp.abs(x)
    square = size * size
    fourth = square * square
    sine, cosine = _sine_cosine_of_half(size)
    u = jnp.maximum(math.pi * square, 1e-6)
    w = 1 / (u * u)
    f = 1 - w * ratio(_FN, _FD, w)
    g = ratio(_GN, _GD, w) / u
    turn = math.pi * jnp.maximum(size, 1e-3)
    far_s = 0.5 - (f * cosine + g * sine) / turn
    far_c = 0.5 + (f * sine - g * cosine) / turn
    near = square < 2.5625
    limit = size > 36974.0
    s = jnp.where(near, size * square * ratio(_SN, _SD, fourth), jnp.where(limit, 0.5, far_s))
    c = jnp.where(near, size * ratio(_CN, _CD, fourth), jnp.where(limit, 0.5, far_c))
    s, c = jnp.where(x < 0, -s, s), jnp.where(x < 0, -c, c)
    return s.astype(given), c.astype(given)


def _sine_cosine_of_half(x):
    """Sine and cosine of pi x^2 / 2 without losing digits to large x."""
    part = x % 2
    turn = (part * (x - part / 2)) % 2
    return jnp.sin(math.pi * turn), jnp.cos(math.pi * turn)


@fresnel.defjvp
def _fresnel_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    sine, cosine = _sine_cosine_of_half(jnp.abs(x))
    return fresnel(x), (sine * t, cosine * t)


# ----------------------------------------------------------------------------------------------- dilogarithm, Owen's T

_LI = (4.6512858607399003e-05, 0.007315890452380947, 0.13384763957830903, 0.8796913117545303, 2.7114985119655346,
       4.256971560081218, 3.297713409852251, 1.0)
_LI_BELOW = (0.0006909904889125533, 0.02540437639325444, 0.2829748606025681, 1.4117259775183106, 3.6380053334513707,
             5.03278880143317, 3.547713409852251, 1.0)


def spence(x):
    x = jnp.asarray(x)
    if x.dtype.name not in ("float32", "float64"):
        raise TypeError(f"x.dtype={x.dtype} is not supported, see docstring for supported types.")
    return _spence(x)


# Its derivatives are those of the branches: at 1 it is a constant.

def _spence(x):
    return jnp.piecewise(x, [x < 0.0, x == 1.0, x == 0.0], [math.nan, 0, math.pi ** 2 / 6, _spence_inside])


def _spence_inside(x):
    inverted = x > 2.0
    x = jnp.piecewise(x, [inverted], [lambda x: 1.0 / x, lambda x: x])
    above, below = x > 1.5, x < 0.5
    inverted = inverted | above
    w = jnp.piecewise(x, [above, below], [lambda x: 1.0 / x - 1.0, lambda x: -x, lambda x: x - 1.0])
    found = -w * polynomial(_LI, w) / polynomial(_LI_BELOW, w)
    found = jnp.where(below, math.pi ** 2 / 6.0 - jnp.log(x) * jnp.log(1.0 - x) - found, found)
    return jnp.where(inverted, -0.5 * jnp.log(x) ** 2 - found, found)


# Gauss and Legendre's rule of 26 points on -1 to 1: squares of the positive ones, and weights over 2 pi. They are as wide as numbers may be.
_POINTS = np.array([0.0035082039676451716, 0.031279042338030756, 0.08526682628321945, 0.16245071730812277, 0.25851196049125436,
           0.3680755384069753, 0.485010929056047, 0.6027751415261857, 0.7147788421775323, 0.814755109887601,
           0.8971102975594897, 0.9572380808594426, 0.991788329746297])
_WEIGHTS = np.array([0.018831438115323503, 0.01856708624397765, 0.018042093461223385, 0.017263829606398752, 0.016243219975989858,
            0.014994592034116705, 0.013535474469662087, 0.011886351605820165, 0.010070377242777432, 0.008113054574229958,
            0.006041900952847024, 0.0038862217010742057, 0.001679303108454609])


def owens_t(h, a):
    return _owens_t(*core.promote_inexact("owens_t", h, a))


@custom_jvp
def _owens_t(h, a):
    size, slope = jnp.abs(h), jnp.abs(a)
    steep = slope > 1
    inner = jnp.where(steep, 1 / jnp.where(steep, slope, 1.0), slope)
    reach = jnp.where(steep, slope * size, size)
    r = jnp.expand_dims(inner ** 2, -1) * _POINTS
    heights = p.exp(-0.5 * jnp.expand_dims(reach ** 2, -1) * (1 + r)) / (1 + r)
    found = inner * (heights @ _WEIGHTS)
    root = math.sqrt(2)
    found = jnp.where(reach == 0, jnp.arctan(inner) / (2 * math.pi), found)
    found = jnp.where(inner == 1, 0.125 * p.erfc(-reach / root) * p.erfc(reach / root), found)
    near, far = size / root, slope * size / root
    low = 0.25 - 0.25 * p.erf(near) * p.erf(far) - found
    tails = p.erfc(near), p.erfc(far)
    high = 0.25 * (tails[0] + tails[1] - tails[0] * tails[1]) - found
    found = jnp.where(steep, jnp.where(slope * size <= 0.67, low, high), found)
    return jnp.where(jnp.isnan(a) | jnp.isnan(size), math.nan, jnp.sign(a) * found)


_owens_t.defjvps(
    lambda t, out, h, a: (-p.exp(-0.5 * h ** 2) * p.erf(a * h / math.sqrt(2)) / (2 * math.sqrt(2 * math.pi)) * t).astype(out.dtype),
    lambda t, out, h, a: (p.exp(-0.5 * h ** 2 * (1 + a ** 2)) / (2 * math.pi * (1 + a ** 2)) * t).astype(out.dtype))
