"""Internal modules of `jax.lax`."""
