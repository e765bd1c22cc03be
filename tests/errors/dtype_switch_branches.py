import jax
import jax.numpy as jnp

activations = [jax.nn.relu, jnp.tanh, lambda x: x > 0]
x = jnp.ones(4)
jax.lax.switch(jnp.int32(1), activations, x)
