import jax

jax.lax.switch(0, [], 1.0)
