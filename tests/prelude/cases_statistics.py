"""Padding, differences, interpolation, convolution, quantiles, histograms, sets and what is left."""
import jax.numpy as jnp
import numpy as np
from check import array, prelude, weak


def cases(C):
    ours = prelude("numpy")

    def call(name, *args, **kwargs):
        C.call(name, getattr(ours, name), getattr(jnp, name), *args, **kwargs)
    x, y, v = array("float32", 2, 3), array("int32", 4), array("float32", 5)
    for width in (1, (1, 2), ((1, 2), (0, 3)), ((1, 1),), [1, 2], [(1, 0), (2, 1)], (2,), ((1, 2), (3, 4), (5, 6)), -1, 1.5, np.array([[1, 2], [0, 1]]), "a", ((1, 2), 3), jnp.array([1, 2]), {0: 1}, {-1: (1, 2)}):
        for mode in ("constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "maximum", "mean", "median", "minimum", "empty", "nope"):
            call("pad", x, width, mode, **({"values": False} if mode == "empty" else {}))
        call("pad", y, width)
        call("pad", array("bool", 2, 2), width, mode="constant", constant_values=1)
        call("pad", x, width, constant_values=2.5)
        call("pad", array("int32", 2, 3), width, constant_values=2.5)
    call("pad", x, 1, constant_values=(1, 2))
    call("pad", x, 1, constant_values=((1, 2), (3, 4)))
    call("pad", x, 1, constant_values=(1, 2, 3))
    call("pad", v, 7, "reflect")
    call("pad", v, 7, "symmetric", reflect_type="odd")
    call("pad", v, (2, 3), "reflect", reflect_type="odd")
    call("pad", v, 2, "mean", stat_length=2)
    call("pad", y, 2, "mean", stat_length=(1, 2))
    call("pad", v, 2, "linear_ramp", end_values=3)
    call("pad", v, 2, "edge", constant_values=2)
    call("pad", array("float32", 0), 1, "edge")
    call("pad", 1.0, 1)
    call("pad", [1, 2], 1)
    call("pad", weak(1.0, 3), 1, constant_values=weak(2))
    for dtype in ("float32", "int32", "bool", "bfloat16", "complex64", "uint8"):
        a, b = array(dtype, 5), array(dtype, 3, 4)
        for kw in ({}, {"n": 2}, {"n": 0}, {"n": -1}, {"axis": 0}, {"axis": 3}, {"prepend": 1}, {"append": a}):
            call("diff", a, **kw)
            call("diff", b, **kw)
        call("ediff1d", a)
        call("ediff1d", b, 1, a)
        call("gradient", a)
        call("gradient", b)
        call("gradient", b, 2.0)
        call("gradient", b, 2.0, 3)
        call("gradient", b, axis=1)
        call("gradient", a, array("float32", 5))
        call("gradient", b, axis=(0, 1))
        call("trapezoid", a)
        call("trapezoid", b, axis=0)
        call("trapezoid", a, a)
        call("trapezoid", b, array("float32", 4))
        call("unwrap", a)
        call("unwrap", b, axis=0)
        call("unwrap", a, 2, period=4)
        for other in (array("float32", 3), array("int32", 5), array("complex64", 7)):
            for mode in ("full", "same", "valid", "x"):
                call("convolve", a, other, mode)
                call("correlate", a, other, mode)
        for name in ("median", "nanmedian"):
            call(name, a)
            call(name, b, 0)
            call(name, b, (0, 1))
            call(name, b, 1, keepdims=True)
            call(name, b, keepdims=True)
            call(name, b, 5)
        for name in ("quantile", "nanquantile", "percentile", "nanpercentile"):
            for q in (0.5, 1, np.array([0.25, 0.5]), array("float32", 2, 2), 0.0):
                call(name, a, q)
                call(name, b, q, 1)
                call(name, b, q, (0, 1), keepdims=True)
                call(name, b, q, axis=0, keepdims=True)
            for method in ("lower", "higher", "midpoint", "nearest", "inverted_cdf", "other"):
                call(name, b, np.array([0.25, 0.5]), 1, method=method)
                call(name, b, 0.3, method=method)
            call(name, a, 0.5, weights=array("float32", 5))
            call(name, a, 0.5, weights=array("float32", 5), method="inverted_cdf")
            call(name, b, 0.5, axis=1, weights=array("float32", 4), method="inverted_cdf", keepdims=True)
        for name in ("cov", "corrcoef"):
            call(name, a)
            call(name, b)
            call(name, b, rowvar=False)
            call(name, a, a)
            call(name, array(dtype, 2, 2, 2))
        call("cov", b, bias=True)
        call("cov", b, ddof=2)
        call("cov", b, fweights=array("int32", 4))
        call("cov", b, aweights=array("float32", 4))
        call("cov", b, fweights=array("int32", 4), aweights=array("float32", 4))
        call("cov", b, fweights=array("int32", 3))
        call("histogram", a)
        call("histogram", a, 3)
        call("histogram", a, bins=array("float32", 4))
        call("histogram", a, 3, (0, 2))
        call("histogram", a, 3, density=True)
        call("histogram", a, 3, weights=array("float32", 5))
        call("histogram_bin_edges", a, 4)
        call("interp", a, array("float32", 4), array("float32", 4))
    call("gradient", v, edge_order=2)
    call("gradient", array("float32", 1))
    call("gradient", x, 1, 2, 3)
    call("gradient", [1.0, 2.0, 4.0])
    call("histogram", v, "auto")
    call("histogram", v, array("int32"))
    call("histogram2d", v, v, 3)
    call("histogram2d", v, v, bins=array("float32", 4))
    call("histogramdd", array("float32", 6, 2), 3)
    call("histogramdd", array("float32", 6, 2), (2, 3), density=True)
    for kw in ({"left": 0}, {"right": 1.0}, {"left": "extrapolate"}, {"right": "extrapolate"}, {"period": 2.0}, {"left": "x"}):
        call("interp", v, array("float32", 4), array("float32", 4), **kw)
        call("interp", 0.5, np.array([0.0, 1.0]), np.array([1.0, 2.0]), **kw)
    call("interp", v, x, v)
    for name in ("diff", "ediff1d", "gradient", "trapezoid", "unwrap", "median", "cov", "histogram"):
        for value in (1.0, [1.0, 2.0], None, np.arange(3.0), array("float32")):
            call(name, value)
