import jax

final, ys = jax.lax.scan(lambda c, _: (c * 2, c), 1.0, None, length=5)
print(final, ys.shape)
