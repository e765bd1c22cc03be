"""What Hydra is made of."""
