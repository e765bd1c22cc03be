import jax


@jax.jit
def show(x):
    print("x = %d" % x)
    return x


show(3)
