"""Jacobians and Hessians: a basis of tangents or cotangents, mapped."""
from _jitlens import core, prims as p

from ._arguments import index_or_tuple, split_arguments
from ._autodiff import check_reverse_input, check_reverse_output, jvp_unchecked, vjp, wraps
from ._vmap import vmap
from .tree_util import tree_transpose


def jacfwd(fun, argnums=0, has_aux=False, holomorphic=False):
    core.check_callable(fun)
    argnums = index_or_tuple(argnums)

    @wraps(fun)
    def jacfun(*args, **kwargs):
        f, dynamic = split_arguments(fun, argnums, args, kwargs)
        for leaf in core.tree_leaves(dynamic):
            _check_forward_input(holomorphic, leaf)

        def push(*tangents):
            return jvp_unchecked(f, dynamic, tangents, has_aux)

        mapped = vmap(push, out_axes=(None, -1, None) if has_aux else (None, -1))
        y, jac, *aux = mapped(*_basis(dynamic))
        if holomorphic:
            for leaf in core.tree_leaves(y):
                _check_forward_output(leaf)
        example = dynamic[0] if isinstance(argnums, int) else dynamic
        jac = core.tree_map(lambda leaf, arr: _split_axis(example, arr, arr.ndim - 1, leaf), y, jac)
        return (jac, *aux) if has_aux else jac

    return jacfun


def jacrev(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False):
    core.check_callable(fun)

    @wraps(fun)
    def jacfun(*args, **kwargs):
        f, dynamic = split_arguments(fun, index_or_tuple(argnums), args, kwargs)
        for leaf in core.tree_leaves(dynamic):
            check_reverse_input("jacrev", holomorphic, allow_int, leaf)
        y, pullback, *aux = vjp(f, *dynamic, has_aux=has_aux)
        for leaf in core.tree_leaves(y):
            check_reverse_output("jacrev", holomorphic, leaf)
        jac = vmap(pullback)(_basis(y))
        jac = jac[0] if isinstance(argnums, int) else jac
        example = dynamic[0] if isinstance(argnums, int) else dynamic
        jac = core.tree_map(lambda leaf, arr: _split_axis(y, arr, 0, leaf), example, jac)
        jac = tree_transpose(core.tree_structure(example), core.tree_structure(y), jac)
        return (jac, *aux) if has_aux else jac

    return jacfun


def jacobian(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False):
    return jacrev(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int)


def hessian(fun, argnums=0, has_aux=False, holomorphic=False):
    inner = jacrev(fun, argnums, has_aux=has_aux, holomorphic=holomorphic)
    return jacfwd(inner, argnums, has_aux=has_aux, holomorphic=holomorphic)


def _check_forward_input(holomorphic, x):
    core.check_arg(x)
    dtype = core.typeof(x).dtype
    kind = core.dtype_kind(dtype)
    if kind == "extended":
        raise TypeError(f"jacfwd with input element type {dtype.name}")
    if holomorphic:
        if kind != "complex":
            raise TypeError(f"jacfwd with holomorphic=True requires inputs with complex dtype, but got {dtype.name}.")
    elif kind != "float":
        raise TypeError(f"jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got {dtype.name}. "
                        "For holomorphic differentiation, pass holomorphic=True. For differentiation of non-holomorphic functions "
                        "involving complex inputs or integer inputs, use jax.jvp directly.")


def _check_forward_output(x):
    dtype = core.typeof(x).dtype
    if core.dtype_kind(dtype) != "complex":
        raise TypeError(f"jacfwd with holomorphic=True requires outputs with complex dtype, but got {dtype.name}.")


def _basis(tree):
    """The unit vectors of the space of `tree`, stacked along a new first axis of each leaf."""
    from . import numpy as jnp
    leaves = core.tree_leaves(tree)
    total = sum([core.size(leaf) for leaf in leaves])
    return _split_axis(tree, jnp.eye(total, dtype=core.result_type(*leaves)), 1, None)


def _split_axis(tree, arr, axis, example):
    """Cuts `axis` of `arr` into the leaves of `tree`, whose shapes take its place; dtypes follow the leaves, or `example`."""
    leaves, treedef = core.tree_flatten(tree)
    before, after = arr.shape[:axis], arr.shape[axis + 1:]
    parts = core.split_at(arr, [core.size(leaf) for leaf in leaves], axis)
    convert = _like if example is not None else _converted
    return core.tree_unflatten(treedef, [convert(part.reshape(before + core.shape(leaf) + after), leaf if example is None else example)
                                        for part, leaf in zip(parts, leaves)])


def _converted(x, example):
    # JAX binds the conversion of a basis even where it changes nothing.
    return p.convert_element_type(x, new_dtype=core.dtype(example), weak_type=core.weak_type(example))


def _like(x, example):
    dtype = core.dtype(example)
    if core.dtype_kind(x.dtype) == "complex" and core.dtype_kind(dtype) != "complex":
        x = x.real
    return core.convert(x, dtype, core.weak_type(example))
