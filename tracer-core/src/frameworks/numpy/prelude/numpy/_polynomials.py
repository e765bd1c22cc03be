"""What `numpy` itself has for polynomials, beside what `jax.numpy` does."""
import numpy as np


def roots(p):
    p = np.atleast_1d(p)
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    [filled] = np.nonzero(p)
    if len(filled) == 0:
        return np.array([])
    zeros = len(p) - 1 - filled[-1]
    p = p[filled[0]:filled[-1] + 1]
    if p.dtype.kind not in "fc":
        p = p.astype(float)
    if len(p) < 2:
        return np.zeros(zeros, dtype=p.dtype if len(p) > 1 else float)
    companion = np.diag(np.ones(len(p) - 2, p.dtype), -1)
    companion[0, :] = -p[1:] / p[0]
    found = np.linalg.eigvals(companion)
    return np.hstack((found, np.zeros(zeros, found.dtype)))
