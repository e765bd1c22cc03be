"""What sparse matrices have of functions of each element and of reductions."""
from _jitlens import core

from scipy._arrays import opaque


def is_known(x):
    """Whether an array's numbers are known."""
    import numpy as np
    if core.is_unknown(x) or isinstance(x, (list, tuple)) and any([core.is_unknown(item) for item in x]):
        return False
    x = np.asarray(x)
    return not core.is_unknown((x == x).all().tolist())


def dense_of(x):
    return x._now() if isinstance(x, Reduced) else x


class Reduced:
    def _function(self, name):
        import numpy as np
        if self.format not in ("csr", "csc", "coo", "bsr"):
            return core.unmodelled(f"`{name}` of a sparse matrix")
        return self._as(self.format, self._of_stored(getattr(np, name)), self._fixed())

    def sqrt(self):
        return self._function("sqrt")

    def sign(self):
        return self._function("sign")

    def floor(self):
        return self._function("floor")

    def ceil(self):
        return self._function("ceil")

    def rint(self):
        return self._function("rint")

    def trunc(self):
        return self._function("trunc")

    def _reduced(self, name, axis, kwargs):
        import numpy as np
        if axis is not None and not self._is_array and name in ("sum", "mean"):
            return core.unmodelled("`numpy.matrix`")
        if axis is not None and name not in ("sum", "mean"):
            return core.unmodelled(f"`{name}` of a sparse array along an axis") if self.ndim != 2 else self._extreme(name, axis)
        found = getattr(np, name)(self._now(), axis=axis, **kwargs)
        if self._is_opaque() or not is_known(self._dense):
            return found
        # Sums of many go over what is stored in another order, and means add what is divided.
        is_exact = name in ("max", "min") or self.dtype.kind in "biu" and name == "sum" or self._is_small_and_whole()
        if name == "mean":
            count = self._now().size if axis is None else self.shape[axis]
            is_exact = is_exact and count > 0 and count & (count - 1) == 0
        return found if is_exact else opaque(found.shape, found.dtype)

    def _extreme(self, name, axis):
        """The largest or smallest elements along an axis, as a sparse matrix."""
        if self.format in ("dia", "lil", "dok"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        import numpy as np
        return self._as("coo", getattr(np, name)(self._now(), axis=axis, keepdims=not self._is_array), None)

    def _is_small_and_whole(self):
        """Whether sums come out the same in every order: small whole numbers."""
        import numpy as np
        dense = self._now()
        return bool(np.all((dense == np.round(dense)) & (abs(dense) < 1e6)))

    def sum(self, axis=None, dtype=None, out=None):
        return self._reduced("sum", axis, {} if dtype is None else {"dtype": dtype})

    def mean(self, axis=None, dtype=None, out=None):
        return self._reduced("mean", axis, {} if dtype is None else {"dtype": dtype})

    def max(self, axis=None, out=None):
        return self._reduced("max", axis, {})

    def min(self, axis=None, out=None):
        return self._reduced("min", axis, {})

    def trace(self, offset=0):
        import numpy as np
        return np.trace(self._now(), offset)

    def diagonal(self, k=0):
        import numpy as np
        return np.diagonal(self._now(), k).copy()

    def nonzero(self):
        import numpy as np
        return tuple([places.astype("int32") for places in np.nonzero(self._now())])

    def maximum(self, other):
        import numpy as np
        return self._as(self.format if self.format in ("csr", "csc") else "csr", np.maximum(self._now(), dense_of(other)), None)

    def minimum(self, other):
        import numpy as np
        return self._as(self.format if self.format in ("csr", "csc") else "csr", np.minimum(self._now(), dense_of(other)), None)
