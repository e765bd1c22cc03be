import jax


@jax.jit
def relu(x):
    if x > 0:
        return x
    return 0.0 * x


with jax.disable_jit():
    print(relu(2.0))
