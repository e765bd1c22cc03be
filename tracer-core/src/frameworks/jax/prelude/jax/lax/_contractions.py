"""Products: `dot_general` and what is built on it."""
from _jitlens import core, prims as p


def dot_general(lhs, rhs, dimension_numbers, precision=None, preferred_element_type=None, *, out_sharding=None):
    return dot(lhs, rhs, dimension_numbers=dimension_numbers, precision=precision, preferred_element_type=preferred_element_type)


def dot(lhs, rhs, *positional, dimension_numbers=None, precision=None, preferred_element_type=None, out_sharding=None):
    if positional:
        raise TypeError(f"dot() takes 2 positional arguments but {2 + len(positional)} were given")
    lhs_shape, rhs_shape = core.shape(lhs), core.shape(rhs)
    if dimension_numbers is None:
        if 1 <= len(lhs_shape) <= 2 and 1 <= len(rhs_shape) <= 2 and lhs_shape[-1] == rhs_shape[0]:
            dimension_numbers = (((len(lhs_shape) - 1,), (0,)), ((), ()))
        else:
            raise ValueError("jax.lax.dot: dimension_numbers must be specified when not performing simple un-batched matrix-matrix, "
                             f"matrix-vector, or vector-vector products; got lhs_shape={lhs_shape!r} rhs_shape={rhs_shape!r}")
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = dimension_numbers
    numbers = ((_indices(lhs_contract), _indices(rhs_contract)), (_indices(lhs_batch), _indices(rhs_batch)))
    if preferred_element_type is not None:
        preferred_element_type = core.user_dtype(preferred_element_type, "dot")
    return p.dot_general(lhs, rhs, dimension_numbers=numbers, precision=core.precision(precision),
                         preferred_element_type=preferred_element_type)


def _indices(x):
    if type(x) is int:
        return (x,)
    return tuple([core.index(i) for i in x])


def batch_matmul(lhs, rhs, precision=None):
    if min(lhs.ndim, rhs.ndim) < 2:
        raise ValueError(f"Arguments to batch_matmul must be at least 2D, got {lhs.ndim}, {rhs.ndim}")
    if lhs.ndim != rhs.ndim:
        raise ValueError(f"Arguments to batch_matmul must have same ndim, got {lhs.ndim}, {rhs.ndim}")
    batch = tuple(range(lhs.ndim - 2))
    return dot_general(lhs, rhs, (((lhs.ndim - 1,), (rhs.ndim - 2,)), (batch, batch)), precision=precision)


def ragged_dot(lhs, rhs, group_sizes, precision=None, preferred_element_type=None, group_offset=None, out_sharding=None):
    numbers = core.RaggedDotDimensionNumbers(dot_dimension_numbers=(([1], [1]), ([], [])), lhs_ragged_dimensions=[0], rhs_group_dimensions=[0])
    return ragged_dot_general(lhs, rhs, group_sizes, numbers, precision, preferred_element_type, group_offset)


def ragged_dot_general(lhs, rhs, group_sizes, ragged_dot_dimension_numbers, precision=None, preferred_element_type=None,
                       group_offset=None, out_sharding=None):
    if core.is_array(group_offset) or core.is_numpy_array(group_offset):
        raise TypeError("unhashable type: 'jaxlib._jax.ArrayImpl'")
    if group_offset is not None:
        # Its type is checked before the compiler refuses it.
        ragged_dot_general(lhs, rhs, group_sizes, ragged_dot_dimension_numbers, precision, preferred_element_type)
        raise NotImplementedError("Unimplemented group_offset support.")
    return p.ragged_dot_general(lhs, rhs, group_sizes, ragged_dot_dimension_numbers=ragged_dot_dimension_numbers,
                                precision=core.precision(precision), preferred_element_type=preferred_element_type,
                                group_offset=group_offset)
