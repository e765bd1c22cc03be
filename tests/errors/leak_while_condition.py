import jax

tested = []


def cond(x):
    tested.append(x)
    return x < 10


jax.lax.while_loop(cond, lambda x: x + 3, 0)
print(tested[0] + 1)
