"""What the modules of sparse formats share: warnings, what a format knows of its indices, maps over leading axes."""
import operator
from typing import NamedTuple

from _jitlens import core

from ... import lax
from ... import numpy as jnp
from ..._vmap import vmap
from ...extend.core import Primitive
from ...interpreters import mlir


class SparseEfficiencyError(ValueError):
    pass


class SparseEfficiencyWarning(UserWarning):
    pass


class CuSparseEfficiencyWarning(SparseEfficiencyWarning):
    pass


class SparseInfo(NamedTuple):
    shape: tuple
    indices_sorted: bool = False
    unique_indices: bool = False


# ----------------------------------------------------------------------------------------------------------- primitives

def primitive(name, several, types, impl):
    """A primitive of one or several results, which is compiled to what `impl` does."""
    found = Primitive(name)
    found.multiple_results = several
    found.def_abstract_eval(types)
    found.def_impl(impl)
    mlir.register_lowering(found, mlir.lower_fun(impl, multiple_results=several))
    return found


def axes_tuples(dimension_numbers):
    """The dimension numbers of a product as tuples of tuples."""
    contracted, batch = dimension_numbers
    return tuple([_tuple(axes) for axes in contracted]), tuple([_tuple(axes) for axes in batch])


def _tuple(axes):
    try:
        return (operator.index(axes),)
    except TypeError:
        return tuple([operator.index(axis) for axis in axes])


def dot_aval(lhs_shape, lhs_dtype, rhs_shape, rhs_dtype, dimension_numbers, preferred_element_type=None):
    """The type of a dense product of these shapes.

    Raises what `lax.dot_general` raises.
    """
    def product(x, y):
        return lax.dot_general(x, y, dimension_numbers=dimension_numbers, preferred_element_type=preferred_element_type)
    return types_of(product, core.ShapedArray(tuple(lhs_shape), lhs_dtype), core.ShapedArray(tuple(rhs_shape), rhs_dtype))


def types_of(f, *avals):
    """The type, or types, that a function gives for arguments of these types."""
    from ..._staging import eval_shape
    return eval_shape(f, *avals)


def concrete_index(value, context):
    """A number that has to be known.

    Raises ConcretizationTypeError for a tracer.
    """
    return core.concrete_index(value, context)


# ------------------------------------------------------------------------------------------------------------ small ones

def split(items, *counts):
    """Parts of so many items each, and the rest, all of the type of `items`."""
    parts = []
    for count in counts:
        parts.append(items[:count])
        items = items[count:]
    return (*parts, items)


def remaining(axes, *taken):
    taken = {axis for group in taken for axis in group}
    return [axis for axis in axes if axis not in taken]


def replaced(items, at, item):
    return tuple([item if i == at else x for i, x in enumerate(items)])


def fits(shape, whole):
    """Whether each size is that of the whole shape, or 1."""
    return len(shape) == len(whole) and all([a == 1 or a == b for a, b in zip(shape, whole)])


def nfold_vmap(fun, N, *, broadcasted=True, in_axes=0):
    for _ in range(N):
        fun = broadcasting_vmap(fun, in_axes) if broadcasted else vmap(fun, in_axes=in_axes)
    return fun


def broadcasting_vmap(fun, in_axes=0):
    """`vmap` over leading axes of which some may have the size 1."""
    def batched(*args):
        axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
        size = max([core.shape(x)[axis] for x, axis in zip(args, axes) if axis is not None])
        if size > 1:
            if any([axis is not None and core.shape(x)[axis] not in (1, size) for x, axis in zip(args, axes)]):
                raise ValueError("broadcasting_vmap: mismatched input shapes")
            single = [axis is not None and core.shape(x)[axis] == 1 for x, axis in zip(args, axes)]
            args = [lax.squeeze(x, (axis,)) if one else x for x, axis, one in zip(args, axes, single)]
            axes = tuple([None if one else axis for axis, one in zip(axes, single)])
        return vmap(fun, in_axes=axes)(*args)
    return batched


def count_stored_elements(mat, n_batch=0, n_dense=0):
    """How many elements are not zero, in the batch that has most."""
    mat = jnp.asarray(mat)
    mask = mat != 0
    if n_dense > 0:
        mask = mask.any(tuple([-(i + 1) for i in range(n_dense)]))
    return mask.sum(tuple(range(n_batch, mask.ndim))).max(initial=0)


@core.jit
def csr_to_coo(indices, indptr):
    """Rows and columns from columns and pointers."""
    return jnp.cumsum(jnp.zeros_like(indices).at[indptr].add(1)) - 1, indices


def coo_extract(row, col, mat):
    return mat[row, col]


def csr_extract(indices, indptr, mat):
    row, col = csr_to_coo(indices, indptr)
    return coo_extract(row, col, mat)
