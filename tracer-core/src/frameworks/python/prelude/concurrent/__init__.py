"""Work side by side."""
