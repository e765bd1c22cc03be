import jax

f = jax.jit(lambda p: p["a"] + p["b"])
f({"a": 1.0, "b": 2.0})
f({"b": 2.0, "a": 1.0})
