"""Products of BCOO arrays: `bcoo_dot_general`, `bcoo_dot_general_sampled`, `bcoo_spdot_general`, and products of elements."""
import math

from _jitlens import core

from ... import lax
from ... import numpy as jnp
from ..._autodiff import linear_transpose
from ..._vmap import vmap
from ...interpreters import ad, batching
from ._bcoo_checks import batch_dims_to_front, tangent_zero, validate, validate_permutation
from ._bcoo_primitives import extract_buffers, todense_buffers, transpose_buffers
from .util import SparseInfo, axes_tuples, dot_aval, nfold_vmap, primitive, remaining, replaced, types_of

HIGHEST = "highest"


def batched_numbers(ndims, dims, dimension_numbers):
    """The dimension numbers of a product of which operands are mapped, the left one along its first axis, and the axis of the result."""
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = dimension_numbers
    left, right = dims
    behind_left = [d + 1 for d in lhs_contract], [d + 1 for d in lhs_batch]

    def behind(axes):
        return [d + (d >= right) for d in axes]

    if right is None:
        # The mapped axis is the first one of the left operand that is kept.
        return ((tuple(behind_left[0]), tuple(rhs_contract)), (tuple(behind_left[1]), tuple(rhs_batch))), len(lhs_batch)
    return ((tuple(behind_left[0]), tuple(behind(rhs_contract))),
            ((left, *behind_left[1]), (right, *behind(rhs_batch)))), 0


# --------------------------------------------------------------------------------------------- sparse times dense arrays

def dot_general_buffers(data, indices, rhs, *, dimension_numbers, preferred_element_type, lhs_spinfo):
    if preferred_element_type is not None:
        import numpy as np
        preferred_element_type = np.dtype(preferred_element_type)
    return bcoo_dot_general_p.bind(jnp.asarray(data), jnp.asarray(indices), jnp.asarray(rhs), dimension_numbers=axes_tuples(dimension_numbers),
                                   preferred_element_type=preferred_element_type, lhs_spinfo=lhs_spinfo)


def rdot_general_buffers(lhs, data, indices, *, dimension_numbers, preferred_element_type, rhs_spinfo):
    """With the sparse array on the right."""
    found = dot_general_buffers(data, indices, lhs, lhs_spinfo=rhs_spinfo, preferred_element_type=preferred_element_type,
                                dimension_numbers=tuple([d[::-1] for d in dimension_numbers]))
    n_contract, n_batch = [len(d[0]) for d in dimension_numbers]
    swapped = len(rhs_spinfo.shape) - n_contract
    return lax.transpose(found, (*range(n_batch), *range(swapped, found.ndim), *range(n_batch, swapped)))


def _dot_types(data, indices, rhs, *, dimension_numbers, preferred_element_type, lhs_spinfo):
    out = dot_aval(lhs_spinfo.shape, data.dtype, rhs.shape, rhs.dtype, dimension_numbers, preferred_element_type)
    (lhs_contract, _), (lhs_batch, _) = dimension_numbers
    n_batch, n_sparse, _, _ = validate(data, indices, lhs_spinfo.shape)
    if lhs_batch and max(lhs_batch) >= n_batch:
        raise NotImplementedError("bcoo_dot_general batch dimensions must be among the batch dimensions in the sparse representation.\n"
                                  f"got {lhs_batch=}, {n_batch=}")
    if any([d >= n_batch + n_sparse for d in lhs_contract]):
        raise NotImplementedError("bcoo_dot_general: contracting over dense dimensions.")
    return core.ShapedArray(out.shape, out.dtype)


def dot_general(data, indices, rhs, *, dimension_numbers, preferred_element_type, lhs_spinfo):
    """Each stored element times what it meets in the other operand, added up where it belongs."""
    data, indices, rhs = jnp.asarray(data), jnp.asarray(indices), jnp.asarray(rhs)
    out = _dot_types(core.typeof(data), core.typeof(indices), core.typeof(rhs), dimension_numbers=dimension_numbers,
                     preferred_element_type=preferred_element_type, lhs_spinfo=lhs_spinfo)
    n_batch, n_sparse = indices.ndim - 2, indices.shape[-1]
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = dimension_numbers
    pairs = list(zip(lhs_contract, rhs_contract))
    over_batch = [(l, r) for l, r in pairs if l < n_batch]
    over_sparse = [(l - n_batch, r) for l, r in pairs if l >= n_batch]
    count = len(over_sparse)

    order = [*lhs_batch, *remaining(range(n_batch), lhs_batch, [l for l, _ in over_batch]), *[l for l, _ in over_batch]]
    data = data.transpose([*order, *range(n_batch, data.ndim)])
    indices = indices.transpose([*order, *range(n_batch, indices.ndim)])
    columns = [l for l, _ in over_sparse]
    columns += remaining(range(n_sparse), columns)
    rhs = rhs.transpose([*rhs_batch, *[r for _, r in over_batch], *[r for _, r in over_sparse],
                         *remaining(range(rhs.ndim), rhs_batch, rhs_contract)])
    mapped = n_batch - len(over_batch)
    shared = list(range(len(over_batch) + bool(count)))

    def one(whole, data, indices, rhs):
        places = [indices[..., i] for i in columns]
        met = tuple(places[:count])
        if met and indices.ndim > 2:
            met = (*jnp.meshgrid(*[jnp.arange(n) for n in indices.shape[:-1]], indexing="ij")[:indices.ndim - 2], *met)
        terms = lax.dot_general(data, rhs.at[met].get(mode="fill", fill_value=0), (([], []), (shared, shared)),
                                preferred_element_type=preferred_element_type)
        if len(places) > count:
            return whole.at[tuple(places[count:])].add(terms)
        return terms.sum(tuple(range(terms.ndim - whole.ndim)), dtype=whole.dtype)

    rhs = lax.expand_dims(rhs, tuple(range(len(rhs_batch), mapped)))
    return nfold_vmap(one, mapped)(jnp.zeros(out.shape, out.dtype), data, indices, rhs)


def dot_general_transpose(ct, data, indices, rhs, *, dimension_numbers, preferred_element_type, lhs_spinfo):
    assert not ad.is_undefined_primal(indices)
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = dimension_numbers
    lhs_ndim = len(lhs_spinfo.shape)
    rhs_ndim = rhs.aval.ndim if ad.is_undefined_primal(rhs) else rhs.ndim
    lhs_kept = remaining(range(lhs_ndim), lhs_contract, lhs_batch)
    rhs_kept = remaining(range(rhs_ndim), rhs_contract, rhs_batch)
    n, k = len(lhs_batch), len(lhs_kept)
    ans_batch, ans_lhs, ans_rhs = list(range(n)), list(range(n, n + k)), list(range(n + k, n + k + len(rhs_kept)))
    if ad.is_undefined_primal(data):
        dims = ((ans_rhs, rhs_kept), (ans_batch, rhs_batch))
        permutation = [*lhs_batch, *lhs_kept, *[l for _, l in sorted(zip(rhs_contract, lhs_contract))]]
        back = [permutation.index(i) for i in range(lhs_ndim)]
        anything = jnp.zeros((1,) * (indices.ndim - 2) + (indices.shape[-2],))
        shape = tuple(indices.shape[:-2]) + indices.shape[-1] * (1,)
        try:
            validate_permutation(anything, indices, permutation, shape)
        except NotImplementedError:
            dense = lax.transpose(lax.dot_general(ct, rhs, dimension_numbers=dims), back)
            found = extract_buffers(indices, dense)
        else:
            _, indices_t = transpose_buffers(anything, indices, permutation=permutation, spinfo=SparseInfo(shape))
            found = bcoo_dot_general_sampled(ct, rhs, indices_t, dimension_numbers=dims)
            found, _ = transpose_buffers(found, indices_t, permutation=back, spinfo=SparseInfo(tuple([shape[i] for i in permutation])))
        return _unbroadcast(data.aval, found), indices, rhs
    dims = ((lhs_kept, ans_lhs), (lhs_batch, ans_batch))
    order = [*rhs_batch, *[r for _, r in sorted(zip(lhs_contract, rhs_contract))], *rhs_kept]
    found = dot_general_buffers(data, indices, ct, lhs_spinfo=lhs_spinfo, preferred_element_type=preferred_element_type,
                                dimension_numbers=dims)
    return data, indices, lax.transpose(found, [order.index(i) for i in range(rhs_ndim)])


def _unbroadcast(aval, x):
    """What was repeated along axes is added up along them."""
    shape = core.shape(x)
    if tuple(aval.shape) == shape:
        return x
    axes = tuple([i for i, (a, b) in enumerate(zip(shape, aval.shape)) if a != b])
    return lax.expand_dims(x.sum(axes), axes)


def _dot_batched(args, dims, *, dimension_numbers, preferred_element_type, lhs_spinfo):
    rhs, bdim = args[2], dims[2]
    data, indices, info = batch_dims_to_front(args[:2], dims[:2], lhs_spinfo, None if bdim is None else rhs.shape[bdim])
    numbers, at = batched_numbers((len(lhs_spinfo.shape), rhs.ndim), (0, bdim), dimension_numbers)
    return dot_general_buffers(data, indices, rhs, lhs_spinfo=info, preferred_element_type=preferred_element_type,
                               dimension_numbers=numbers), at


bcoo_dot_general_p = primitive("bcoo_dot_general", False, _dot_types, dot_general)
ad.defjvp(bcoo_dot_general_p, lambda dot, data, indices, rhs, **params: dot_general_buffers(dot, indices, rhs, **params), None,
          lambda dot, data, indices, rhs, **params: dot_general_buffers(data, indices, dot, **params))
ad.primitive_transposes[bcoo_dot_general_p] = dot_general_transpose
batching.primitive_batchers[bcoo_dot_general_p] = _dot_batched


# ------------------------------------------------------------------------------------------------------------ sampled

def bcoo_dot_general_sampled(A, B, indices, *, dimension_numbers):
    """A product of dense arrays at some places alone."""
    return bcoo_dot_general_sampled_p.bind(A, B, indices, dimension_numbers=axes_tuples(dimension_numbers))


def _sampled_types(A, B, indices, *, dimension_numbers):
    dense = dot_aval(A.shape, A.dtype, B.shape, B.dtype, dimension_numbers)
    found = types_of(extract_buffers, core.ShapedArray(indices.shape, indices.dtype), core.ShapedArray(dense.shape, dense.dtype))
    return core.ShapedArray(found.shape, found.dtype)


def _sampled(A, B, indices, *, dimension_numbers):
    A, B, indices = jnp.asarray(A), jnp.asarray(B), jnp.asarray(indices)
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = dimension_numbers
    plain = indices.ndim == 2 and indices.shape[-1] == 2 and not (lhs_batch or rhs_batch)
    if plain and A.ndim == B.ndim == 1 and not lhs_contract:
        return _at(A, 0, indices[:, 0]) * _at(B, 0, indices[:, 1])
    if plain and A.ndim == B.ndim == 2 and len(lhs_contract) == 1:
        left, right = 1 - lhs_contract[0], 1 - rhs_contract[0]
        return lax.dot_general(_at(A, left, indices[:, 0]), _at(B, right, indices[:, 1]), precision=HIGHEST,
                               dimension_numbers=((lhs_contract, rhs_contract), ((left,), (right,))))
    return extract_buffers(indices, lax.dot_general(A, B, dimension_numbers=dimension_numbers, precision=HIGHEST))


def _at(x, axis, places):
    return x.at[replaced((slice(None),) * x.ndim, axis, places)].get(mode="fill", fill_value=0)


def _sampled_transpose(ct, A, B, indices, *, dimension_numbers):
    shapes = [x.aval.shape if ad.is_undefined_primal(x) else x.shape for x in (A, B)]
    whole = dot_aval(shapes[0], ct.dtype, shapes[1], ct.dtype, dimension_numbers)
    ct = todense_buffers(ct, indices, spinfo=SparseInfo(whole.shape))
    if ad.is_undefined_primal(A):
        A, = linear_transpose(lambda A: lax.dot_general(A, B, dimension_numbers), A.aval)(ct)
    else:
        B, = linear_transpose(lambda B: lax.dot_general(A, B, dimension_numbers), B.aval)(ct)
    return A, B, indices


def _sampled_batched(args, dims, *, dimension_numbers):
    def one(A, B, indices):
        return _sampled(A, B, indices, dimension_numbers=dimension_numbers)
    return vmap(one, in_axes=tuple(dims), out_axes=0)(*args), 0


bcoo_dot_general_sampled_p = primitive("bcoo_dot_general_sampled", False, _sampled_types, _sampled)
ad.defjvp(bcoo_dot_general_sampled_p, lambda dot, A, B, indices, **params: bcoo_dot_general_sampled(dot, B, indices, **params),
          lambda dot, A, B, indices, **params: bcoo_dot_general_sampled(A, dot, indices, **params), None)
ad.primitive_transposes[bcoo_dot_general_sampled_p] = _sampled_transpose
batching.primitive_batchers[bcoo_dot_general_sampled_p] = _sampled_batched


# -------------------------------------------------------------------------------------------- sparse times sparse arrays

def spdot_general_buffers(lhs_data, lhs_indices, rhs_data, rhs_indices, *, lhs_spinfo, rhs_spinfo, dimension_numbers,
                          preferred_element_type):
    return bcoo_spdot_general_p.bind(lhs_data, lhs_indices, rhs_data, rhs_indices, lhs_spinfo=lhs_spinfo, rhs_spinfo=rhs_spinfo,
                                     dimension_numbers=axes_tuples(dimension_numbers), preferred_element_type=preferred_element_type)


def _spdot_types(lhs_data, lhs_indices, rhs_data, rhs_indices, *, lhs_spinfo, rhs_spinfo, dimension_numbers, preferred_element_type):
    import numpy as np
    lhs_shape, rhs_shape = lhs_spinfo.shape, rhs_spinfo.shape
    out = dot_aval(lhs_shape, lhs_data.dtype, rhs_shape, rhs_data.dtype, dimension_numbers, preferred_element_type)
    lhs, rhs = validate(lhs_data, lhs_indices, lhs_shape), validate(rhs_data, rhs_indices, rhs_shape)
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = dimension_numbers
    if lhs.n_dense or rhs.n_dense:
        raise NotImplementedError("bcoo_spdot_general with dense dimensions.")
    if (lhs_batch and max(lhs_batch) >= lhs.n_batch) or (rhs_batch and max(rhs_batch) >= rhs.n_batch):
        raise NotImplementedError("bcoo_spdot_general: batch_dims must correspond to batch dimensions of the sparse representation.")
    for axes, props in ((lhs_contract, lhs), (rhs_contract, rhs)):
        if axes and (min(axes) < props.n_batch or max(axes) >= props.n_batch + props.n_sparse):
            raise NotImplementedError("bcoo_spdot_general only supports contraction of sparse indices.")
    if rhs.n_batch > len(rhs_batch) and lhs.n_sparse > len(lhs_contract):
        raise ValueError("bcoo_spdot_general: cannot have unused batch dims on rhs with unused sparse dims on lhs.")
    nse = (lhs.nse if lhs.n_sparse > len(lhs_contract) else 1) * (rhs.nse if rhs.n_sparse > len(rhs_contract) else 1)
    nse = min(nse, math.prod(out.shape[lhs.n_batch + rhs.n_batch - len(lhs_batch):]))

    def own_batch(data, indices, n_batch, batch):
        return np.broadcast_shapes(*[tuple([x.shape[d] for d in range(n_batch) if d not in batch]) for x in (data, indices)])

    batch = (*[lhs_shape[d] for d in lhs_batch], *own_batch(lhs_data, lhs_indices, lhs.n_batch, lhs_batch),
             *own_batch(rhs_data, rhs_indices, rhs.n_batch, rhs_batch))
    data = core.ShapedArray((*batch, nse), out.dtype)
    indices = core.ShapedArray((*batch, nse, lhs.n_sparse + rhs.n_sparse - 2 * len(lhs_contract)), lhs_indices.dtype)
    validate(data, indices, out.shape)
    return data, indices


def _spdot(lhs_data, lhs_indices, rhs_data, rhs_indices, *, lhs_spinfo, rhs_spinfo, dimension_numbers, preferred_element_type):
    data_type, _ = _spdot_types(*[core.typeof(x) for x in (lhs_data, lhs_indices, rhs_data, rhs_indices)], lhs_spinfo=lhs_spinfo,
                                rhs_spinfo=rhs_spinfo, dimension_numbers=dimension_numbers, preferred_element_type=preferred_element_type)
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = dimension_numbers
    lhs_n, rhs_n = lhs_indices.ndim - 2, rhs_indices.ndim - 2

    def front(x, batch, n):
        return x.transpose([*batch, *remaining(range(n), batch), *range(n, x.ndim)])

    def one(lhs_data, lhs_indices, rhs_data, rhs_indices):
        return _spdot_unbatched(lhs_data, lhs_indices, rhs_data, rhs_indices, lhs_spinfo.shape[lhs_n:], rhs_spinfo.shape[rhs_n:],
                                [d - lhs_n for d in lhs_contract], [d - rhs_n for d in rhs_contract], data_type.shape[-1])

    one = nfold_vmap(one, rhs_n - len(rhs_batch), in_axes=(None, None, 0, 0))
    one = nfold_vmap(one, lhs_n - len(lhs_batch), in_axes=(0, 0, None, None))
    one = nfold_vmap(one, len(lhs_batch))
    return one(front(lhs_data, lhs_batch, lhs_n), front(lhs_indices, lhs_batch, lhs_n), front(rhs_data, rhs_batch, rhs_n),
               front(rhs_indices, rhs_batch, rhs_n))


def _spdot_unbatched(lhs_data, lhs_indices, rhs_data, rhs_indices, lhs_shape, rhs_shape, lhs_contract, rhs_contract, nse):
    """All pairs of stored elements, of which those count that meet."""
    from ._bcoo_duplicates import sum_duplicates_buffers

    def columns(indices, axes):
        return jnp.stack([indices[:, i] for i in axes], axis=-1) if axes else jnp.zeros((indices.shape[0], 0), indices.dtype)

    met = [columns(lhs_indices, lhs_contract), columns(rhs_indices, rhs_contract)]
    lhs_kept = remaining(range(len(lhs_shape)), lhs_contract)
    rhs_kept = remaining(range(len(rhs_shape)), rhs_contract)
    valid = [(x < jnp.array([shape[d] for d in axes], dtype=x.dtype)[None]).all(-1)
             for x, shape, axes in ((met[0], lhs_shape, lhs_contract), (met[1], rhs_shape, rhs_contract))]
    meets = (met[0][:, None] == met[1][None, :]).all(-1) & valid[0][:, None] & valid[1][None, :]
    data = jnp.where(meets, lhs_data[:, None] * rhs_data[None, :], 0).ravel()
    pairs = (lhs_indices.shape[0], rhs_indices.shape[0])
    left = jnp.broadcast_to(columns(lhs_indices, lhs_kept)[:, None], (*pairs, len(lhs_kept)))
    right = jnp.broadcast_to(columns(rhs_indices, rhs_kept)[None, :], (*pairs, len(rhs_kept)))
    dtype = jnp.result_type(lhs_indices, rhs_indices)
    indices = jnp.concatenate([left.astype(dtype), right.astype(dtype)], axis=-1).reshape(math.prod(pairs), len(lhs_kept) + len(rhs_kept))
    shape = tuple([lhs_shape[d] for d in lhs_kept] + [rhs_shape[d] for d in rhs_kept])
    return sum_duplicates_buffers(data, indices, spinfo=SparseInfo(shape), nse=nse)


def _spdot_batched(args, dims, *, lhs_spinfo, rhs_spinfo, dimension_numbers, preferred_element_type):
    size = max([x.shape[dim] for x, dim in zip(args, dims) if dim is not None])
    lhs_data, lhs_indices, lhs_info = batch_dims_to_front(args[:2], dims[:2], lhs_spinfo, size)
    rhs_data, rhs_indices, rhs_info = batch_dims_to_front(args[2:], dims[2:], rhs_spinfo, size)
    numbers, at = batched_numbers((len(lhs_spinfo.shape), len(rhs_spinfo.shape)), (0, 0), dimension_numbers)
    return spdot_general_buffers(lhs_data, lhs_indices, rhs_data, rhs_indices, lhs_spinfo=lhs_info, rhs_spinfo=rhs_info,
                                 dimension_numbers=numbers, preferred_element_type=preferred_element_type), (at, at)


def _spdot_jvp(primals, tangents, **params):
    lhs_data, lhs_indices, rhs_data, rhs_indices = primals
    found = spdot_general_buffers(*primals, **params)
    dot = 0
    if type(tangents[0]) is not ad.Zero:
        dot += spdot_general_buffers(tangents[0], lhs_indices, rhs_data, rhs_indices, **params)[0]
    if type(tangents[2]) is not ad.Zero:
        dot += spdot_general_buffers(lhs_data, lhs_indices, tangents[2], rhs_indices, **params)[0]
    return found, [dot, tangent_zero(found[1])]


bcoo_spdot_general_p = primitive("bcoo_spdot_general", True, _spdot_types, _spdot)
ad.primitive_jvps[bcoo_spdot_general_p] = _spdot_jvp
batching.primitive_batchers[bcoo_spdot_general_p] = _spdot_batched


# ------------------------------------------------------------------------------------------------ element by element

def multiply_dense_buffers(data, indices, v, *, spinfo):
    """The stored elements times those of a dense array that lie at the same places."""
    shape = spinfo.shape
    if v.ndim == 0:
        return lax.mul(data, v)
    if shape == v.shape:
        return lax.mul(data, extract_buffers(indices, v))
    if lax.broadcast_shapes(v.shape, shape) != shape:
        raise NotImplementedError("multiplication between sparse and dense is only implemented for cases where the output shape matches the "
                                  f"sparse matrix shape. Got {shape=}, {v.shape=}")
    v = lax.expand_dims(v, tuple(range(len(shape) - v.ndim)))
    n_batch = validate(data, indices, shape).n_batch

    def one(data, indices, v):
        places = tuple([indices[:, i] if v.shape[i] != 1 else 0 for i in range(indices.shape[1])])
        return data * v[places]
    return nfold_vmap(one, n_batch)(data, indices, v)


def multiply_sparse_buffers(lhs_data, lhs_indices, rhs_data, rhs_indices, *, lhs_spinfo, rhs_spinfo):
    lhs_shape, rhs_shape = lhs_spinfo.shape, rhs_spinfo.shape
    lhs, rhs = validate(lhs_data, lhs_indices, lhs_shape), validate(rhs_data, rhs_indices, rhs_shape)
    if len(lhs_shape) != len(rhs_shape):
        raise TypeError("bcoo_multiply_sparse: arrays must have same number of dimensions, "
                        f"got {lhs_shape}, {rhs_shape}")
    if lhs.n_dense != rhs.n_dense:
        raise NotImplementedError("bcoo_multiply_sparse: arrays with differing numbers of "
                                  f"dense dimensions: {lhs}, {rhs}")
    n_batch = min(lhs.n_batch, rhs.n_batch)

    def one(lhs_data, lhs_indices, rhs_data, rhs_indices):
        return _multiply_unbatched(lhs_data, lhs_indices, rhs_data, rhs_indices, lhs_shape[n_batch:], rhs_shape[n_batch:])
    data, indices = nfold_vmap(one, n_batch)(lhs_data, lhs_indices, rhs_data, rhs_indices)
    return data, indices, lax.broadcast_shapes(lhs_shape, rhs_shape)


def _multiply_unbatched(lhs_data, lhs_indices, rhs_data, rhs_indices, lhs_shape, rhs_shape):
    from .bcoo import BCOO
    if lhs_indices.ndim > 2:
        lhs_data, lhs_indices = BCOO((lhs_data, lhs_indices), shape=lhs_shape).update_layout(n_batch=0)._bufs
    elif rhs_indices.ndim > 2:
        rhs_data, rhs_indices = BCOO((rhs_data, rhs_indices), shape=rhs_shape).update_layout(n_batch=0)._bufs
    (lhs_nse, n_lhs), (rhs_nse, n_rhs) = lhs_indices.shape, rhs_indices.shape
    dims = jnp.array([i for i, (a, b) in enumerate(zip(lhs_shape[:n_lhs], rhs_shape[:n_rhs])) if a != 1 and b != 1], dtype=int)
    mask = jnp.all(lhs_indices[:, None, dims] == rhs_indices[None, :, dims], -1)
    left, right = jnp.nonzero(mask, size=lhs_nse * rhs_nse, fill_value=(lhs_nse, rhs_nse))
    data = lhs_data.at[left].get(mode="fill", fill_value=0) * rhs_data.at[right].get(mode="fill", fill_value=0)
    indices = jnp.maximum(lhs_indices.at[left].get(mode="fill", fill_value=max(lhs_shape, default=0)),
                          rhs_indices.at[right].get(mode="fill", fill_value=max(rhs_shape, default=0)))
    return data, indices
