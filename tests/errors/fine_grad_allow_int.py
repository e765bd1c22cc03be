import jax
import jax.numpy as jnp

params = {"w": jnp.ones(3), "step": jnp.int32(4)}
g = jax.grad(lambda p: (p["w"] * p["step"]).sum(), allow_int=True)(params)
print(g["step"].dtype)
