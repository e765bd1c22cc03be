"""Print options of NumPy, which arrays of JAX follow, too."""
import numpy as np
import jax.numpy as jnp

np.set_printoptions(precision=3, suppress=True)
print(repr(np.arange(2000)), repr(jnp.arange(2000)), str(jnp.arange(2000.)))
print(repr(jnp.ones((40, 40))), repr(np.ones((40, 40), np.float32)))
print(np.array2string(np.array(1.23456)), np.array2string(np.float32(2.5)), repr(np.array(1.23456)), str(np.array(1.23456)), np.array(1.23456), jnp.array(1.23456), repr(jnp.array(1.23456)), np.float64(1.23456), f"{np.array([1.23456])}")
print(np.array([1e-9, 1.0]), np.array([1e10, 1.0]), np.array([1e-9, 1e-10]), np.array([-1e-9, 2]))
for m in ("fixed", "unique", "maxprec_equal"):
    with np.printoptions(floatmode=m):
        print(np.array([1.5, 2.123456]), np.array([1e10, 1.5]), np.array(1.23456))
print(np.array2string(np.array([1.5, 2.25]), separator=", ", prefix="abc", precision=1), np.array_str(np.array([1.26, 2.]), precision=1))
print(np.array2string(np.ones((3, 3)), max_line_width=8))
print(np.get_printoptions())
with np.printoptions(threshold=5, edgeitems=2, linewidth=40, nanstr="-", infstr="oo"):
    print(np.arange(12).reshape(3, 4), repr(np.arange(60).reshape(3, 4, 5)))
    print(np.array([np.nan, 1, -np.inf]), repr(np.array([1.5, np.inf], np.float32)))
    print(jnp.linspace(0, 1, 30), repr(jnp.linspace(0, 1, 30)))
jnp.set_printoptions(precision=2)
print(np.array([3.14159, 22.0]), jnp.array([1.005, 2.675, 1e-7]), np.array([0.1 + 0.2]))
for bad in (dict(precision="a"), dict(threshold=float("nan")), dict(threshold="x"), dict(floatmode="x"), dict(sign="x")):
    try:
        np.set_printoptions(**bad)
    except Exception as e:
        print(type(e).__name__, e)
np.set_printoptions(formatter={"float": "{:.1f}".format})
