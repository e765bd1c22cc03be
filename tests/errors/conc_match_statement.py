import jax


@jax.jit
def dispatch(code):
    match code:
        case 0:
            return 1.0
        case _:
            return 2.0


dispatch(1)
