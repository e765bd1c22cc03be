import jax


@jax.jit
def act(x, kind):
    match kind:
        case str():
            return x
        case 1 | 2:
            return -x
    return 2 * x


act(1.0, 2)
