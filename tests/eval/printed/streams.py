"""What stands in the output, and what does not."""
import io
import sys
from contextlib import redirect_stdout

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(w, x):
    print("traced for", x.shape)
    return w - 0.1 * jax.grad(lambda w: jnp.mean((x @ w - 1.0) ** 2))(w)


w = jnp.zeros(3)
x = jnp.arange(12.0).reshape(4, 3) / 12
for i in range(3000):
    w = step(w, x)
    if i % 1000 == 999:
        print(f"{i + 1:5d}", f"{float(jnp.abs(x @ w - 1).max()):.5f}", end="\n\n", sep=" | ")
print("weights", w.round(3), flush=True)
print("not here", file=sys.stderr)
sys.stdout.write("written\n")
with redirect_stdout(io.StringIO()):
    print("not here either")
print("by a file", file=sys.stdout)


class Run:
    def __str__(self):
        return f"Run({np.float32(0.1)})"


print(Run(), [Run().__class__.__name__], {"loss": round(float(w.sum()), 3)}, None, True, 1e-7, (1,), sep="; ")
print()
count = 0
while float(x.sum()) > 0.1:
    x = x * 0.9
    count += 1
print(count, "rounds")
