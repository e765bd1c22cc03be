"""`jax.debug` in compiled functions, loops, branches, batches and derivatives."""
import jax, jax.numpy as jnp
def body(c, x):
    jax.debug.print("c={c:.2f} x={x}", c=c, x=x)
    return c + x, c
print(jax.jit(lambda x: jax.lax.scan(body, 0.0, x))(jnp.arange(3.0))[0])
@jax.vmap
def f(x):
    jax.debug.print("row {} {}", x, x.sum())
    return x.sum()
print(f(jnp.arange(6.0).reshape(2, 3)))
def g(x):
    jax.debug.callback(lambda v: print("cb", v), x)
    y, g_ = jax.value_and_grad(lambda z: (z * z).sum())(x)
    jax.debug.print("grad {} {name}", g_, name="n", ordered=True)
    return y
print(jax.jit(g)(jnp.ones(2)))
jax.debug.print("eager {:.3f} {}", jnp.float32(0.1), jnp.ones((2, 2)))
@jax.jit
def h(x):
    return jax.lax.cond(x > 0, lambda: jax.debug.print("pos"), lambda: jax.debug.print("neg"))
h(1.0); h(-1.0)
jax.effects_barrier()
