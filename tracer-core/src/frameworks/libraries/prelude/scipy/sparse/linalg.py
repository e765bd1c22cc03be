"""`scipy.sparse.linalg`: what systems and eigenvalues give has a shape and a type; the numbers depend on the solver."""
from _jitlens import core

from scipy._arrays import opaque, unmodelled


def _kind(*types):
    import numpy as np
    return np.result_type("float32", *types)


def spsolve(A, b, permc_spec=None, use_umfpack=True):
    import numpy as np
    from . import issparse
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"matrix must be square (has shape {A.shape})")
    if issparse(b):
        return core.unmodelled("`spsolve` of a sparse right-hand side")
    b = np.asarray(b)
    if b.shape[0] != A.shape[0]:
        raise ValueError(f"matrix - rhs dimension mismatch ({A.shape} - {b.shape[0]})")
    shape = b.shape[:1] if b.ndim == 2 and b.shape[1] == 1 else b.shape
    return opaque(shape, _kind(A.dtype, b.dtype, "float64" if b.dtype.kind in "biu" or A.dtype.kind in "biu" else "float32"))


def factorized(A):
    return lambda b: spsolve(A, b)


def norm(x, ord=None, axis=None):
    if ord not in (None, "fro") or axis is not None:
        return core.unmodelled("other norms of sparse matrices")
    import numpy as np
    return opaque((), _kind(x.dtype, "float64" if x.dtype.kind in "biu" else "float32").type(0).real.dtype)


def _iterative(A, b, *args, **kwargs):
    import numpy as np
    b = np.asarray(b)
    return opaque((b.size,), "float64") if b.dtype.kind in "biuf" and b.dtype.name != "float32" else core.unknown("the type of a solution"), \
        core.unknown("whether an iteration converged")


cg = bicg = bicgstab = cgs = gmres = lgmres = minres = qmr = _iterative
__getattr__ = unmodelled("scipy.sparse.linalg")
