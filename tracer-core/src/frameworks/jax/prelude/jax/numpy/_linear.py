"""Products: dot, matmul and their relatives."""
from _jitlens import core, prims as p

from . import _low
from ._manipulate import moveaxis, ravel, reshape_array


def _element_type(name, a, b, preferred):
    """(element type of the product, whether the result is weak)."""
    if preferred is None:
        return core.result_type(a, b, return_weak=True)
    return core.user_dtype(preferred, name), False


def _dot_general(a, b, contract, batch, precision, element_type):
    return p.dot_general(a, b, dimension_numbers=((tuple(contract[0]), tuple(contract[1])), (tuple(batch[0]), tuple(batch[1]))),
                         precision=core.precision(precision), preferred_element_type=element_type)


def dot(a, b, *, precision=None, preferred_element_type=None, out_sharding=None):
    a, b = core.arraylike("dot", a, b)
    element, weak = _element_type("dot", a, b, preferred_element_type)
    if a.ndim == 0 or b.ndim == 0:
        contract = ((), ())
    elif b.ndim == 1:
        contract = ((a.ndim - 1,), (0,))
    else:
        contract = ((a.ndim - 1,), (b.ndim - 2,))
    return core.convert(_dot_general(a, b, contract, ((), ()), precision, element), element, weak)


def matmul(a, b, *, precision=None, preferred_element_type=None, out_sharding=None):
    a, b = core.arraylike("matmul", a, b)
    for i, x in enumerate((a, b)):
        if x.ndim < 1:
            raise ValueError(f"matmul input operand {i} must have ndim at least 1, but it has ndim {x.ndim}")
    element, weak = _element_type("matmul", a, b, preferred_element_type)
    if a.ndim <= 2 and b.ndim <= 2:
        out = _dot_general(a, b, ((a.ndim - 1,), (0,)), ((), ()), precision, element)
        return core.convert(out, element, weak)
    return core.convert(_batched_matmul(a, b, precision, element), element, weak)


def _batched_matmul(a, b, precision, element):
    """Dimensions of size one are squeezed and the others that both have are batch dimensions of the product."""
    a_matrix, b_matrix = a.ndim > 1, b.ndim > 1
    count = max(a.ndim, b.ndim) - 2
    a_sizes = (None,) * (count - max(a.ndim - 2, 0)) + a.shape[:-2]
    b_sizes = (None,) * (count - max(b.ndim - 2, 0)) + b.shape[:-2]
    a_drop, b_drop, both_drop, a_batch, b_batch = [], [], [], [], []
    shared, a_only, b_only = [], [], []      # positions in the result
    for i, (m, n) in enumerate(zip(a_sizes, b_sizes)):
        if m is None:
            b_only.append(i)
        elif n is None:
            a_only.append(i)
        elif m == 1 and n == 1:
            a_drop.append(len(shared) + len(a_only) + len(a_drop))
            b_drop.append(len(shared) + len(b_only) + len(b_drop))
            both_drop.append(i)
        elif m == 1:
            b_only.append(i)
            a_drop.append(len(shared) + len(a_only) + len(a_drop))
        elif n == 1:
            a_only.append(i)
            b_drop.append(len(shared) + len(b_only) + len(b_drop))
        elif m == n:
            a_batch.append(len(shared) + len(a_only))
            b_batch.append(len(shared) + len(b_only))
            shared.append(i)
        else:
            raise ValueError(f"Incompatible types for matmul arguments: {core.aval_name(a)} and {core.aval_name(b)}")
    if a_matrix:
        a_only.append(count)
    if b_matrix:
        b_only.append(count + a_matrix)
    places = shared + a_only + b_only
    a, b = _low.squeeze(a, a_drop), _low.squeeze(b, b_drop)
    out = _dot_general(a, b, ((a.ndim - 1,), (b.ndim - 1 - b_matrix,)), (a_batch, b_batch), precision, element)
    out = _low.transpose(out, sorted(range(len(places)), key=lambda i: places[i]))
    return _low.expand_dims(out, both_drop) if both_drop else out


@core.jit
def matvec(x1, x2, /):
    from ._vectorize import vectorize
    x1, x2 = core.arraylike("matvec", x1, x2)
    return vectorize(matmul, signature="(n,m),(m)->(n)")(x1, x2)


@core.jit
def vecmat(x1, x2, /):
    from ._elementwise import conj
    from ._vectorize import vectorize
    x1, x2 = core.arraylike("matvec", x1, x2)
    return vectorize(matmul, signature="(n),(n,m)->(m)")(conj(x1), x2)


def vdot(a, b, *, precision=None, preferred_element_type=None):
    a, b = core.arraylike("vdot", a, b)
    if a.dtype.kind == "c":
        a = p.conj(a, input_dtype=a.dtype)
    return dot(ravel(a), ravel(b), precision=precision, preferred_element_type=preferred_element_type)


def vecdot(x1, x2, /, *, axis=-1, precision=None, preferred_element_type=None):
    from ._vectorize import vectorize
    x1, x2 = core.arraylike("jnp.vecdot", x1, x2)
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"axes must match; got shapes {x1.shape} and {x2.shape} with axis={axis}")

    def product(a, b):
        return vdot(a, b, precision=precision, preferred_element_type=preferred_element_type)
    return vectorize(product, signature="(n),(n)->()")(moveaxis(x1, axis, -1), moveaxis(x2, axis, -1))


def tensordot(a, b, axes=2, *, precision=None, preferred_element_type=None, out_sharding=None):
    a, b = core.arraylike("tensordot", a, b)
    element, weak = _element_type("tensordot", a, b, preferred_element_type)
    out = _dot_general(a, b, _contracted(a, b, axes), ((), ()), precision, element)
    return core.convert(out, element, weak)


def _contracted(a, b, axes):
    if type(axes) is int:
        if axes > min(a.ndim, b.ndim):
            raise TypeError(f"Number of tensordot axes (axes {axes}) exceeds input ranks ({a.shape} and {b.shape})")
        return tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    if not isinstance(axes, (tuple, list)) or len(axes) != 2:
        raise TypeError("tensordot axes argument must be an int, a pair of ints, or a pair of lists/tuples of ints.")
    left, right = axes
    if isinstance(left, int) and isinstance(right, int):
        left, right = (left,), (right,)
    elif not isinstance(left, (tuple, list)) or not isinstance(right, (tuple, list)):
        raise TypeError(f"tensordot requires both axes lists to be either ints, tuples or lists, got {left} and {right}")
    elif len(left) != len(right):
        raise TypeError(f"tensordot requires axes lists to have equal length, got {left} and {right}.")
    return tuple(core.canonical_axis(i, a.ndim) for i in left), tuple(core.canonical_axis(i, b.ndim) for i in right)


def inner(a, b, *, precision=None, preferred_element_type=None):
    a, b = core.arraylike("inner", a, b)
    if a.ndim == 0 or b.ndim == 0:
        if preferred_element_type is not None:
            from ._creation import astype
            a, b = astype(a, preferred_element_type), astype(b, preferred_element_type)
        return a * b
    return tensordot(a, b, (-1, -1), precision=precision, preferred_element_type=preferred_element_type)


def outer(a, b, out=None):
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.outer is not supported.")
    a, b = core.promote_dtypes(*core.arraylike("outer", a, b))
    return _low.expand_dims(ravel(a), (1,)) * _low.expand_dims(ravel(b), (0,))


@core.jit
def kron(a, b):
    core.check_arraylike("kron", a, b)
    a, b = core.promote_dtypes(a, b)
    if a.ndim < b.ndim:
        a = _low.expand_dims(a, range(b.ndim - a.ndim))
    elif b.ndim < a.ndim:
        b = _low.expand_dims(b, range(a.ndim - b.ndim))
    spread_a = _low.expand_dims(a, range(1, 2 * a.ndim, 2))
    spread_b = _low.expand_dims(b, range(0, 2 * b.ndim, 2))
    return reshape_array(p.mul(spread_a, spread_b), tuple(m * n for m, n in zip(a.shape, b.shape)))


@core.jit(static_argnames=("axisa", "axisb", "axisc", "axis"))
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    from .._indexing import index
    from ._creation import array
    core.check_arraylike("cross", a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("Dimension must be either 2 or 3 for cross product")

    def part(x, i):
        return index(x, (Ellipsis, i))
    if a.shape[-1] == 2 and b.shape[-1] == 2:
        return part(a, 0) * part(b, 1) - part(a, 1) * part(b, 0)

    def parts(x):
        first, second = part(x, 0), part(x, 1)
        return first, second, part(x, 2) if x.shape[-1] == 3 else core.full_like(first, 0)
    (a0, a1, a2), (b0, b1, b2) = parts(a), parts(b)
    return moveaxis(array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0]), 0, axisc)
