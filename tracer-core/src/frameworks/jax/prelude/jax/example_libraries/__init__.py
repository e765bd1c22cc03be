"""`jax.example_libraries`."""
