"""Second-order derivatives of primitives.

    python tests/primitives/second.py

Of each application to 64-bit floats: `in` its inputs, `weights` one array for each inexact result, `direction` one for each inexact
input; with `f` the sum of the weighted results, `gradient` the gradient of `f`, `forward` the derivative of the gradient along the
direction, and `backward` the gradient of the gradient's product with the direction. `error` where JAX has none of them.
"""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import core
from record import INLINED, Recorder, encode, encode_param

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(7)


def arr(*shape):
    return np.round(rng.normal(size=shape), 3)


def inside(low, high, *shape):
    return np.round(rng.uniform(low, high, size=shape), 3)


def positive(n):
    x = arr(n, n)
    return np.round(x @ x.T + n * np.eye(n), 3)


class Second(Recorder):
    def eqn(self, primitive, params, avals, values, out_avals, outs, tol=None):
        values = [v if hasattr(v, "_impl") else jnp.asarray(v, a.dtype) for v, a in zip(values, avals)]
        floats = [i for i, v in enumerate(values) if v.dtype in (jnp.float64, jnp.complex128)]
        inexact = [i for i, a in enumerate(out_avals) if a.dtype in (jnp.float64, jnp.complex128)]
        encoded = {k: encode_param(v) for k, v in params.items()}
        # Of scatters the graph says what the name says.
        graphs = [v for p in params.values() for v in (p if isinstance(p, tuple) else [p]) if isinstance(v, (core.Jaxpr, core.ClosedJaxpr))]
        inside = graphs and not primitive.name.startswith("scatter")
        if not floats or not inexact or inside or primitive.name.startswith("custom_"):
            return
        key = (primitive.name, str(encoded), str([v.shape for v in values]))
        if key in self.seen:
            return
        self.seen.add(key)
        noise = lambda a: jnp.asarray(arr(*a.shape) + (1j * arr(*a.shape) if a.dtype == jnp.complex128 else 0))  # noqa: E731
        weights, direction = [noise(out_avals[i]) for i in inexact], [noise(values[i]) for i in floats]

        def f(*given):
            xs = list(values)
            for i, x in zip(floats, given):
                xs[i] = x
            results = primitive.bind(*xs, **params)
            results = results if primitive.multiple_results else [results]
            return [results[i] for i in inexact]

        def gradient(*given):
            return list(jax.vjp(f, *given)[1](weights))

        given = [values[i] for i in floats]
        case = {"p": primitive.name, "params": encoded, "in": [encode(core.typeof(v), v) for v in values]}
        many = lambda xs: [encode(core.typeof(x), x) for x in xs]  # noqa: E731
        case |= {"weights": many(weights), "direction": many(direction)}
        for name, run in [
            ("gradient", lambda: gradient(*given)),
            ("forward", lambda: jax.jvp(gradient, given, direction)[1]),
            ("backward", lambda: jax.vjp(gradient, *given)[1](direction)),
        ]:
            try:
                case[name] = many(run())
            except Exception as error:
                case[name] = {"error": [type(error).__name__, str(error).splitlines()[0]]}
        self.cases.append(case)

    def all(self, fn, *args):
        """Every equation with such inputs of `fn(*args)`, and of its gradient."""
        self._run(Everything(), *parts(fn, args), None)


class Everything:
    def __contains__(self, name):
        return name not in INLINED


def parts(fn, args):
    closed = jax.make_jaxpr(fn)(*args)
    return closed.jaxpr, closed.consts, [jnp.asarray(x) for x in args]


r = Second(limit=1 << 20)
x, y = inside(0.2, 0.9, 2, 3), inside(0.2, 0.9, 2, 3)
UNARY = """abs acos acosh asin asinh atan atanh bessel_i0e bessel_i1e cbrt ceil cos cosh digamma erf erf_inv erfc exp exp2 expm1 floor
integer_pow is_finite lgamma log log1p logistic neg reciprocal round rsqrt sign sin sinh sqrt square tan tanh""".split()
for name in UNARY:
    if name == "integer_pow":
        for n in (-2, 0, 1, 3):
            r.all(lambda x: lax.integer_pow(x, n), x)
    elif name == "acosh":
        r.all(lax.acosh, x + 1)
    else:
        r.all(getattr(lax, name), x)
for name in "cos cosh exp exp2 expm1 log log1p logistic neg rsqrt sin sinh sqrt square tan tanh abs".split():
    r.all(getattr(lax, name), x + 1j * y)
for name in "real imag conj".split():
    r.all(getattr(lax, name), x + 1j * y)
r.all(lax.complex, x, y)
for name in "add sub mul div max min pow rem atan2 nextafter".split():
    r.all(getattr(lax, name), x, y)
for name in "add sub mul div pow".split():
    r.all(getattr(lax, name), x + 1j * y, y + 1j * x)
r.all(lax.igamma, x, y), r.all(lax.igammac, x, y), r.all(lambda x, y: lax.betainc(jnp.float64(1.5), x, y), x, y)
r.all(lambda x: lax.polygamma(1.0, x), x[0]), r.all(lambda x: lax.zeta(2.5, x), x[0])
r.all(lambda a, b, c: lax.clamp(a, b, c), x - 0.2, y, x + 0.2)
r.all(lambda x, y: lax.select(x > y, x, y), x, y), r.all(lambda x, y: lax.select_n(np.array([0, 1, 2, 1, 0, 2]), x.ravel(), y.ravel(), x.ravel() * y.ravel()), x, y)
r.all(lambda x: jnp.copy(x), x), r.all(lambda x: x.astype(jnp.float32), x), r.all(lambda x: lax.reduce_precision(x, 8, 10), x)
# Shapes.
a = arr(3, 4)
r.all(lambda x: lax.broadcast_in_dim(x, (2, 3, 4), (1, 2)), a), r.all(lambda x: x.reshape(2, 6), a), r.all(lambda x: x.T, a)
r.all(lambda x: lax.squeeze(x[None], (0,)), a), r.all(lambda x: lax.rev(x, (0,)), a), r.all(lambda x: lax.expand_dims(x, (1,)), a)
r.all(lambda x, y: lax.concatenate([x, y, x * y], 0), a, arr(3, 4)), r.all(lambda x: lax.pad(x, x[0, 0], ((1, -1, 2), (0, 2, 0))), a)
r.all(lambda x: lax.slice(x, (0, 1), (3, 4), (2, 2)), a), r.all(lambda x: lax.dynamic_slice(x, (1, 2), (2, 2)), a)
r.all(lambda x, u: lax.dynamic_update_slice(x, u, (1, 1)), a, arr(2, 2)), r.all(lambda x: jnp.split(x, 2, 1), a), r.all(lambda x: jnp.tile(x, (2, 1)), a)
# Reductions.
for name in "sum prod max min".split():
    r.all(lambda x: getattr(jnp, name)(x, 0), a), r.all(lambda x: getattr(jnp, name)(x), a)
for name in "cumsum cumprod cummax cummin cumlogsumexp".split():
    for reverse in (False, True):
        r.all(lambda x: getattr(lax, name)(x, 1, reverse), inside(0.3, 1.5, 2, 4))
ties = np.array([[1.0, 2, 2, 0], [2, 2, 1, 2]])
r.all(lambda x: x.max(1), ties), r.all(lambda x: x.min(0), ties), r.all(lambda x: lax.cummax(x, 1), ties), r.all(lax.max, ties, ties[::-1]), r.all(lax.abs, ties - 2)
r.all(lambda x: jnp.prod(x, 1), ties), r.all(lambda x: lax.cumprod(x, 1), ties)
r.all(lambda x: lax.argmax(x, 0, np.int32), a), r.all(lambda x: jax.nn.logsumexp(x, 1), a)
# Products and windows.
r.all(lambda x, y: x @ y, a, arr(4, 2)), r.all(lambda x, y: jnp.einsum("bij,bkj->bik", x, y), arr(2, 3, 4), arr(2, 2, 4))
r.all(lambda x, y: jnp.einsum("ij,k->jik", x, y), a, arr(2)), r.all(lambda x, y: x @ y, a + 1j * arr(3, 4), arr(4, 2) + 1j * arr(4, 2))
DIMS = ("NHWC", "HWIO", "NHWC")
conv = lambda **options: lambda x, w: lax.conv_general_dilated(x, w, dimension_numbers=DIMS, **options)  # noqa: E731
image = arr(2, 5, 4, 2)
r.all(conv(window_strides=(1, 1), padding="SAME"), image, arr(3, 2, 2, 3)), r.all(conv(window_strides=(2, 1), padding="VALID", rhs_dilation=(1, 2)), image, arr(2, 2, 2, 3))
r.all(conv(window_strides=(1, 2), padding=((1, 0), (2, 1)), lhs_dilation=(2, 1)), image, arr(2, 3, 2, 2))
r.all(conv(window_strides=(1, 1), padding="SAME", feature_group_count=2), image, arr(2, 2, 1, 4)), r.all(conv(window_strides=(1, 1), padding="SAME", batch_group_count=2), image, arr(2, 2, 2, 4))
for op, start in ((lax.max, -np.inf), (lax.min, np.inf), (lax.add, 0.0)):
    pool = lambda x: lax.reduce_window(x, start, op, (1, 2, 2), (1, 2, 1), "SAME")  # noqa: E731
    r.all(pool, arr(2, 5, 4)), r.all(jax.grad(lambda x: (pool(x) ** 2).sum()), arr(2, 5, 4)), r.all(lambda x: jax.jvp(pool, (x,), (x * 2,)), arr(2, 5, 4))
# Indices.
at = np.array([2, 0, 2])
r.all(lambda x: x[at], a), r.all(lambda x: x[at, at], a), r.all(lambda x: jnp.take(x, np.array([1, 9, -8]), 0), a), r.all(lambda x: jnp.take_along_axis(x, np.argsort(a, 1), 1), a)
for name in "add set multiply max min apply divide".split():
    if name == "apply":
        continue
    r.all(lambda x, u: getattr(x.at[np.array([2, 0])], name)(u), a, arr(2, 4) + 2), r.all(lambda x, u: getattr(x.at[at], name)(u), a, arr(3, 4) + 2)
r.all(lambda x, u: x.at[np.array([2, 0])].mul(u, unique_indices=True), a, arr(2, 4))
r.all(lambda x: jnp.sort(x, 1), a), r.all(lambda x, y: lax.sort((x, y), num_keys=1), a, arr(3, 4)), r.all(lambda x: lax.top_k(x, 2), a)
# Linear algebra and transforms.
r.all(jnp.linalg.cholesky, positive(3)), r.all(lambda a: jnp.linalg.eigh(a), positive(3)), r.all(lambda a: lax.linalg.lu(a), arr(3, 3)), r.all(lambda a: jnp.linalg.qr(a), arr(4, 3))
r.all(lambda a: jnp.linalg.svd(a, full_matrices=False), arr(4, 3)), r.all(lambda a: jnp.linalg.svd(a, compute_uv=False), arr(3, 3)), r.all(lambda a: jnp.linalg.eigvalsh(a), positive(3))
for lower, left, transposed in ((True, True, False), (False, True, True), (True, False, True)):
    r.all(lambda a, b: lax.linalg.triangular_solve(a, b, lower=lower, left_side=left, transpose_a=transposed), positive(3), arr(3, 3))
r.all(lambda d, l, u, b: lax.linalg.tridiagonal_solve(l, d, u, b), arr(3) + 4, arr(3), arr(3), arr(3, 2))
r.all(jnp.fft.fft, arr(4) + 1j * arr(4)), r.all(jnp.fft.rfft, arr(2, 5)), r.all(lambda x: jnp.fft.irfft(x), arr(4) + 1j * arr(4))
r.all(lambda a: jax.random.gamma(jax.random.key(0), a), inside(0.6, 3, 3)), r.all(lambda x: lax.optimization_barrier(x), a)
r.all(jnp.linalg.det, arr(3, 3)), r.all(lambda a, b: jnp.linalg.solve(a, b), arr(3, 3), arr(3, 2)), r.all(jax.scipy.linalg.expm, arr(2, 2) / 4)

if __name__ == "__main__":
    r.write(HERE / "second/all.json")
