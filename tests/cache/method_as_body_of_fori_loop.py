"""A bound method is another object each time it is looked up, and its trace goes with it."""
import jax


class Counter:
    def body(self, i, carry):  # traced: 3
        return carry + 1.0

    def kept(self, i, carry):  # traced: 1
        return carry * 2.0


counter = Counter()
kept = counter.kept
for _ in range(3):
    jax.lax.fori_loop(0, 3, counter.body, 0.0)
    jax.lax.fori_loop(0, 3, kept, 0.0)
