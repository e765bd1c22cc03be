import jax

seen = []


@jax.custom_jvp
def f(x):
    return x ** 2


@f.defjvp
def f_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    seen.append(t)
    return f(x), 2 * x * t


jax.jit(jax.grad(f))(3.0)
seen[0] * 1.0
