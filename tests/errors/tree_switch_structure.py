import jax

jax.lax.switch(1, [lambda x: {"v": x}, lambda x: {"w": x}], 2.0)
