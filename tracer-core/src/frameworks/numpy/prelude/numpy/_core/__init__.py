"""The inside of NumPy, as far as its exceptions show it."""
