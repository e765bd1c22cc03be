"""What all sparse formats have in common."""
import math

from _jitlens import core


class JAXSparse:
    """An array of which only some elements are stored."""

    __hash__ = None

    def __init__(self, args, *, shape):
        self.shape = core.canonical_shape(shape)

    def __len__(self):
        return self.shape[0]

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def T(self):
        return self.transpose()

    def __repr__(self):
        try:
            text = f"{type(self).__name__}({self.dtype}{list(self.shape)}{self._counts()})"
        except Exception:
            text = f"{type(self).__name__}(<invalid>)"
        return f"{type(self.data).__name__}[{text}]" if core.is_tracer(self.data) else text

    def _counts(self):
        return f", nse={self.nse}"

    def block_until_ready(self):
        for arg in self.tree_flatten()[0]:
            arg.block_until_ready()
        return self


def _missing(name):
    def method(self, *args, **kwargs):
        raise NotImplementedError(f"{type(self)}.{name}")
    return method


for _name in "sum __neg__ __pos__ __matmul__ __rmatmul__ __mul__ __rmul__ __add__ __radd__ __sub__ __rsub__ __getitem__".split():
    setattr(JAXSparse, _name, _missing(_name))
