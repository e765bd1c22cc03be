"""`jax.ds`: a slice of static size at a dynamic start."""


class Slice:
    def __init__(self, start, size, stride=1):
        self.start, self.size, self.stride = start, size, stride

    def __repr__(self):
        return f"Slice(start={self.start}, size={self.size}, stride={self.stride})"


def ds(start, size=None):
    if isinstance(start, slice):
        return Slice(start.start or 0, start.stop - (start.start or 0))
    if start is None:
        return slice(None)
    return Slice(0, start) if size is None else Slice(start, size)
