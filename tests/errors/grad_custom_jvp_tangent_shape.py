import jax

@jax.custom_jvp
def f(x):
    return x
@f.defjvp
def r(p, t):
    return p[0], t[0][None]
jax.grad(f)(1.0)
