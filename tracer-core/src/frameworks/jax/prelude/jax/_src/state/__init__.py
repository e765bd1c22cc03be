"""Mutable references under their internal name."""
