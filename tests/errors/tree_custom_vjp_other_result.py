import jax

@jax.custom_vjp
def f(x):
    return {"a": x}
f.defvjp(lambda x: ({"b": x}, None), lambda r, g: (g["b"],))
jax.grad(lambda x: f(x)["a"])(1.0)
