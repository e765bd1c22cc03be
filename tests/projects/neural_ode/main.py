"""Fit the vector field of a damped pendulum from noisy trajectories."""
import functools
import math

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import optax

from solvers import euler_step, odeint_adaptive, odeint_adjoint, odeint_fixed


def pendulum(y, t, damping=0.15):
    angle, velocity = y
    return jnp.stack([velocity, -damping * velocity - jnp.sin(angle)])


def make_data(key, n_traj=24, n_times=16, t_max=3.0, noise=0.01):
    angle_key, vel_key, noise_key = jr.split(key, 3)
    y0 = jnp.stack(
        [
            jr.uniform(angle_key, (n_traj,), minval=-2.0, maxval=2.0),
            jr.uniform(vel_key, (n_traj,), minval=-1.0, maxval=1.0),
        ],
        axis=-1,
    )
    ts = jnp.linspace(0.0, t_max, n_times)
    ys = jax.vmap(lambda y: odeint_fixed(pendulum, y, ts, substeps=4))(y0)
    return ts, ys + noise * jr.normal(noise_key, ys.shape)


def init_field(key, width=32, depth=2, dim=2):
    sizes = [dim, *([width] * depth), dim]
    params = []
    for k, (m, n) in zip(jr.split(key, len(sizes) - 1), zip(sizes, sizes[1:])):
        params.append({"w": jr.normal(k, (n, m)) / math.sqrt(m), "b": jnp.zeros((n,))})
    params[-1] = jax.tree.map(lambda x: 0.1 * x, params[-1])
    return params


def field(y, t, params):
    """Autonomous vector field, so t is not used."""
    del t
    for layer in params[:-1]:
        y = jax.nn.softplus(layer["w"] @ y + layer["b"])
    return params[-1]["w"] @ y + params[-1]["b"]


@functools.partial(jax.jit, static_argnames="stepper")
def rollout(params, y0, ts, stepper=None):
    kwargs = {} if stepper is None else {"step": stepper}
    return jax.vmap(lambda y: odeint_fixed(field, y, ts, params, **kwargs))(y0)


def trajectory_loss(params, ts, ys, discount):
    pred = rollout(params, ys[:, 0], ts)
    weights = discount ** jnp.arange(ts.shape[0])
    err = optax.huber_loss(pred, ys).sum(-1)
    return jnp.average(err, weights=jnp.broadcast_to(weights, err.shape))


def make_step(tx):
    @jax.jit
    def step(params, opt_state, ts, ys, length):
        # curriculum: only the first `length` times count
        mask = jnp.arange(ts.shape[0]) < length

        def loss(p):
            pred = rollout(p, ys[:, 0], ts)
            err = jnp.where(mask[None, :, None], pred - ys, 0.0)
            return jnp.sum(err**2) / (mask.sum() * ys.shape[0])

        value, grads = jax.value_and_grad(loss)(params)
        updates, opt_state = tx.update(grads, opt_state)
        params = optax.apply_updates(params, updates)
        return params, opt_state, value

    return step


def compare_gradients(params, y0, ts, target):
    """Backprop through the solver against the adjoint equation."""

    def direct(p):
        final = odeint_fixed(field, y0, ts, p, substeps=4)[-1]
        return jnp.sum((final - target) ** 2)

    def adjoint(p):
        return jnp.sum((odeint_adjoint(field, p, y0, ts, 4) - target) ** 2)

    g1, g2 = jax.jit(jax.grad(direct))(params), jax.jit(jax.grad(adjoint))(params)
    diff = jax.tree.reduce(jnp.maximum, jax.tree.map(lambda a, b: jnp.abs(a - b).max(), g1, g2))
    return diff, optax.tree.norm(g1)


def energy(ys):
    return 0.5 * ys[..., 1] ** 2 + 1.0 - jnp.cos(ys[..., 0])


def main():
    data_key, test_key, init_key = jr.split(jr.PRNGKey(7), 3)
    ts, ys = make_data(data_key)
    _, ys_test = make_data(test_key, n_traj=8)
    print(f"{ys.shape[0]} trajectories of {ys.shape[1]} times")

    params = init_field(init_key)
    tx = optax.adam(optax.exponential_decay(1e-2, transition_steps=100, decay_rate=0.7))
    opt_state = tx.init(params)
    step = make_step(tx)
    for it in range(300):
        length = 4 if it < 100 else ts.shape[0]
        params, opt_state, value = step(params, opt_state, ts, ys, length)
        if it % 100 == 99:
            test = trajectory_loss(params, ts, ys_test, 0.95)
            print(f"iter {it + 1}: train {value:.5f}, test {test:.5f}")

    diff, norm = compare_gradients(params, ys[0, 0], ts, jnp.zeros(2))
    print(f"adjoint agrees: {bool(diff < 1e-2 * norm)}")

    y1, n_steps = jax.jit(odeint_adaptive, static_argnums=0)(field, ys_test[0, 0], 0.0, ts[-1], params)
    fixed = rollout(params, ys_test[:, 0], ts)
    print(f"adaptive solver took {n_steps} steps, distance to RK4 {jnp.linalg.norm(y1 - fixed[0, -1]):.1e}")

    coarse = rollout(params, ys_test[:, 0], ts, euler_step)
    drift = energy(fixed)[:, -1] - energy(fixed)[:, 0]
    print(f"euler error {jnp.abs(coarse - fixed).max():.3f}, mean energy change {drift.mean():.3f}")

    # linear stability of the learned field at rest
    jac = jax.jacfwd(field)(jnp.zeros(2), 0.0, params)
    print("Jacobian at the origin\n", np.array_str(np.asarray(jac), precision=2, suppress_small=True))


if __name__ == "__main__":
    main()
