import time
from collections import OrderedDict
from functools import partial
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import grad, jacfwd, jit, jvp, lax, random, vmap
from jax.flatten_util import ravel_pytree

cfg = SimpleNamespace(
    layers=[2, 32, 32, 32, 1],
    nu=0.05,
    n_colloc=320,
    n_ic=64,
    n_bc=32,
    iters=300,
    lr=3e-3,
    weights=dict(pde=1.0, ic=10.0, bc=1.0),
    fourier=4,
)


def xavier(key, d_in, d_out):
    return random.normal(key, (d_in, d_out)) * np.sqrt(2.0 / (d_in + d_out))


class PINN:
    """u_t + u u_x = nu u_xx on (0, 1) x (-1, 1), with u(0, x) = -sin(pi x) and u = 0 at x = -1 and 1."""

    def __init__(self, cfg, key):
        self.cfg = cfg
        key, sub = random.split(key)
        self.B = random.normal(sub, (2, cfg.fourier))
        self.params = self.init_params(key)
        sched = optax.piecewise_constant_schedule(cfg.lr, {cfg.iters // 2: 0.5, 3 * cfg.iters // 4: 0.5})
        self.opt = optax.adam(sched)
        self.opt_state = self.opt.init(self.params)
        self.log = OrderedDict((k, []) for k in ["loss", "pde", "ic", "bc"])

        # vectorised derivatives: v_ over points, the network itself takes scalars
        self.v_u = vmap(self.u, (None, 0, 0))
        self.v_residual = vmap(self.residual, (None, 0, 0))
        self.v_ux = vmap(grad(self.u, argnums=2), (None, 0, 0))

    def init_params(self, key):
        sizes = self.cfg.layers
        n_in = sizes[0] + 2 * self.cfg.fourier
        keys = random.split(key, len(sizes) - 1)
        dims = zip([n_in] + sizes[1:-1], sizes[1:])
        return [{"W": xavier(k, i, o), "b": jnp.zeros(o), "a": jnp.ones(())} for k, (i, o) in zip(keys, dims)]

    def u(self, params, t, x):
        z = jnp.array([t, x])
        proj = z @ self.B
        h = jnp.concatenate([z, jnp.sin(proj), jnp.cos(proj)])
        for p in params[:-1]:
            h = jnp.tanh(p["a"] * (h @ p["W"] + p["b"]))
        out = h @ params[-1]["W"] + params[-1]["b"]
        return out[0]

    def residual(self, params, t, x):
        u = self.u(params, t, x)
        u_t = grad(self.u, argnums=1)(params, t, x)
        u_x_fn = lambda x: grad(self.u, 2)(params, t, x)
        u_x, u_xx = jvp(u_x_fn, (x,), (jnp.ones_like(x),))
        return u_t + u * u_x - self.cfg.nu * u_xx

    def losses(self, params, batch):
        (t, x), x0, tb = batch
        pde = self.v_residual(params, t, x)
        ic = self.v_u(params, jnp.zeros_like(x0), x0) + jnp.sin(jnp.pi * x0)
        left = self.v_u(params, tb, -jnp.ones_like(tb))
        right = self.v_u(params, tb, jnp.ones_like(tb))
        mse = lambda r: jnp.mean(r**2)
        # causal weighting: later times count once the earlier ones are solved
        chunks = jnp.square(pde[jnp.argsort(t)]).reshape(8, -1).mean(axis=1)
        upper = jnp.triu(jnp.ones((8, 8)), k=1).T
        w = lax.stop_gradient(jnp.exp(-1.0 * (upper @ chunks)))
        return {"pde": jnp.mean(w * chunks), "ic": mse(ic), "bc": mse(left) + mse(right)}

    def loss(self, params, batch):
        parts = self.losses(params, batch)
        total = sum(self.cfg.weights[k] * v for k, v in parts.items())
        return total, parts

    @partial(jit, static_argnums=(0,))
    def step(self, params, opt_state, key):
        batch = self.sample(key)
        (loss, parts), g = jax.value_and_grad(self.loss, has_aux=True)(params, batch)
        updates, opt_state = self.opt.update(g, opt_state)
        return optax.apply_updates(params, updates), opt_state, {"loss": loss, **parts}

    def sample(self, key):
        kt, kx, k0, kb = random.split(key, 4)
        t = random.uniform(kt, (self.cfg.n_colloc,))
        x = random.uniform(kx, (self.cfg.n_colloc,), minval=-1.0, maxval=1.0)
        x0 = random.uniform(k0, (self.cfg.n_ic,), minval=-1.0, maxval=1.0)
        return (t, x), x0, random.uniform(kb, (self.cfg.n_bc,))

    def train(self, key):
        tic = time.perf_counter()
        for it in range(self.cfg.iters):
            key, sub = random.split(key)
            self.params, self.opt_state, logs = self.step(self.params, self.opt_state, sub)
            if it % 100 == 0 or it == self.cfg.iters - 1:
                for k, v in logs.items():
                    self.log[k].append(v.item())
                print(f"it {it:5d} | " + " | ".join(f"{k} {v[-1]:.3e}" for k, v in self.log.items()))
        return time.perf_counter() - tic

    @partial(jit, static_argnums=(0,))
    def predict(self, params, ts, xs):
        grid_x = vmap(self.u, (None, None, 0))
        return vmap(grid_x, (None, 0, None))(params, ts, xs)

    @partial(jit, static_argnums=(0, 3))
    def ntk_diag(self, params, pts, kind="u"):
        """Diagonal of the neural tangent kernel for the solution or for the residual."""
        f = {"u": self.u, "res": self.residual}[kind]
        flat, unravel = ravel_pytree(params)

        def one(pt):
            j = grad(lambda w: f(unravel(w), pt[0], pt[1]))(flat)
            return jnp.dot(j, j)

        return lax.map(one, pts)


def finite_difference_solution(nu, xs, t_end, n_save=11):
    """Method of lines with upwind differences, on the grid xs."""
    dx = float(xs[1] - xs[0])
    u0 = -jnp.sin(jnp.pi * xs)
    dt = 0.2 * min(dx, dx**2 / (2 * nu))
    n_inner = int(np.ceil(t_end / (n_save - 1) / dt))
    dt = t_end / (n_save - 1) / n_inner

    def rhs(u):
        up = jnp.pad(u, 1)
        forward, backward = (up[2:] - u) / dx, (u - up[:-2]) / dx
        adv = jnp.where(u > 0, backward, forward) * u
        diff = (up[2:] - 2 * u + up[:-2]) / dx**2
        return (nu * diff - adv).at[jnp.array([0, -1])].set(0.0)

    def inner(_, u):
        mid = u + 0.5 * dt * rhs(u)
        return u + dt * rhs(mid)

    def outer(u, _):
        return lax.fori_loop(0, n_inner, inner, u), u

    _, us = jit(lambda u: lax.scan(outer, u, None, length=n_save))(u0)
    return us


if __name__ == "__main__":
    model = PINN(cfg, random.PRNGKey(1234))
    n_params = ravel_pytree(model.params)[0].size
    print(f"network with {n_params} parameters, nu = {cfg.nu}")
    model.train(random.PRNGKey(0))

    xs, ts = jnp.linspace(-1, 1, 101), jnp.linspace(0, 1, 11)
    ref = finite_difference_solution(cfg.nu, xs, 1.0)
    pred = model.predict(model.params, ts, xs)
    rel = jnp.linalg.norm(pred - ref, axis=1) / jnp.linalg.norm(ref, axis=1)
    print("relative L2 error by time", np.array2string(np.asarray(rel[::5]), precision=2))
    steepest = jnp.abs(model.v_ux(model.params, jnp.full_like(xs, 0.5), xs))
    print(f"steepest point at t = 0.5: x = {xs[jnp.nanargmax(steepest)]:.2f}")

    (t, x), _, _ = model.sample(random.PRNGKey(5))
    pts = jnp.stack([t, x], -1)[:32]
    print("NTK trace ratio finite:", bool(jnp.isfinite(
        model.ntk_diag(model.params, pts, "res").sum() / model.ntk_diag(model.params, pts).sum())))
    J = jacfwd(lambda p: model.u(model.params, *p))(pts[0])
    print("gradient at a point", J.shape, "worst residual", f"{jnp.abs(model.v_residual(model.params, t, x)).max():.2f}")
