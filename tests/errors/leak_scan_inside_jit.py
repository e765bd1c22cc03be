import jax


@jax.jit
def rollout(x):
    trace = []

    def step(state, _):
        trace.append(state)
        return state + 1, None

    final, _ = jax.lax.scan(step, x, None, length=4)
    return final, trace[0] * 2


rollout(0.0)
