"""Reductions: dtypes, axes, where, initial, wrong arguments."""
import jax.numpy as jnp
import numpy as np
from check import array, prelude, weak

DTYPES = ["float32", "int32", "bool", "bfloat16", "uint8", "complex64", "float16", "int8"]
NAMES = """sum prod max min amax amin all any mean var std ptp count_nonzero nanmin nanmax nansum nanprod nanmean nanvar nanstd
 average""".split()


def cases(C):
    ours = prelude("numpy")

    def call(name, *args, **kwargs):
        C.call(name, getattr(ours, name), getattr(jnp, name), *args, **kwargs)
    x = array("float32", 2, 3, 4)
    for name in NAMES:
        for dtype in DTYPES:
            y = array(dtype, 2, 3)
            call(name, y)
            call(name, y, axis=1)
            call(name, y, axis=0, keepdims=True)
            call(name, array(dtype, 3) if name != "average" else array(dtype, 3), -1)
        for axis in (0, -1, (0, 2), (), [0, 1], 3, -4, (0, 0), 1.5, np.int32(1), "a", None, jnp.int32(1), (0, 5)):
            call(name, x, axis=axis)
            call(name, x, axis, keepdims=True)
        for value in (1, 2.5, True, weak(1.0, 3), weak(2, 3), np.arange(6.0).reshape(2, 3), [1, 2], None, array("float32", 0, 3),
                      array("float32")):
            call(name, value)
            call(name, value, axis=0)
        mask = array("bool", 2, 3, 4)
        call(name, x, where=mask)
        call(name, x, 1, where=array("bool", 3, 4) if name != "average" else None)
        call(name, x, where=mask, initial=1.0)
        call(name, x, initial=2)
        call(name, x, where=array("int32", 2, 3, 4))
        call(name, x, out=1)
        call(name, x, dtype=jnp.float16)
        call(name, x, dtype=int)
        call(name, array("int32", 3), dtype=float)
        call(name, array("bfloat16", 3), dtype=float)
        call(name, array("complex64", 3), dtype=float)
        call(name, array("float32", 3), dtype=bool)
        call(name, x, axis=1, ddof=1)
        call(name, x, bogus=1)
        call(name)
    call("sum", array("int8", 3), promote_integers=False)
    call("sum", x, initial=array("float32", 2))
    call("var", x, correction=1)
    call("var", x, correction=1, ddof=1)
    call("std", x, mean=array("float32", 1, 1, 1))
    call("average", x, weights=x)
    call("average", x, axis=1, weights=array("float32", 3))
    call("average", x, axis=(0, 1), weights=array("float32", 2, 3))
    call("average", x, axis=(1, 0), weights=array("float32", 3, 2))
    call("average", x, weights=array("float32", 3))
    call("average", x, axis=1, weights=array("float32", 2))
    call("average", x, returned=True)
    call("average", x, axis=1, returned=True)
    for name in ("cumsum", "cumprod", "nancumsum", "nancumprod", "cumulative_sum", "cumulative_prod"):
        for dtype in DTYPES:
            call(name, array(dtype, 4))
            call(name, array(dtype, 2, 3), axis=1)
            call(name, array(dtype, 4), dtype=int)
            call(name, array(dtype, 4), dtype=bool)
        for axis in (0, -1, 3, None, 1.5, (0,)):
            call(name, x, axis=axis)
        for value in (1.0, [1, 2], None, weak(2, 3), array("float32")):
            call(name, value)
        call(name, array("float32", 3), out=1)
        call(name, array("float32", 3), include_initial=True)
