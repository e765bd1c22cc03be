"""Functions of real numbers."""

from _jitlens.math import *


def sumprod(p, q, /):
    return sum([a * b for a, b in zip(p, q, strict=True)])
