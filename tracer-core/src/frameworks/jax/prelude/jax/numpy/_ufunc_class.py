"""`jnp.ufunc` objects: functions with `.reduce`, `.accumulate`, `.at`, `.reduceat` and `.outer`."""
import math
import operator

from _jitlens import core, prims as p

from . import _low, _reductions

_AT_INPLACE = """Because JAX arrays are immutable, jnp.ufunc.at() cannot operate inplace like
np.ufunc.at(). Instead, you can pass inplace=False and capture the result; e.g.
>>> arr = jnp.add.at(arr, ind, val, inplace=False)
"""


class ufunc:
    def __init__(self, func, /, nin, nout, *, name=None, nargs=None, identity=None, call=None, reduce=None, accumulate=None, at=None,
                 reduceat=None):
        self._func = func
        self.__name__ = name or func.__name__
        self.__qualname__ = self.__name__
        self.nin = operator.index(nin)
        self.nout = operator.index(nout)
        self.nargs = operator.index(nargs or nin)
        self.identity = identity
        self._own = name is not None

    def __repr__(self):
        return f"<jnp.ufunc '{self.__name__}'>"

    def __hash__(self):
        return hash((self._func, self.__name__, self.nin, self.nout))

    def __eq__(self, other):
        return isinstance(other, ufunc) and (self._func, self.__name__, self.nin, self.nout, self.identity) == (
            other._func, other.__name__, other.nin, other.nout, other.identity)

    def __call__(self, *args, out=None, where=None):
        core.check_arraylike(self.__name__, *args)
        if out is not None:
            raise NotImplementedError(f"out argument of {self}")
        if where is not None:
            raise NotImplementedError(f"where argument of {self}")
        if self._own:
            return self._func(*args)
        from ._vectorize import vectorize
        return vectorize(self._func)(*args)

    def _binary(self, what):
        if self.nin != 2:
            raise ValueError(f"{what} only supported for binary ufuncs")
        if self.nout != 1:
            raise ValueError(f"{what} only supported for functions returning a single value")

    @core.jit(static_argnames=("self", "axis", "dtype", "out", "keepdims"))
    def reduce(self, a, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
        core.check_arraylike(f"{self.__name__}.reduce", a)
        self._binary("reduce")
        if out is not None:
            raise NotImplementedError(f"out argument of {self.__name__}.reduce()")
        if initial is not None:
            core.check_arraylike(f"{self.__name__}.reduce", initial)
        if where is not None:
            core.check_arraylike(f"{self.__name__}.reduce", where)
            if self.identity is None and initial is None:
                raise ValueError(f"reduction operation {self.__name__!r} does not have an identity, "
                                 "so to use a where mask one has to specify 'initial'.")
            if core.dtype(where) != bool:
                raise ValueError(f"where argument must have dtype=bool; got dtype={core.dtype(where)}")
        return _reduce(self, a, axis, dtype, keepdims, initial, where)

    @core.jit(static_argnames=("self", "axis", "dtype"))
    def accumulate(self, a, axis=0, dtype=None, out=None):
        self._binary("accumulate")
        if out is not None:
            raise NotImplementedError(f"out argument of {self.__name__}.accumulate()")
        return _accumulate(self, a, axis, dtype)

    @core.jit(static_argnums=(0,), static_argnames=("inplace",))
    def at(self, a, indices, b=None, /, *, inplace=True):
        if inplace:
            raise NotImplementedError(_AT_INPLACE)
        scatter = {"add": "scatter_add", "multiply": "scatter_mul", "subtract": "scatter_sub"}.get(self.__name__)
        if self._own and scatter is not None and b is not None:
            return _at_numeric(a, indices, b, scatter)
        from ._ufunc_loops import at
        return at(self, a, indices, b)

    @core.jit(static_argnames=("self", "axis", "dtype"))
    def reduceat(self, a, indices, axis=0, dtype=None, out=None):
        self._binary("reduceat")
        if out is not None:
            raise NotImplementedError(f"out argument of {self.__name__}.reduceat()")
        from ._ufunc_loops import reduceat
        return reduceat(self, a, indices, axis, dtype)

    @core.jit(static_argnums=(0,))
    def outer(self, A, B, /):
        self._binary("outer")
        core.check_arraylike(f"{self.__name__}.outer", A, B)
        return _outer(self, A, B)


def _outer(self, A, B):
    import jax
    A, B = core.asarray(A), core.asarray(B)
    flat = jax.vmap(jax.vmap(self, (None, 0)), (0, None))(_ravel(A), _ravel(B))
    return _low.reshape(flat, A.shape + B.shape)


def _ravel(x):
    return _low.reshape(x, (x.size,))


def _at_numeric(a, indices, b, scatter):
    from .._indexing import at_update
    if a.dtype == bool:
        int32, boolean = core.canonical_dtype("int32"), core.canonical_dtype(bool)
        b = core.convert(core.convert(b, boolean), int32)
        return core.convert(at_update(core.convert(a, int32), indices, b, scatter), boolean)
    return at_update(a, indices, b, scatter)


def _reduce(self, a, axis, dtype, keepdims, initial, where):
    r, name = _reductions, self.__name__
    rest = {"axis": axis, "dtype": dtype, "keepdims": keepdims, "initial": initial, "where": where}
    if self._own:
        if name == "add":
            return r.sum(a, **rest)
        if name == "multiply":
            return r.prod(a, **rest)
        if name.startswith("bitwise_"):
            return r.reduce_bits(name[8:], a, **rest)
        if name.startswith("logical_"):
            return r.reduce_logical(name[8:], a, **rest)
        if name in ("minimum", "maximum"):
            kind = r._MIN if name == "minimum" else r._MAX
            return r.reduce(name[:3], kind, a, r.static_axes(axis), None, keepdims, initial, where, dtype, has_identity=False)
        if name == "logaddexp":
            return _logsumexp(a, axis, keepdims, initial, where)
        if name == "logaddexp2":
            ln2 = 0.6931471805599453
            result = _logsumexp(core.arraylike("logsumexp2", a) * ln2, axis, keepdims, None if initial is None else initial * ln2, where)
            return result / ln2
    return _reduce_by_scan(self, a, axis, dtype, keepdims, initial, where)


def _logsumexp(a, axis, keepdims, initial, where):
    import jax
    r = _reductions
    a, = core.promote_dtypes_inexact(core.arraylike("logsumexp", a))
    where = r.check_where("logsumexp", where)
    axes, _ = r._dims(axis, a.ndim)
    largest = r.max(p.real(a) if a.dtype.kind == "c" else a, axis=axes, keepdims=keepdims, where=where, initial=float("-inf"))
    largest = jax.lax.stop_gradient(_low.select(p.is_finite(largest), largest, core.full_like(largest, 0)))
    beside = largest if keepdims else _low.expand_dims(largest, axes)
    total = r.sum(p.exp(p.sub(a, core.convert(beside, a.dtype))), axis=axes, keepdims=keepdims, where=where)
    result = p.add(p.log(total), core.convert(largest, total.dtype))
    if initial is None:
        return result
    from ._elementwise import lax_logaddexp
    return lax_logaddexp(initial, result)


def _reduce_by_scan(self, a, axis, dtype, keepdims, initial, where):
    import jax
    a = core.asarray(a)
    if initial is None:
        initial = self.identity
    if dtype is None:
        one = core.full_like(a, 1, shape=())
        dtype = jax.eval_shape(self._func, one, one).dtype
    if where is not None:
        where = _low.broadcast_to(core.asarray(where), a.shape)
    if isinstance(axis, tuple):
        raise NotImplementedError("tuple of axes")
    if axis is None:
        final = (1,) * a.ndim if keepdims else ()
        a = _ravel(a)
        where = None if where is None else _ravel(where)
        axis = 0
    else:
        axis = core.canonical_axis(axis, a.ndim)
        final = a.shape[:axis] + ((1,) if keepdims else ()) + a.shape[axis + 1:]
    a = _low.move_axis(a, axis, 0)
    where = None if where is None else _low.move_axis(where, axis, 0)
    if a.shape[0] == 0:
        if initial is None:
            raise ValueError(f"zero-size array to reduction operation {self.__name__} which has no identity")
        return core.full(final, initial, dtype)

    def step(i, value):
        following = self(value, core.convert(a[i], dtype))
        return following if where is None else _low.where(where[i], following, value)
    first, start = (1, a[0]) if initial is None else (0, initial)
    start = _low.broadcast_to(core.convert(core.asarray(start), dtype), a.shape[1:])
    result = jax.lax.fori_loop(first, a.shape[0], step, start)
    return _low.reshape(result, final) if keepdims else result


def _accumulate(self, a, axis, dtype):
    if self._own and self.__name__ in ("add", "multiply"):
        from ._nan_reductions import cumprod, cumsum
        return (cumsum if self.__name__ == "add" else cumprod)(a, axis=axis, dtype=dtype)
    import jax
    core.check_arraylike(f"{self.__name__}.accumulate", a)
    a = core.asarray(a)
    if dtype is None:
        one = core.full_like(a, 1, shape=())
        dtype = jax.eval_shape(self._func, one, one).dtype
    if axis is None or isinstance(axis, tuple):
        raise ValueError("accumulate does not allow multiple axes")
    axis = core.canonical_axis(axis, a.ndim)
    if a.size == 0:
        return core.full(a.shape, 0, dtype)
    a = _low.move_axis(a, axis, 0)

    def step(carry, _):
        i, x = carry
        y = _low.where(i == 0, core.convert(a[0], dtype), self(core.convert(x, dtype), core.convert(a[i], dtype)))
        return (i + 1, y), y
    _, result = jax.lax.scan(step, (0, core.convert(a[0], dtype)), None, length=a.shape[0])
    return _low.move_axis(result, 0, axis)


def frompyfunc(func, /, nin, nout, *, identity=None):
    return ufunc(func, nin, nout, identity=identity)
