import jax
import jax.numpy as jnp

import interpax

x = jnp.linspace(0.0, 2 * jnp.pi, 12)
xq = jnp.linspace(0.1, 6.0, 7)
for method in ("nearest", "linear", "cubic", "cubic2", "cardinal", "catmull-rom", "monotonic", "akima"):
    print(method, interpax.interp1d(xq, x, jnp.sin(x), method=method).shape)
y = jnp.linspace(-1.0, 1.0, 5)
f2 = jnp.sin(x)[:, None] * y
fit2 = interpax.Interpolator2D(x, y, f2, method="cubic")
print(jax.jit(lambda a, b: fit2(a, b))(xq, jnp.linspace(-0.9, 0.9, 7)).shape)
f3 = f2[..., None] * jnp.arange(4.0)
print(interpax.interp3d(xq, jnp.zeros(7), jnp.ones(7), x, y, jnp.arange(4.0), f3, method="linear").shape)
slope = jax.vmap(jax.grad(lambda q: interpax.interp1d(q, x, jnp.sin(x), method="cubic", derivative=0)))(xq)
spline = interpax.CubicSpline(x, jnp.sin(x))
print(slope.shape, jax.jit(lambda q: spline(q))(xq).shape, jax.grad(lambda v: interpax.PchipInterpolator(x, v)(xq).sum())(jnp.cos(x)).shape)
print(interpax.fft_interp1d(jnp.sin(x[:-1]), 20).shape)
