"""Internal modules of `jax.scipy`."""
