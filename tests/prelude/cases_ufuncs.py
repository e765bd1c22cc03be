"""Element-wise functions: every dtype alone, pairs of dtypes, scalars, ranks, wrong arguments."""
import jax.numpy as jnp
import numpy as np
from check import array, prelude, weak

DTYPES = ["float32", "int32", "bool", "bfloat16", "uint8", "complex64"]
UNARY = """negative sign invert bitwise_not bitwise_invert logical_not floor ceil absolute abs exp exp2 expm1 log log1p sin cos tan
 arcsin arccos arctan sinh cosh tanh arcsinh arctanh arccosh sqrt cbrt square acos asin asinh atan atanh acosh fabs positive
 reciprocal bitwise_count rint trunc signbit log2 log10 deg2rad rad2deg radians degrees conjugate conj real imag modf isfinite isinf
 isposinf isneginf isnan sinc spacing frexp""".split()
BINARY = """add subtract multiply true_divide divide maximum minimum bitwise_and bitwise_or bitwise_xor left_shift right_shift
 bitwise_left_shift bitwise_right_shift equal not_equal greater greater_equal less less_equal logical_and logical_or logical_xor
 arctan2 atan2 float_power nextafter power pow copysign floor_divide divmod remainder mod fmod heaviside hypot logaddexp logaddexp2
 ldexp fmin fmax gcd lcm""".split()


def cases(C):
    ours = prelude("numpy")

    def call(name, *args, **kwargs):
        C.call(name, getattr(ours, name), getattr(jnp, name), *args, **kwargs)
    for name in UNARY:
        for dtype in DTYPES:
            call(name, array(dtype, 3))
        call(name, array("float32", 2, 3))
        call(name, weak(2.0, 3))
        call(name, weak(2, 3))
        for scalar in (2, 2.5, True, 1j, np.float32(1.5), np.int64(3)):
            call(name, scalar)
        call(name, np.arange(3.0))
        call(name, [1, 2])
        call(name, None)
        call(name, array("float32", 2), array("float32", 2))
        call(name)
    for name in BINARY:
        for a in DTYPES:
            for b in DTYPES:
                call(name, array(a, 3), array(b, 3, seed=1))
            call(name, array(a, 3), 2)
            call(name, 2.5, array(a, 3))
            call(name, array(a, 3), weak(1, 3))
            call(name, array(a, 3), True)
        f, i = array("float32", 2, 3), array("int32", 3)
        call(name, f, i)
        call(name, f, array("float32", 2, 1))
        call(name, f, array("float32"))
        call(name, f, array("float32", 4))
        call(name, array("int32", 2), array("int32", 3))
        call(name, i, np.arange(3))
        call(name, 2, 3)
        call(name, 2.0, 3)
        call(name, [1, 2], i)
        call(name, i, None)
        call(name, i)
        call(name, x=i, y=i)
    for exponent in (0, 1, 2, 3, -1, -2, 0.5, 2.0, True, np.int32(2), np.float32(2), 1j, array("int32", 3), array("float32", 3)):
        for dtype in DTYPES:
            call("power", array(dtype, 3), exponent)
            call("power", exponent, array(dtype, 3))
    for name in ("add", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor", "logical_and", "logical_or",
                 "logical_xor", "subtract", "logaddexp"):
        mine, real = getattr(ours, name), getattr(jnp, name)
        dtype = "int32" if name.startswith("bitwise") else "float32"
        x = array(dtype, 3, 4)
        for kwargs in ({}, {"axis": 1}, {"axis": None}, {"keepdims": True}):
            C.call(name + ".reduce", mine.reduce, real.reduce, x, **kwargs)
        C.call(name + ".accumulate", mine.accumulate, real.accumulate, x)
        C.call(name + ".outer", mine.outer, real.outer, array(dtype, 3), array(dtype, 2))
        C.call(name + ".at", lambda a: mine.at(a, 1, 2, inplace=False), lambda a: real.at(a, 1, 2, inplace=False), array(dtype, 3))
        C.call(name + ".attributes", lambda x: (mine.nin, mine.nout, mine.identity) and x, lambda x: (real.nin,) and x, x)
