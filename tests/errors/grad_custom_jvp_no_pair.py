import jax

@jax.custom_jvp
def f(x):
    return x
@f.defjvp
def r(p, t):
    return p[0]
jax.grad(f)(1.0)
