"""A switch traces each of its branches."""

import jax


def make(k):
    def branch(x):  # traced: 4
        return x * k

    return branch


branches = [make(k) for k in range(4)]
for i in range(4):
    jax.lax.switch(i, branches, 1.0)
