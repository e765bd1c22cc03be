"""Stands for a library that the part that is run does not call."""
