"""Deblur, denoise and upscale a synthetic image; compare methods by PSNR.

    python restore.py --size 48 --noise 0.05
"""
import argparse
import sys
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

Array = jnp.ndarray
METHODS = {}


def method(name):
    """Decorator which registers a restoration method."""

    def register(fn):
        METHODS[name] = fn
        return fn

    return register


# ---------------------------------------------------------------- data

def phantom(size):
    """Ellipses, bars and a gradient, as uint8 like a decoded file would be."""
    np.random.seed(1)
    yy, xx = np.meshgrid(np.linspace(-1, 1, size), np.linspace(-1, 1, size), indexing="ij")
    img = 0.2 + 0.1 * xx
    for _ in range(5):
        cy, cx = np.random.uniform(-0.6, 0.6, 2)
        ry, rx = np.random.uniform(0.15, 0.4, 2)
        inside = ((yy - cy) / ry) ** 2 + ((xx - cx) / rx) ** 2 < 1
        img = np.where(inside, np.maximum(img, np.random.rand()), img)
    img[:, size // 2:size // 2 + 2] = np.max(img)
    color = np.array([1.0, 0.8, 0.6])
    out = np.expand_dims(img, -1) * color
    assert np.all(out >= 0) and not np.any(np.isnan(out))
    return np.reshape(np.round(255 * np.clip(out, 0, 1)), (size, size, 3)).astype(np.uint8)


def to_float(img: Array) -> Array:
    if jnp.issubdtype(img.dtype, jnp.integer):
        return img.astype(jnp.float32) / jnp.iinfo(img.dtype).max
    return jnp.asarray(img, dtype=jnp.float32)


def gaussian_kernel(radius, sigma):
    x = lax.broadcasted_iota(jnp.float32, (2 * radius + 1, 1), 0) - radius
    k = jnp.exp(-0.5 * (x / sigma) ** 2)
    k2 = lax.dot_general(k, k, dimension_numbers=(((1,), (1,)), ((), ())))
    return k2 / jnp.sum(k2)


# ---------------------------------------------------------------- operators

def otf(kernel, shape):
    """Transfer function of a centred kernel on a periodic image."""
    padded = jnp.zeros(shape).at[:kernel.shape[0], :kernel.shape[1]].set(kernel)
    shift = (-(kernel.shape[0] // 2), -(kernel.shape[1] // 2))
    return jnp.fft.rfft2(jnp.roll(padded, shift, axis=(0, 1)))


def fft_blur(img, H):
    """img (h, w, c), blurred channel by channel."""
    F = jnp.fft.rfft2(img, axes=(0, 1))
    return jnp.fft.irfft2(F * H[..., None], s=img.shape[:2], axes=(0, 1))


def depthwise_blur(img, kernel):
    """The same away from the borders, as a grouped convolution."""
    c = img.shape[-1]
    rhs = jnp.tile(kernel[:, :, None, None], (1, 1, 1, c))
    out = lax.conv_general_dilated(img[None], rhs, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                   feature_group_count=c)
    return jnp.squeeze(out, axis=0)


def gradient(u):
    dy = jnp.diff(u, axis=0, append=u[-1:])
    dx = jnp.diff(u, axis=1, append=u[:, -1:])
    return jnp.stack([dy, dx])


def divergence(p):
    """Minus the adjoint of gradient."""
    _, pull = jax.vjp(gradient, jnp.zeros(p.shape[1:], p.dtype))
    return -pull(p)[0]


def total_variation(u, eps=1e-4):
    return jnp.sum(jnp.sqrt(jnp.sum(gradient(u) ** 2, axis=0) + eps**2))


def psnr(a, b):
    return 10.0 * jnp.log10(1.0 / jnp.mean(jnp.square(a - b)))


def block_errors(a, b, block=8):
    """Mean absolute error for square blocks, by dynamic slices under vmap."""
    err = jnp.abs(a - b).mean(-1)
    n = err.shape[0] // block

    def one(i, j):
        rows = lax.dynamic_slice_in_dim(err, i * block, block, axis=0)
        return lax.dynamic_slice_in_dim(rows, j * block, block, axis=1).mean()

    idx = jnp.arange(n)
    return jax.vmap(jax.vmap(one, (None, 0)), (0, None))(idx, idx)


# ---------------------------------------------------------------- methods

@method("identity")
def identity(y, H, noise):
    return y


@method("wiener")
@partial(jax.jit, static_argnames=("power",))
def wiener(y, H, noise, power: float = 1.8):
    fy = jnp.fft.fftfreq(y.shape[0])[:, None]
    fx = jnp.fft.rfftfreq(y.shape[1])[None, :]
    spectrum = 1.0 / jnp.maximum(jnp.hypot(fy, fx), 1e-2) ** power
    spectrum = spectrum / jnp.max(spectrum)
    filt = jnp.conj(H) / (jnp.abs(H) ** 2 + noise**2 / spectrum)
    return fft_blur(y, filt)


@method("richardson-lucy")
@jax.jit
def richardson_lucy(y, H, noise, iters=20):
    y = jnp.clip(y, 1e-3, None)

    def body(_, u):
        ratio = y / jnp.clip(fft_blur(u, H), min=1e-3)
        return u * fft_blur(ratio, jnp.conj(H))

    return lax.fori_loop(0, iters, body, jnp.full_like(y, y.mean()))


@method("tv primal-dual")
@jax.jit
def tv_primal_dual(y, H, noise, weight=0.15, iters=120):
    """Chambolle-Pock, with the data term inverted in Fourier space."""
    lam = weight * noise
    tau = sigma = 1.0 / jnp.sqrt(8.0)
    HtY = jnp.conj(H)[..., None] * jnp.fft.rfft2(y, axes=(0, 1))
    denom = 1.0 + tau * jnp.abs(H)[..., None] ** 2

    def prox_data(u):
        F = (jnp.fft.rfft2(u, axes=(0, 1)) + tau * HtY) / denom
        return jnp.fft.irfft2(F, s=y.shape[:2], axes=(0, 1))

    def body(carry, _):
        u, u_bar, p = carry
        p = p + sigma * gradient(u_bar)
        p = p / jnp.maximum(1.0, jnp.linalg.norm(p, axis=0, keepdims=True) / lam)
        u_new = prox_data(u + tau * divergence(p))
        return (u_new, 2 * u_new - u, p), None

    init = (y, y, jnp.zeros((2,) + y.shape, y.dtype))
    (u, *_), _ = lax.scan(body, init, xs=None, length=iters)
    return u


@method("multi-scale")
def multi_scale(y, H, noise, levels=3, steps=30):
    """Coarse to fine: a pyramid of corrections, fitted jointly by Adam with a decaying rate."""
    h, w, c = y.shape
    pyramid = [jnp.zeros((h >> k, w >> k, c)) for k in range(levels)][::-1]
    opt = optax.inject_hyperparams(optax.adam)(learning_rate=0.03)

    def assemble(pyramid):
        return sum(jax.image.resize(p, (h, w, c), method="bilinear") for p in pyramid) + y

    def loss(pyramid):
        u = assemble(pyramid)
        return jnp.sum((fft_blur(u, H) - y) ** 2) / noise + 0.3 * total_variation(u)

    @jax.jit
    def step(pyramid, state):
        g = jax.grad(loss)(pyramid)
        state.hyperparams["learning_rate"] = state.hyperparams["learning_rate"] * 0.97
        updates, state = opt.update(g, state, pyramid)
        return optax.apply_updates(pyramid, updates), state

    state = opt.init(pyramid)
    for _ in range(steps):
        pyramid, state = step(pyramid, state)
    return assemble(pyramid)


def timed(fn, *args):
    """Result and seconds of the second call, so that compilation is left out."""
    jax.block_until_ready(fn(*args))
    tic = time.perf_counter()
    out = jax.block_until_ready(fn(*args))
    return out, time.perf_counter() - tic


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=48)
    parser.add_argument("--noise", type=float, default=0.05)
    parser.add_argument("--dtype", default="float32", choices=["float32", "bfloat16"])
    parser.add_argument("--time", action="store_true")
    args = parser.parse_args(argv)

    image8 = phantom(args.size)
    clean = to_float(jnp.asarray(image8))
    kernel = gaussian_kernel(3, 1.2)
    H = otf(kernel, clean.shape[:2])
    blurred = fft_blur(clean, H)
    inner = np.s_[4:-4, 4:-4]
    gap = jnp.abs(depthwise_blur(clean, kernel)[inner] - blurred[inner]).max()
    noisy = blurred + args.noise * jax.random.normal(jax.random.PRNGKey(3), blurred.shape)
    noisy = noisy.astype(jnp.dtype(args.dtype)).astype(jnp.float32)
    print(f"image {image8.shape} {image8.dtype}, kernel {kernel.shape}, two blurs agree: {gap < 1e-4}")

    results = {}
    for name, fn in METHODS.items():
        if args.time:
            results[name], seconds = timed(fn, noisy, H, args.noise)
            print(f"  {name}: {1e3 * seconds:.1f} ms", file=sys.stderr)
        else:
            results[name] = fn(noisy, H, args.noise)
        print(f"{name:>16}: PSNR {psnr(results[name], clean):5.2f} dB, TV {total_variation(results[name]):6.1f}")

    best = max(results, key=lambda k: float(psnr(results[k], clean)))
    errors = block_errors(results[best], clean)
    worst = np.unravel_index(np.argmax(np.asarray(errors)), errors.shape)
    print(f"best method {best}; worst block {tuple(int(i) for i in worst)} of {errors.shape}")
    quantized = jnp.clip(jnp.round(255 * results[best]), 0, 255).astype(jnp.uint8)
    changed = jnp.any(jnp.not_equal(quantized, image8), axis=-1)
    luma = jnp.matmul(quantized, jnp.array([0.299, 0.587, 0.114]))
    ordered = jnp.logical_and(luma >= jnp.min(luma), jnp.logical_not(jnp.isinf(luma))).all()
    print(f"pixels changed {changed.mean():.2f}, luma {luma.dtype} {luma.shape}, finite {ordered}")
    small = jax.image.resize(jnp.transpose(results[best], (2, 0, 1)), (3, 12, 12), "linear", antialias=True)
    print("thumbnail", small.shape, "channel means", *(f"{m:.3f}" for m in small.mean((1, 2))))


if __name__ == "__main__":
    main()
