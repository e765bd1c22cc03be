"""`jax.ds`: a slice of static size at a dynamic start."""


class Slice:
    def __init__(self, start, size, stride=1):
        self.start, self.size, self.stride = start, size, stride

    def __repr__(self):
        return f"Slice(start={self.start}, size={self.size}, stride={self.stride})"


def ds(start, size=None, stride=None):
    if start is None:
        return slice(None)
    if stride is None:
        stride = 1
    if not isinstance(stride, int):
        raise ValueError("Non-static stride in `dslice`")
    return Slice(0, start, stride) if size is None else Slice(start, size, stride)
