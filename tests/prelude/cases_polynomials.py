"""Polynomials, and names that are not functions."""
import jax.numpy as jnp
import numpy as np
from check import array, prelude


def cases(C):
    ours = prelude("numpy")

    def call(name, *args, **kwargs):
        C.call(name, getattr(ours, name), getattr(jnp, name), *args, **kwargs)
    for dtype in ("float32", "int32", "complex64", "bfloat16"):
        a, b = array(dtype, 5), array(dtype, 3)
        for name in ("polyadd", "polysub", "polymul", "polydiv"):
            call(name, a, b)
            call(name, b, a)
            call(name, a, 1.0)
        call("polyval", a, b)
        call("polyval", a, 2)
        call("poly", b)
        call("roots", b, values=False)
        call("roots", b, strip_zeros=False, values=False)
        for m in (0, 1, 2, -1, 1.5):
            call("polyint", a, m)
            call("polyder", a, m)
        call("polyint", a, 2, array("float32", 2))
        call("polyint", a, 2, array("float32", 3))
        call("polyfit", a, a, 2, values=False)
    x = array("float32", 6)
    for kw in ({}, {"full": True}, {"cov": True}, {"cov": "unscaled"}, {"w": x}, {"rcond": 0.1}):
        call("polyfit", x, x, 2, values=False, **kw)
        call("polyfit", x, array("float32", 6, 2), 2, values=False, **kw)
    call("polyfit", x, array("float32", 5), 2)
    call("polyfit", x, x, -1)
    call("poly", array("float32", 3, 3), values=False)
    call("poly", array("float32", 2, 3))
    call("roots", np.array([0.0, 1.0, 2.0]), values=False)
    for name in "row_stack trapz in1d float_ complex_ product msort round_ DeviceArray fix NINF Inf zzz".split():
        C.call("missing name", lambda x: getattr(ours, name), lambda x: getattr(jnp, name), x)
    for name in sorted(n for n in dir(jnp) if not n.startswith("_")):
        C.call("name", lambda x: (getattr(ours, name), x)[1], lambda x: x, x)
    for name in "float32 int32 bfloat16 bool_ complex64 uint8 int8 float16 int_ uint single double".split():
        for value in (1, 2.5, [1, 2], x):
            C.call("scalar type", lambda v: getattr(ours, name)(v), lambda v: getattr(jnp, name)(v), value)
