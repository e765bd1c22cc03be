import jax

calls = 0


@jax.jit
def predict(x):
    global calls
    calls = calls + x
    return x * 2


predict(1)
predict(2)
calls + 1
