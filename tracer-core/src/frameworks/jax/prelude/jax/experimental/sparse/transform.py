"""`jax.experimental.sparse.transform`: functions of dense arrays made to work on sparse ones.

The function is traced for dense arrays of the same types, and its equations are then applied to what is known of the arguments: an equation
without a sparse operand as it is, one with sparse operands by a rule of its primitive. Most operators of BCOO arrays are made so.
"""
import functools

from _jitlens import core

from ... import lax
from ... import numpy as jnp
from ... import tree_util
from ..._jaxprs import Literal
from . import bcoo as b
from . import bcsr
from .bcoo import BCOO
from .bcsr import BCSR

# Functions that keep zeros and add up, others that keep zeros, and some of those that do not.
_LINEAR = frozenset("conj copy imag neg real stage".split())
_ZERO_PRESERVING = frozenset("""abs asin asinh atan atanh bessel_i1e expm1 log1p sign sin sinh sqrt square tan tanh
    convert_element_type""".split())
_DENSIFYING = frozenset("acos acosh bessel_i0e cos cosh eq exp ge gt le lt log ne xor".split())


class SparseTracer:
    """The tracer of `sparsify(f, use_tracer=True)`: never seen here, where such functions are traced as others are."""


class _Value:
    """A dense array, or a sparse one whose places may be known to be those of another one."""

    def __init__(self, array, places=None):
        self.array, self.shape = array, core.shape(array) if not _is_sparse(array) else array.shape
        self.places = places if places is not None else object()

    is_sparse = property(lambda self: _is_sparse(self.array))


def _is_sparse(x):
    return isinstance(x, (BCOO, BCSR))


def _is_value(x):
    return isinstance(x, _Value)


def sparsify(f, use_tracer=False):
    @functools.wraps(f)
    def wrapped(*args, **params):
        values = tree_util.tree_map(lambda x: _Value(x if _is_sparse(x) else jnp.asarray(x)), args, is_leaf=_is_sparse)
        leaves, _ = tree_util.tree_flatten(values, is_leaf=_is_value)
        in_tree = tree_util.tree_structure((args_like(values), {}))

        def flat(*args):
            return f(*args, **params)

        jaxpr, consts, out_tree, _ = core.trace_to_jaxpr(flat, in_tree, [_type(value) for value in leaves], "sparsify", f)
        outs = _evaluate(jaxpr.jaxpr, [*consts, *jaxpr.consts], leaves)
        return tree_util.tree_unflatten(out_tree, [value.array for value in outs])
    return wrapped


def args_like(values):
    return tree_util.tree_map(lambda value: 0, values, is_leaf=_is_value)


def _type(value):
    x = value.array
    data = x.data if value.is_sparse else x
    return core.ShapedArray(value.shape, data.dtype, weak_type=core.typeof(data).weak_type)


# ----------------------------------------------------------------------------------------------------------- equations

def _evaluate(jaxpr, consts, values):
    """What the equations give. Constants come first among the inputs, or stand for themselves."""
    env = {}
    constvars = list(jaxpr.constvars)
    inputs = [*[_Value(x) for x in consts], *values]
    for var, value in zip([*constvars, *jaxpr.invars], inputs):
        env[var] = value

    def read(atom):
        return _Value(jnp.asarray(atom.val)) if isinstance(atom, Literal) else env[atom]

    for eqn in jaxpr.eqns:
        given = [read(x) for x in eqn.invars]
        if any([isinstance(value.array, BCSR) for value in given]):
            found = _rule(_of_bcsr, eqn)(*given, **eqn.params)
        elif any([value.is_sparse for value in given]):
            found = _rule(_of_bcoo, eqn)(*given, **eqn.params)
        else:
            found = eqn.primitive.bind(*[value.array for value in given], **eqn.params)
            found = [_Value(x) for x in (found if eqn.primitive.multiple_results else [found])]
        for var, value in zip(eqn.outvars, found):
            env[var] = value
    return [read(x) for x in jaxpr.outvars]


def _rule(rules, eqn):
    """The rule for an equation of which an operand is sparse.

    Raises NotImplementedError where there is none.
    """
    primitive = eqn.primitive
    rule = rules.get(primitive.name)
    if rule is not None:
        return functools.partial(rule, eqn) if primitive.name in _NEED_EQUATION else rule
    if primitive.name in _LINEAR or primitive.name in _ZERO_PRESERVING:
        return functools.partial(_zero_preserving, primitive)
    if primitive.name in _DENSIFYING:
        raise NotImplementedError(f"sparse rule for {primitive} is not implemented because it "
                                  "would result in dense output. If this is your intent, use "
                                  "sparse.todense() to convert your arguments to dense matrices.")
    raise NotImplementedError(f"sparse rule for {primitive} is not implemented.")


def _like(value, data, **changes):
    """A sparse array with other elements at the same places."""
    x = value.array
    flags = {"indices_sorted": x.indices_sorted, "unique_indices": x.unique_indices, **changes}
    return _Value(type(x)((data, *x._bufs[1:]), shape=x.shape, **flags), value.places)


def _zero_preserving(primitive, value, **params):
    if primitive.name not in _LINEAR and not value.array.unique_indices:
        value = _Value(value.array.sum_duplicates(nse=value.array.nse, remove_zeros=False))
    return [_like(value, primitive.bind(value.array.data, **params))]


def _integer_pow(eqn, value, *, y):
    if y <= 0:
        raise NotImplementedError(f"sparse rule for {eqn.primitive} with non-positive exponent {y} is "
                                  "not implemented because it would result in dense output. If this is your "
                                  "intent, use sparse.todense() to convert your argument to a dense array.")
    return _zero_preserving(eqn.primitive, value, y=y)


def _on_arrays(function, *kept):
    """The rule that applies a function to arrays, with these parameters."""
    def rule(*values, **params):
        found = function(*[value.array for value in values], **{name: params[name] for name in kept if name in params})
        return [_Value(found)]
    return rule


def _broadcast(broadcast_in_dim):
    def rule(eqn, value, *, broadcast_dimensions, **_):
        return [_Value(broadcast_in_dim(value.array, shape=eqn.outvars[0].aval.shape, broadcast_dimensions=broadcast_dimensions))]
    return rule


def _reshape(value, *, new_sizes, dimensions=None, **_):
    return [_Value(b.bcoo_reshape(value.array, new_sizes=new_sizes, dimensions=dimensions))]


def _transpose(value, *, permutation):
    x, permutation = value.array, tuple(permutation)
    found = b.bcoo_transpose(x, permutation=permutation)
    n, k = x.n_batch, x.n_sparse
    batch_kept, sparse_kept = permutation[:n] == tuple(range(n)), permutation[n:n + k] == tuple(range(n, n + k))
    dense_kept = permutation[n + k:] == tuple(range(n + k, x.ndim))
    same_places = batch_kept and sparse_kept
    buffers = (x.data if batch_kept and dense_kept else found.data, x.indices if same_places else found.indices)
    out = BCOO(buffers, shape=found.shape, indices_sorted=found.indices_sorted, unique_indices=found.unique_indices)
    return [_Value(out, value.places if same_places else None)]


def _stack(broadcast_in_dim, concatenate):
    def rule(*values, axis):
        shape = values[0].shape
        shape, dims = shape[:axis] + (1,) + shape[axis:], [d if d < axis else d + 1 for d in range(len(shape))]
        wide = [broadcast_in_dim(value.array, shape=shape, broadcast_dimensions=dims) for value in values]
        return [_Value(concatenate(wide, dimension=axis))]
    return rule


# ---------------------------------------------------------------------------------------------------------- arithmetic

def _add(left, right, **_):
    shape = lax.broadcast_shapes(left.shape, right.shape)
    x, y = left.array, right.array
    if left.is_sparse and right.is_sparse:
        if x.shape != y.shape:
            raise NotImplementedError("Addition between sparse matrices of different shapes.")
        if left.places is right.places:
            return [_like(left, lax.add(x.data, y.data))]
        if x.indices.ndim != y.indices.ndim or x.data.ndim != y.data.ndim:
            raise NotImplementedError("Addition between sparse matrices with different batch/dense dimensions.")
        at = x.indices.ndim - 2
        indices = lax.concatenate([x.indices, y.indices], dimension=at)
        return [_Value(BCOO((lax.concatenate([x.data, y.data], dimension=at), indices), shape=x.shape))]
    if right.is_sparse:
        x, y = y, x
    if core.shape(y) != shape:
        raise NotImplementedError(
            "Addition between a sparse array X and a dense array Y is not implemented when "
            "the output shape is larger than Y.shape. This is to prevent silent densification "
            "of a large sparse array. If this is your intent, you can explicitly cast the sparse "
            "array to a dense matrix.")
    return [_Value(x.todense() + y)]


def _sub(left, right, **_):
    if left.is_sparse and right.is_sparse:
        return _add(left, *_zero_preserving(core.any_primitive("neg"), right))
    raise NotImplementedError("Subtraction between sparse and dense array.")


def _mul(left, right, **_):
    x, y = left.array, right.array
    if left.is_sparse and right.is_sparse:
        if left.places is right.places and x.unique_indices:
            return [_like(left, lax.mul(x.data, y.data), unique_indices=True)]
        found = b.bcoo_multiply_sparse(x, y)
        return [_Value(BCOO((found.data, found.indices), shape=found.shape))]
    if right.is_sparse:
        left, y = right, x
    return [_like(left, b.bcoo_multiply_dense(left.array, y))]


def _div(left, right, **_):
    if right.is_sparse:
        raise NotImplementedError(
            "Division by a sparse array is not implemented because it "
            "would result in dense output. If this is your intent, use "
            "sparse.todense() to convert your arguments to a dense array.")
    return [_like(left, b.bcoo_multiply_dense(left.array, 1. / right.array))]


def _reduce_sum(value, *, axes, **_):
    found = b.bcoo_reduce_sum(value.array, axes=axes)
    return [_Value(found.data.sum() if found.shape == () else found)]


def _gather(operand, start_indices, **params):
    return [_Value(b.bcoo_gather(operand.array, start_indices.array, **params))]


def _convolution(lhs, rhs, *, window_strides, padding, lhs_dilation, rhs_dilation, feature_group_count, batch_group_count, **_):
    found = b.bcoo_conv_general_dilated(lhs.array, rhs.array, window_strides=window_strides, padding=padding, lhs_dilation=lhs_dilation,
                                        rhs_dilation=rhs_dilation, feature_group_count=feature_group_count,
                                        batch_group_count=batch_group_count)
    return [_Value(found)]


def _todense(value, **_):
    return [_Value(value.array.todense())]


# ------------------------------------------------------------------------------------------------- calls, loops, branches

def _arrays(values):
    return [value.array for value in values]


def _body(jaxpr):
    """A graph as a function of arrays that gives a list."""
    def function(*arrays):
        return _arrays(_evaluate(jaxpr.jaxpr, jaxpr.consts, [_Value(x) for x in arrays]))
    return function


def _call(*values, jaxpr, name="", inline=False, **_):
    body = _body(jaxpr)

    def call(*arrays):
        return body(*arrays)
    call.__name__ = call.__qualname__ = name
    found = core.jit(inline=inline)(call)(*_arrays(values))
    return [_Value(x) for x in found]


def _inlined(*values, call_jaxpr=None, jaxpr=None, **_):
    return _evaluate((call_jaxpr or jaxpr).jaxpr, (call_jaxpr or jaxpr).consts, list(values))


def _while(*values, cond_jaxpr, cond_nconsts, body_jaxpr, body_nconsts, **_):
    arrays = _arrays(values)
    cond_consts, body_consts = arrays[:cond_nconsts], arrays[cond_nconsts:cond_nconsts + body_nconsts]
    cond, body = _body(cond_jaxpr), _body(body_jaxpr)
    found = lax.while_loop(lambda carry: cond(*cond_consts, *carry)[0], lambda carry: body(*body_consts, *carry),
                           arrays[cond_nconsts + body_nconsts:])
    return [_Value(x) for x in found]


def _scan(*values, jaxpr, num_consts, num_carry, length, reverse=False, unroll=1, **_):
    arrays = _arrays(values)
    if arrays[num_consts + num_carry:]:
        raise NotImplementedError("sparse rule for scan with x values.")
    consts, body = arrays[:num_consts], _body(jaxpr)

    def step(carry, _):
        found = body(*consts, *carry)
        return found[:num_carry], found[num_carry:]
    carry, ys = lax.scan(step, arrays[num_consts:], None, length=length, reverse=reverse, unroll=unroll)
    if ys:
        raise ValueError("Too many leaves for PyTreeDef; expected 0.")
    return [_Value(x) for x in carry]


def _cond(index, *operands, branches, **_):
    found = lax.switch(index.array, [_body(branch) for branch in branches], *_arrays(operands))
    return [_Value(x) for x in found]


_NEED_EQUATION = frozenset(["broadcast_in_dim", "integer_pow"])
_of_bcoo = {
    "broadcast_in_dim": _broadcast(b.bcoo_broadcast_in_dim),
    "concatenate": _on_arrays(lambda *xs, dimension: b.bcoo_concatenate(xs, dimension=dimension), "dimension"),
    "dot_general": _on_arrays(b.bcoo_dot_general, "dimension_numbers", "preferred_element_type"),
    "dynamic_slice": _on_arrays(lambda x, *starts, slice_sizes: b.bcoo_dynamic_slice(x, starts, slice_sizes), "slice_sizes"),
    "rev": _on_arrays(b.bcoo_rev, "dimensions"),
    "slice": _on_arrays(b.bcoo_slice, "start_indices", "limit_indices", "strides"),
    "squeeze": _on_arrays(b.bcoo_squeeze, "dimensions"),
    "reshape": _reshape, "transpose": _transpose, "stack": _stack(b.bcoo_broadcast_in_dim, b.bcoo_concatenate),
    "add": _add, "sub": _sub, "mul": _mul, "div": _div, "integer_pow": _integer_pow, "reduce_sum": _reduce_sum, "gather": _gather,
    "conv_general_dilated": _convolution, "todense": _todense, "jit": _call, "custom_jvp_call": _inlined, "while": _while, "scan": _scan, "cond": _cond,
}
_of_bcsr = {
    "dot_general": _on_arrays(bcsr.bcsr_dot_general, "dimension_numbers", "preferred_element_type"),
    "broadcast_in_dim": _broadcast(bcsr.bcsr_broadcast_in_dim),
    "concatenate": _on_arrays(lambda *xs, dimension: bcsr.bcsr_concatenate(xs, dimension=dimension), "dimension"),
    "stack": _stack(bcsr.bcsr_broadcast_in_dim, bcsr.bcsr_concatenate),
    "integer_pow": _integer_pow, "todense": _todense, "custom_jvp_call": _inlined,
}


# ---------------------------------------------------------------------------------------------------- methods of arrays

def _applied(name):
    def method(self, *args, **kwargs):
        return sparsify(lambda x: getattr(x, name)(*args, **kwargs))(self)
    method.__name__ = name
    return method


def _take(self, item):
    def take(x):
        return x[item]
    found = sparsify(take)(self)
    if isinstance(self, BCOO) and not isinstance(found, BCOO) and jnp.size(found) == 0:
        return BCOO.fromdense(found)
    return found


def _iterate(self):
    return iter([self[i] for i in range(self.shape[0])])


def _power(self, y):
    return sparsify(lambda x: jnp.power(x, y))(self)


def _swapped(function):
    """The operator with the array on the right. An array of NumPy's asks it once for each element."""
    swapped = sparsify(lambda x, y: function(y, x))

    def method(self, other):
        if core.is_numpy_array(other) and other.ndim:
            return core.unknown("an array of objects")
        return swapped(self, other)
    return method


_OPERATORS = {"matmul": "matmul", "mul": "multiply", "truediv": "divide", "add": "add", "sub": "subtract"}
_COMPARISONS = {"gt": "greater", "ge": "greater_equal", "lt": "less", "le": "less_equal", "eq": "equal", "ne": "not_equal"}

for _name in ("sum", "reshape", "astype"):
    setattr(BCOO, _name, _applied(_name))
for _name, _function in (("abs", jnp.abs), ("neg", jnp.negative), ("pos", jnp.positive)):
    setattr(BCOO, f"__{_name}__", sparsify(_function))
for _name, _of in _OPERATORS.items():
    setattr(BCOO, f"__{_name}__", sparsify(getattr(jnp, _of)))
    setattr(BCOO, f"__r{_name}__", _swapped(getattr(jnp, _of)))
for _name, _of in _COMPARISONS.items():
    setattr(BCOO, f"__{_name}__", sparsify(getattr(jnp, _of)))
BCOO.__pow__, BCOO.__rpow__ = _power, _swapped(jnp.power)
BCOO.__getitem__, BCOO.__iter__ = _take, _iterate
BCSR.__matmul__, BCSR.__rmatmul__, BCSR.__getitem__ = sparsify(jnp.matmul), _swapped(jnp.matmul), _take
