"""What this module does depends on the world outside, or is of no interest to arrays."""

# What a program puts there for texts that it makes.
cache = {}
