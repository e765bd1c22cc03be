"""`jax.interpreters.batching`: batching rules of primitives."""
from functools import partial

from _jitlens import core

from .._vmappable import register as register_vmappable, unregister as unregister_vmappable  # noqa: F401

primitive_batchers = core.rule_table("batching")

fancy_primitive_batchers = core.rule_table("batching")
not_mapped = None

_UNMODELLED = frozenset(["defreducer"])


class AxisData:
    """The axis that a batching rule is about."""

    def __init__(self, name, size, spmd_name, explicit_mesh_axis):
        self.name, self.size, self.spmd_name, self.explicit_mesh_axis = name, size, spmd_name, explicit_mesh_axis


class _AxisPrimitiveBatchers:
    """Rules of an older form, which take the size and name of the axis first."""

    def __setitem__(self, primitive, rule):
        fancy_primitive_batchers[primitive] = lambda axis, args, dims, **params: rule(axis.size, axis.name, None, args, dims, **params)


axis_primitive_batchers = _AxisPrimitiveBatchers()


def _vectorized(prim, args, dims, **params):
    assert all([dims[0] == d for d in dims[1:]]), (prim, dims)
    out = prim.bind(*args, **params)
    return (out, (dims[0],) * len(out)) if prim.multiple_results else (out, dims[0])


def defvectorized(prim):
    primitive_batchers[prim] = partial(_vectorized, prim)


def defbroadcasting(prim):
    def rule(args, dims, **params):
        ndim = max([core.ndim(x) for x in args])
        return prim.bind(*[_front(x, d, ndim) for x, d in zip(args, dims)], **params), 0
    primitive_batchers[prim] = rule


def _front(x, bdim, ndim):
    """`x` with its mapped axis first and axes of size 1 up to `ndim`."""
    from .. import lax
    from .. import numpy as jnp
    if bdim is None:
        return lax.expand_dims(x, (0,)) if core.ndim(x) < ndim else x
    x = jnp.moveaxis(x, bdim, 0)
    return lax.expand_dims(x, tuple(range(1, 1 + ndim - core.ndim(x))))


def broadcast(x, sz, axis, mesh_axis=None):
    from .. import lax
    shape = list(core.shape(x))
    shape.insert(axis, sz)
    return lax.broadcast_in_dim(x, tuple(shape), tuple([i for i in range(len(shape)) if i != axis]))


def bdim_at_front(x, bdim, size, mesh_axis=None):
    from .. import numpy as jnp
    return broadcast(x, size, 0) if bdim is None else jnp.moveaxis(x, bdim, 0)


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.interpreters.batching." + name)
    from .. import _removed
    raise AttributeError(_removed.missing("jax.interpreters.batching", name))
