"""Stands for spaces of environments, as far as an agent asks them."""

import numpy as np


class Space:
    pass


class Box(Space):
    def __init__(self, low, high, shape, dtype=np.float32):
        self.low, self.high, self.shape, self.dtype = low, high, shape, dtype

    def sample(self):
        return np.zeros(self.shape, self.dtype)


class Dict(Space):
    def __init__(self, spaces):
        self.spaces = spaces
