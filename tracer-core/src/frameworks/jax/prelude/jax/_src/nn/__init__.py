"""Internal modules of `jax.nn`."""
