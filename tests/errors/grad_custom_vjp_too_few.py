import jax
import jax.numpy as jnp

@jax.custom_vjp
def clip_grad(lo, hi, x):
    return x

def fwd(lo, hi, x):
    return x, (lo, hi)

def bwd(res, g):
    lo, hi = res
    return jnp.clip(g, lo, hi),

clip_grad.defvjp(fwd, bwd)
jax.grad(lambda x: clip_grad(-1.0, 1.0, x) ** 2)(3.0)
