import jax, jax.numpy as jnp
def newton(f, x0, tol=1e-6):
    def cond(s):
        x, err = s
        return err > tol, x < 100
    def body(s):
        x, _ = s
        dx = f(x) / jax.grad(f)(x)
        return x - dx, jnp.abs(dx)
    return jax.lax.while_loop(cond, body, (x0, jnp.inf))
root = newton(lambda x: x ** 2 - 2, 1.0)
