"""The function of Faddeeva, and what it gives on the axes: the scaled error function and Dawson's integral."""
import math

from _jitlens import core, prims as p

from ... import numpy as jnp
from ..._custom_jvp import custom_jvp
from ._integrals import polynomial, ratio

# Weideman's rational function of 32 terms.
_SCALE = 4.756828460010884
_TERMS = (-1.3034426067909105e-12, 3.741183837373847e-12, 8.030427700497756e-12, -2.154359355749088e-11,
          -5.544244996323793e-11, 1.165824698850374e-10, 4.1537441121999766e-10, -5.231020211492061e-10,
          -3.2080151339721323e-09, 8.124886421653591e-10, 2.3797556530014025e-08, 2.2930438438915445e-08,
          -1.4813078929137642e-07, -4.1840763750512053e-07, 4.2558331397138446e-07, 4.401531731283225e-06,
          6.821031944357515e-06, -2.1409619201999998e-05, -0.0001307544925457942, -0.00024532980270038237,
          0.00039259136070109705, 0.004519541105349309, 0.0190061557848455, 0.05730440352983728, 0.14060716226893755,
          0.2954445107150874, 0.5460139720639338, 0.9019254893648001, 1.345544169234545, 1.8256696296324815,
          2.2635372999002676, 2.5722534081245696)


def wofz(z):
    z, = core.promote_inexact("wofz", z)
    return _wofz(z.astype(core.to_complex_dtype(z.dtype)))


@custom_jvp
def _wofz(z):
    upper = jnp.imag(z) >= 0
    there = jnp.where(upper, z, -z)
    turned = p.complex(-jnp.imag(there), jnp.real(there))
    below = _SCALE - turned
    found = 2 * polynomial(_TERMS, (_SCALE + turned) / below) / (below * below) + (1 / math.sqrt(math.pi)) / below
    return jnp.where(upper, found, 2 * jnp.exp(-(z * z)) - found)


_wofz.defjvps(lambda t, w, z: (-2 * z * w + 2j / math.sqrt(math.pi)) * t)


def erfcx(x):
    x, = core.promote_inexact("erfcx", x)
    if core.dtype_kind(x.dtype) == "complex":
        return wofz(1j * x)
    return _erfcx(x)


_FAR = (7918.06640625, -1055.7421875, 162.421875, -29.53125, 6.5625, -1.875, 0.75, -0.5, 1.0)


@custom_jvp
def _erfcx(x):
    wide = x.dtype.name == "float64"
    far = x > (26.0 if wide else 9.419280052185059)
    near = jnp.where(far, 1.0, x)
    beyond = jnp.where(far, x, 1.0)
    terms = _FAR if wide else _FAR[4:]
    return jnp.where(far, polynomial(terms, 1 / (beyond * beyond)) / (beyond * math.sqrt(math.pi)), p.exp(near * near) * p.erfc(near))


_erfcx.defjvps(lambda t, w, x: (2 * x * w - 2 / math.sqrt(math.pi)) * t)


def dawsn(x):
    x, = core.promote_inexact("dawsn", x)
    if core.dtype_kind(x.dtype) == "complex":
        raise ValueError("dawsn does not support complex-valued inputs.")
    return _dawsn(x)


# Cephes: below 3.25, below 6.25 and above, by squares and their inverses.
_AN = (1.1368149897175597e-11, 8.492622676674738e-10, 1.9443420417555306e-08, 9.531517412544844e-07, 3.078283098749132e-06,
       0.00035251336852028877, -0.0008501498467244109, 0.04226182230055466, -0.09174803717734524, 1.0)
_AD = (2.403720730667626e-11, 1.488646813684934e-09, 5.212652810105416e-08, 1.2725847827318697e-06, 2.324902498207895e-05,
       0.00032552474182605793, 0.003488058146571626, 0.027944853119882897, 0.15887424196012057, 0.5749186294893204, 1.0)
_BN = (0.5089551564179009, -0.24475441814269785, 0.09415123353035344, -0.021871125514203903, 0.003662076123295692,
       -0.0004232091144603888, 3.5964130479389666e-05, -2.1464035171996896e-06, 9.100107800763914e-08, -2.4027452082825098e-09,
       3.592333854409284e-11)
_BD = (1.0, -0.6318398698733682, 0.2367067882282487, -0.053180636700322324, 0.008480417185862954, -0.0009479967684866654,
       7.810255929445524e-05, -4.558751532524426e-06, 1.8910035811142186e-07, -4.913246913319206e-09, 7.184664032357345e-11)
_CN = (-0.5905928605347732, 0.6292352427243688, -0.17285897538038814, 0.016483704782518965, -0.0004868276130204627)
_CD = (1.0, -2.698200571975449, 1.7327079904594784, -0.3937085822819395, 0.03442789240412334, -0.0009736552260409412)


@custom_jvp
def _dawsn(x):
    size = jnp.abs(x)
    low, middle = size < 3.25, size < 6.25
    near = jnp.where(low, size, 1.0)
    far = jnp.where(low, 4.0, size)
    w = 1 / (far * far)
    inner = near * ratio(_AN, _AD, near * near)
    outer = jnp.where(middle, ratio(_BN, _BD, w), ratio(_CN, _CD, w))
    return jnp.sign(x) * jnp.where(low, inner, 0.5 / far * (1 + w * outer))


_dawsn.defjvps(lambda t, w, x: (1 - 2 * x * w) * t)
