"""`mode`, `rankdata`, `sem`."""
import math

from _jitlens import core

from ... import numpy as jnp
from ..._vmap import vmap
from ...lax import cond


class ModeResult(core.named_tuple("ModeResult", ["mode", "count"])):
    pass


def _check_nan_policy(name, policy):
    if policy not in ("propagate", "omit", "raise"):
        raise ValueError(f"Illegal nan_policy value {policy!r}; expected one of {{'propagate', 'omit', 'raise'}}")
    if policy == "omit":
        raise NotImplementedError(f"Logic for `nan_policy` of {policy} is not implemented")
    if policy == "raise":
        raise NotImplementedError(f"In order to best JIT compile `{name}`, we cannot know whether `x` contains nans. Please check if nans exist "
                                  f"in `x` outside of the `{name}` function.")


@core.jit(static_argnames=("axis", "nan_policy", "keepdims"))
def mode(a, axis=0, nan_policy="propagate", keepdims=False):
    core.check_arraylike("mode", a)
    x = jnp.atleast_1d(a)
    _check_nan_policy("mode", nan_policy)
    if axis is not None:
        axis = core.canonical_axis(axis, x.ndim)
    shape = x.shape
    if keepdims:
        shape = tuple([1 if axis is None or i == axis else n for i, n in enumerate(shape)])
    else:
        shape = () if axis is None else tuple([n for i, n in enumerate(shape) if i != axis])
    if axis is None:
        axis, x = 0, x.ravel()

    def of_column(x):
        if x.size == 0:
            return jnp.array(math.nan, dtype=core.default_float()), jnp.array(0, dtype=core.default_float())
        values, counts = jnp.unique(x, return_counts=True, size=x.size)
        return values[jnp.argmax(counts)], counts.max()

    x = jnp.moveaxis(x, axis, 0)
    x = x.reshape(x.shape[0], math.prod(x.shape[1:]))
    values, counts = vmap(of_column, in_axes=1)(x)
    return ModeResult(values.reshape(shape), counts.reshape(shape))


@core.jit(static_argnames=("method", "axis", "nan_policy"))
def rankdata(a, method="average", *, axis=None, nan_policy="propagate"):
    core.check_arraylike("rankdata", a)
    _check_nan_policy("rankdata", nan_policy)
    if method not in ("average", "min", "max", "dense", "ordinal"):
        raise ValueError(f"unknown method '{method}'")
    if axis is not None:
        return jnp.apply_along_axis(rankdata, axis, a, method)
    a = jnp.ravel(a)
    dtype = core.default_float()
    return cond(jnp.any(jnp.isnan(a)), lambda a: jnp.full_like(a, jnp.nan, dtype), lambda a: _ranks(a, method, dtype), a)


def _ranks(a, method, dtype):
    from ...lax import sort_key_val
    ordered, order = sort_key_val(a, jnp.arange(a.size))
    inverse = jnp.empty_like(order).at[order].set(jnp.arange(order.size, dtype=order.dtype))
    if method == "ordinal":
        return (inverse + 1).astype(dtype)
    first = jnp.concatenate([jnp.array([True]), ordered[1:] != ordered[:-1]])
    dense = first.cumsum()[inverse]
    if method == "dense":
        return dense.astype(dtype)
    count = jnp.nonzero(first, size=ordered.size + 1, fill_value=first.size)[0].astype(dtype)
    if method == "max":
        return count[dense]
    if method == "min":
        return count[dense - 1] + 1
    return 0.5 * (count[dense] + count[dense - 1] + 1)


@core.jit(static_argnames=("axis", "nan_policy", "keepdims"))
def sem(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    b, = core.promote_inexact("sem", a)
    if nan_policy == "propagate":
        size = b.size if axis is None else b.shape[axis]
        return b.std(axis, ddof=ddof, keepdims=keepdims) / jnp.sqrt(size).astype(b.dtype)
    if nan_policy == "omit":
        count = (~jnp.isnan(b)).sum(axis, keepdims=keepdims)
        return jnp.nanstd(b, axis, ddof=ddof, keepdims=keepdims) / jnp.sqrt(count).astype(b.dtype)
    raise ValueError(f"{nan_policy} is not supported")
