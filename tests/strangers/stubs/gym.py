"""Stands for a library of environments: spaces, as far as an agent asks them."""

import numpy as np


class Space:
    pass


class Box(Space):
    def __init__(self, low, high, shape, dtype=np.float32):
        self.low, self.high, self.shape, self.dtype = low, high, shape, dtype

    def sample(self):
        return np.zeros(self.shape, self.dtype)


class Env:
    pass


class spaces:
    Space, Box = Space, Box
    Dict = dict
