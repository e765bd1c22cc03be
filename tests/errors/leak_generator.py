import jax


def running_sums():
    total = 0.0
    while True:
        total = total + (yield total)


sums = running_sums()
next(sums)


@jax.jit
def add(x):
    return sums.send(x) * 2


add(1.0)
print(sums.send(2.0) + 1)
