"""Linear systems and inverses."""
import math
import operator

from _jitlens import core, prims as p

from .. import _low
from ._decompositions import adjoint, inexact, svd

where = _low.where


@core.jit
def solve(a, b):
    from .._vectorize import vectorize
    a, b = core.promote_dtypes_inexact(*core.arraylike("jnp.linalg.solve", a, b))
    if a.ndim < 2:
        raise ValueError(f"left hand array must be at least two dimensional; got a.shape={a.shape}")
    if b.ndim > 1 and a.ndim == b.ndim + 1 and a.shape[-1] == b.shape[-1] and a.shape[-1] != b.shape[-2]:
        raise ValueError(f"Invalid shapes for solve: {a.shape}, {b.shape}. Prior to JAX v0.5.0, this would have been treated as a "
                         "batched 1-dimensional solve. To recover this behavior, use solve(a, b[..., None]).squeeze(-1).")
    signature = "(m,m),(m)->(m)" if b.ndim == 1 else "(m,m),(m,n)->(m,n)"
    return vectorize(_solve, signature=signature)(a, b)


def _solve(a, b):
    """One system: LU of a constant copy of the matrix, and `custom_linear_solve`, so that derivatives solve too."""
    import jax
    from jax import lax
    if not (a.ndim >= 2 and b.ndim in (a.ndim, a.ndim - 1) and a.shape[-1] == a.shape[-2] == b.shape[a.ndim - 2]):
        raise ValueError("The arguments to solve must have shapes a=[..., m, m] and b=[..., m, k] or b=[..., m]; "
                         f"got a={a.shape} and b={b.shape}")
    shape = tuple(m if n == 1 else n for m, n in zip(a.shape[:-1] + (1,), b.shape))
    b = p.broadcast_in_dim(b, shape=shape, broadcast_dimensions=tuple(range(b.ndim)))
    factors, _, permutation = p.lu(lax.stop_gradient(a))

    def system(b):
        return lax.custom_linear_solve(lambda x: _matvec(a, x), b, lambda _, x: _lu_solve(factors, permutation, x, 0),
                                       lambda _, x: _lu_solve(factors, permutation, x, 1))
    if a.ndim == b.ndim + 1:
        return system(b)
    return jax.vmap(system, b.ndim - 1, max(a.ndim, b.ndim) - 1)(b)


def _spread(x, shape):
    return p.broadcast_in_dim(x, shape=shape, broadcast_dimensions=tuple(range(len(shape) - x.ndim, len(shape))))


def _matvec(a, b):
    batch = core.broadcast_shapes(a.shape[:-2], b.shape[:-1])
    a, b = _spread(a, batch + a.shape[-2:]), _spread(b, batch + b.shape[-1:])
    dims = tuple(range(len(batch)))
    return p.dot_general(a, b, dimension_numbers=(((a.ndim - 1,), (b.ndim - 1,)), (dims, dims)), precision=core.precision("highest"))


@core.jit(static_argnums=(3,))
def _lu_solve(lu, permutation, b, trans):
    import jax
    vector = lu.ndim == b.ndim + 1
    if vector:
        b = b[..., None]
    batch = core.broadcast_shapes(lu.shape[:-2], permutation.shape[:-1], b.shape[:-2])
    lu = _spread(lu, batch + lu.shape[-2:])
    permutation = _spread(permutation, batch + permutation.shape[-1:])
    b = _spread(b, batch + b.shape[-2:])
    function = _lu_solve_one
    for _ in batch:
        function = jax.vmap(function, in_axes=(0, 0, 0, None))
    x = function(lu, permutation, b, trans)
    return x[..., 0] if vector else x


def _lu_solve_one(lu, permutation, b, trans):
    def triangle(x, **params):
        from jax import lax
        return lax.linalg.triangular_solve(lu, x, left_side=True, **params)
    x = _low.reshape(b, (lu.shape[0], math.prod(b.shape[1:])))
    if trans == 0:
        x = triangle(x[permutation, :], lower=True, unit_diagonal=True)
        x = triangle(x, lower=False)
    else:
        conjugate = trans == 2
        x = triangle(x, lower=False, transpose_a=True, conjugate_a=conjugate)
        x = triangle(x, lower=True, unit_diagonal=True, transpose_a=True, conjugate_a=conjugate)
        places = _low.iota(core.canonical_dtype("int32"), permutation.shape[0])
        x = x[p.sort(permutation, places, dimension=0, is_stable=True, num_keys=1)[1], :]
    return _low.reshape(x, b.shape)


@core.jit
def inv(a):
    from .._creation import eye
    a = core.arraylike("jnp.linalg.inv", a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"Argument to inv must have shape [..., n, n], got {a.shape}.")
    unit = eye(a.shape[-1], dtype=a.dtype)
    return solve(a, _low.broadcast_in_dim(unit, a.shape, (a.ndim - 2, a.ndim - 1)) if a.ndim > 2 else unit)


def pinv(a, rtol=None, hermitian=False, *, rcond=None):
    if rcond is not None:
        if rtol is not None:
            raise ValueError("pinv: only one of rtol and rcond may be specified.")
        rtol = rcond
    return _pinv(a, rtol, hermitian)


@core.jit(static_argnames=("hermitian",))
def _pinv(a, rtol=None, hermitian=False):
    from jax import lax
    from .._creation import array, asarray, empty
    from .._linear import matmul
    a = inexact("pinv", a)
    m, n = a.shape[-2:]
    if m == 0 or n == 0:
        return empty(a.shape[:-2] + (n, m), a.dtype)
    a = a.conj()
    if rtol is None:
        rtol = 10.0 * max(m, n) * array(core.finfo(a.dtype).eps)
    rtol = asarray(rtol)
    u, s, vh = svd(a, full_matrices=False, hermitian=hermitian)
    rtol = rtol[..., None]
    rtol = _low.expand_dims(rtol, tuple(range(s.ndim - rtol.ndim)))
    cutoff = rtol * s[..., 0:1]
    s = where(s > cutoff, s, float("inf")).astype(u.dtype)
    return core.convert(matmul(vh.mT, u.mT / s[..., None], precision=lax.Precision.HIGHEST), a.dtype)


_pinv = core.custom_jvp(_pinv, nondiff_argnums=(1, 2))


@_pinv.defjvp
def _pinv_jvp(rtol, hermitian, primals, tangents):
    import jax
    (a,), (a_dot,) = primals, tangents
    with jax.default_matmul_precision("float32"):
        x = pinv(a, rtol=rtol, hermitian=hermitian)
        if hermitian:
            a, a_dot = (a + adjoint(a)) / 2, (a_dot + adjoint(a_dot)) / 2
        m, n = a.shape[-2:]
        if m >= n:
            s = x @ adjoint(x) @ adjoint(a_dot)
            t = adjoint(a_dot) @ adjoint(x) @ x
            x_dot = -(x @ a_dot) @ x + s - (s @ a) @ x + t - (x @ a) @ t
        else:
            s = x @ (adjoint(x) @ adjoint(a_dot))
            t = adjoint(a_dot) @ (adjoint(x) @ x)
            x_dot = -x @ (a_dot @ x) + s - s @ (a @ x) + t - x @ (a @ t)
    return x, x_dot


def lstsq(a, b, rcond=None, *, numpy_resid=False):
    a, b = core.arraylike("jnp.linalg.lstsq", a, b)
    if numpy_resid:
        return _least_squares(a, b, rcond, True)
    return _lstsq(a, b, rcond)


@core.jit
def _lstsq(a, b, rcond):
    return _least_squares(a, b, rcond, False)


def _least_squares(a, b, rcond, numpy_resid):
    from jax import lax
    from .._creation import array, asarray, empty, zeros
    from .._linear import matmul
    from ._norms import norm
    a, b = core.promote_dtypes_inexact(a, b)
    if a.shape[0] != b.shape[0]:
        raise ValueError("Leading dimensions of input arrays must match")
    vector = b.ndim == 1
    if vector:
        b = b[:, None]
    if a.ndim != 2:
        raise TypeError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    if b.ndim != 2:
        raise TypeError(f"{b.ndim}-dimensional array given. Array must be one or two-dimensional")
    m, n = a.shape
    highest = lax.Precision.HIGHEST
    if a.size == 0:
        s, rank = empty(0, dtype=a.dtype), array(0, dtype=int)
        x = zeros((n, *b.shape[1:]), dtype=a.dtype)
    else:
        eps = core.finfo(a.dtype).eps
        rcond = float(eps) * max(n, m) if rcond is None else where(rcond < 0, eps, rcond)
        u, s, vt = svd(a, full_matrices=False)
        mask = (s > 0) & (s >= array(rcond, dtype=s.dtype) * s[0])
        rank = mask.sum()
        safe = where(mask, s, 1).astype(a.dtype)
        inverse = where(mask, 1 / safe, 0)[:, None]
        projected = matmul(u.conj().T, b, precision=highest)
        x = matmul(vt.conj().T, inverse * projected, precision=highest)
    if numpy_resid and (rank < n or m <= n):
        residual = asarray([])
    else:
        residual = norm(b - matmul(a, x, precision=highest), axis=0) ** 2
    return (x.ravel() if vector else x), residual, rank, s


def tensorinv(a, ind=2):
    a = core.arraylike("tensorinv", a)
    ind = operator.index(ind)
    if ind <= 0:
        raise ValueError(f"ind must be a positive integer; got ind={ind}")
    first, last = a.shape[:ind], a.shape[ind:]
    if math.prod(first) != math.prod(last):
        raise ValueError("tensorinv is only possible when the product of the first `ind` dimensions equals that of the remaining "
                         f"dimensions. got arr.shape={a.shape} with ind={ind}.")
    return inv(a.reshape((math.prod(first), math.prod(last)))).reshape(*last, *first)


def tensorsolve(a, b, axes=None):
    from .._manipulate import moveaxis
    a, b = core.arraylike("tensorsolve", a, b)
    if axes is not None:
        a = moveaxis(a, axes, len(axes) * (a.ndim - 1,))
    shape = a.shape[b.ndim:]
    if a.shape[:b.ndim] != b.shape:
        raise ValueError(f"After moving axes to end, leading shape of a must match shape of b. got a.shape={a.shape}, b.shape={b.shape}")
    if b.size != math.prod(shape):
        raise ValueError("Input arrays must have prod(a.shape[:b.ndim]) == prod(a.shape[b.ndim:]);"
                         f" got a.shape={a.shape}, b.ndim={b.ndim}.")
    return solve(a.reshape(b.size, math.prod(shape)), b.ravel()).reshape(shape)


@core.jit(static_argnames=("n",))
def matrix_power(a, n):
    from .._creation import eye
    from .._manipulate import broadcast_to
    a = core.arraylike("jnp.linalg.matrix_power", a)
    if a.ndim < 2:
        raise TypeError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[-2] != a.shape[-1]:
        raise TypeError("Last 2 dimensions of the array must be square")
    try:
        n = operator.index(n)
    except TypeError as error:
        raise TypeError(f"exponent must be an integer, got {n}") from error
    if n == 0:
        return broadcast_to(eye(a.shape[-2], dtype=a.dtype), a.shape)
    if n < 0:
        a, n = inv(a), -n
    if n == 3:
        return a @ a @ a
    power = result = None
    while n > 0:
        power = a if power is None else power @ power
        n, odd = divmod(n, 2)
        if odd:
            result = power if result is None else result @ power
    return result


@core.jit(static_argnames=("hermitian",))
def matrix_rank(M, rtol=None, *, hermitian=False, tol=None):
    from .._manipulate import expand_dims
    from .._reductions import sum
    M = core.arraylike("jnp.linalg.matrix_rank", M)
    if tol is not None:
        if rtol is not None:
            raise ValueError("matrix_rank: only one of tol or rtol may be specified.")
        rtol = tol
    M, = core.promote_dtypes_inexact(M)
    if M.ndim < 2:
        return (M != 0).any().astype("int32")
    s = svd(M, full_matrices=False, compute_uv=False, hermitian=hermitian)
    if rtol is None:
        rtol = s.max(-1) * core.numpy_scalar(max(M.shape[-2:]), s.dtype) * core.finfo(s.dtype).eps
    rtol = expand_dims(rtol, core.ndim(rtol))
    return sum(s > rtol, axis=-1)
