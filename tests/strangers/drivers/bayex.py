import jax
import jax.numpy as jnp

import bayex


def f(x, n):
    return jnp.sin(x) - 0.1 * x**2 + 0.05 * n


for acq in ("EI", "UCB"):
    domain = {"x": bayex.domain.Real(-2.0, 2.0), "n": bayex.domain.Integer(0, 3)}
    opt = bayex.Optimizer(domain=domain, maximize=True, acq=acq)
    params = {"x": [0.0, 1.0, 2.0], "n": [0, 1, 2]}
    ys = [f(x, n) for x, n in zip(params["x"], params["n"])]
    state = opt.init(ys, params)
    key = jax.random.key(0)
    for step in range(2):
        key = jax.random.fold_in(key, step)
        new = opt.sample(key, state, size=64)
        state = opt.fit(state, f(**new), new)
    print(acq, state.best_score, state.best_params)
