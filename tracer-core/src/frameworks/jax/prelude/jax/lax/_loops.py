"""`scan`, `while_loop`, `fori_loop`, `map`."""
from _jitlens import core, prims as p

from .. import _partly
from ..tree_util import tree_map
from ._carry import check_carry, promote_weak
from ._held import refuse_refs, with_refs, without_refs


# -------------------------------------------------------------------------------------------------------------- scan

def scan(f, init, xs=None, length=None, reverse=False, unroll=1, _split_transpose=False):
    if not callable(f):
        raise TypeError("lax.scan: f argument should be a callable.")
    return scan_as("scan", f, f, init, xs, length, reverse, unroll)


def scan_as(api, user, f, init, xs, length, reverse, unroll):
    """`scan`, whose errors name the user's function `user` and the API `api`."""
    init_leaves, init_tree = core.tree_flatten(init, None, 1, 1)
    xs_leaves, xs_tree = core.tree_flatten(xs, None, 1, 1)
    if _partly.lacks(init_leaves) or _partly.lacks(xs_leaves):
        return _partly.scan(f, init, xs, length, lambda g, init, xs, length: scan_as(api, user, g, init, xs, length, reverse, unroll))
    init_avals = [core.typeof(x) for x in init_leaves]
    if any([core.is_ref(x) for x in xs_leaves]):
        core.unknown("a loop over the rows of a mutable array")
    xs_avals = [core.typeof(x) for x in xs_leaves]
    length = _scan_length(xs_leaves, length)
    if core.config_read("jax_disable_jit"):
        return _python_scan(f, init, xs_leaves, xs_tree, length, reverse)
    x_avals = [core.mapped_aval(length, a) for a in xs_avals]
    in_tree = core.treedef_tuple([core.treedef_tuple([init_tree, xs_tree]), core.tree_structure({})])
    refuse_refs(api, user, f, [*init_leaves, *x_avals], in_tree)

    jaxpr, consts, out_tree, carry_tree, carry_avals, refs = _trace_body(
        api, user, f, in_tree, init_avals, x_avals, [*init_leaves, *xs_leaves])
    if len(carry_avals) != len(init_avals):
        check_carry("scan body", f, init_tree, init_avals, carry_tree, carry_avals)
    promoted = promote_weak(init_leaves, init_avals, carry_avals)
    if promoted:
        init_leaves, init_avals = promoted, [core.typeof(x) for x in promoted]
        jaxpr, consts, out_tree, carry_tree, carry_avals, refs = _trace_body(
            api, user, f, in_tree, init_avals, x_avals, [*init_leaves, *xs_leaves])
    check_carry("scan body", f, init_tree, init_avals, carry_tree, carry_avals)
    _check_effects("scan", jaxpr)
    unroll = _unroll(unroll, length)
    outs = with_refs(refs, consts, init_leaves,
                     lambda consts, init: _bind_scan(jaxpr, consts, init, xs_leaves, length, reverse, unroll))
    return core.tree_unflatten(out_tree, outs, 1)


def _trace_body(api, user, f, in_tree, carry_avals, x_avals, leaves):
    jaxpr, consts, out_tree, out_avals, *refs = core.trace_with_refs(f, in_tree, carry_avals + x_avals, api, user, leaves=leaves)
    parts = out_tree.children()
    if len(parts) != 2:
        found = out_tree.unflatten(out_avals)
        if len(parts) == 0 and out_tree.num_leaves:
            found = ("~" if found.weak_type else "") + found.str_short()
        raise TypeError(f"scan body output must be a pair, got {found}.")
    return jaxpr, consts, out_tree, parts[0], out_avals[:parts[0].num_leaves], refs


def _check_effects(name, jaxpr):
    effects = core.disallowed_effects(jaxpr)
    if effects:
        raise NotImplementedError(f"Effects not supported in `{name}`: {effects}")


def _unroll(unroll, length):
    unroll = core.concrete(unroll, "The `unroll` argument to `scan` expects a concrete `int` or `bool` value.")
    if isinstance(unroll, bool):
        return max(length, 1) if unroll else 1
    if unroll < 0:
        raise ValueError("`unroll` must be a `bool` or a non-negative `int`.")
    return unroll


def _bind_scan(jaxpr, consts, carry, xs, length, reverse, unroll):
    """Binds `scan` after the simplifications JAX makes: carries that never change become constants, stacked outputs
    that are stacked inputs are those inputs."""
    forward = core.jaxpr_forwarding(jaxpr)
    count, num_ys = len(carry), len(forward) - len(carry)
    fixed = [len(consts) + i == source for i, source in enumerate(forward[:count])]
    if any(fixed):
        jaxpr = core.jaxpr_keep_outputs(jaxpr, [not f for f in fixed] + [True] * num_ys)
        jaxpr = core.jaxpr_move_to_front(jaxpr, [False] * len(consts) + fixed + [False] * len(xs))
    loose = [x for x, f in zip(carry, fixed) if f]
    args = [x for x, f in zip(carry, fixed) if not f] + list(xs)
    consts = loose + list(consts)
    num_carry = count - len(loose)
    sources = [None if i is None or i < num_carry + len(consts) else i - len(consts) for i in forward[count:]]
    jaxpr = core.jaxpr_keep_outputs(jaxpr, [True] * num_carry + [i is None for i in sources])
    outs = p.scan(*consts, *args, reverse=reverse, length=length, jaxpr=jaxpr, num_consts=len(consts), num_carry=num_carry,
                  unroll=unroll)
    carried, stacked, kept = iter(outs[:num_carry]), iter(outs[num_carry:]), iter(loose)
    return ([next(kept) if f else next(carried) for f in fixed]
            + [next(stacked) if i is None else core.put(args[i]) for i in sources])


def _scan_length(xs, length):
    try:
        lengths = [x.shape[0] for x in xs]
    except AttributeError as error:
        raise ValueError("scan got value with no leading axis to scan over: "
                         f"{', '.join([str(x) for x in xs if not hasattr(x, 'shape')])}.") from error
    if length is not None:
        try:
            length = int(length)
        except core.ConcretizationTypeError:
            raise core.ConcretizationTypeError(
                length, "The `length` argument to `scan` expects a concrete `int` value. For scan-like iteration with a dynamic length, "
                "use `while_loop` or `fori_loop`.") from None
        if not all([length == n for n in lengths]):
            raise ValueError(f"scan got `length` argument of {length} which disagrees with leading axis sizes {lengths}.")
        return length
    if not lengths:
        raise ValueError("scan got no values to scan over and `length` not provided.")
    if any([core.is_symbolic_dim(n) for n in lengths]):
        length = core.same_size(lengths)
        if length is not None:
            return length
    if len(set(lengths)) > 1:
        raise ValueError(f"scan got values with different leading axis sizes: {', '.join([str(n) for n in lengths])}.")
    return lengths[0]


def _python_scan(f, carry, xs, xs_tree, length, reverse):
    from ._slicing import index_in_dim
    from ._shapes import concatenate, expand_dims
    if length == 0:
        raise ValueError("zero-length scan is not supported in disable_jit() mode because the output type is unknown.")
    if core.only_numbers():
        carry = tree_map(core.asarray, carry)
    ys = []
    for i in (range(length - 1, -1, -1) if reverse else range(length)):
        carry, y = f(carry, xs_tree.unflatten([index_in_dim(x, i, keepdims=False) for x in xs]))
        ys.append(y)
    if reverse:
        ys = ys[::-1]
    return carry, tree_map(lambda *parts: concatenate([expand_dims(y, (0,)) for y in parts], 0), *ys)


# -------------------------------------------------------------------------------------------------------- while_loop

def while_loop(cond_fun, body_fun, init_val):
    if not (callable(body_fun) and callable(cond_fun)):
        raise TypeError("lax.while_loop: body_fun and cond_fun arguments should be callable.")
    if core.config_read("jax_disable_jit"):
        try:
            value = tree_map(core.asarray, init_val)
            while cond_fun(value):
                value = tree_map(core.asarray, body_fun(value))
            return value
        except core.ConcretizationTypeError:
            pass  # a condition that is traced: stage it after all
        if core.only_numbers():
            body_fun(init_val)
    return while_as(None, cond_fun, body_fun, body_fun, init_val)


def while_as(api, cond_fun, user, body_fun, init_val):
    """`while_loop`, whose errors name the user's body `user`."""
    init, init_tree = core.tree_flatten(init_val, None, 1, 2)
    if _partly.lacks(init):
        return _partly.while_loop(cond_fun, body_fun, init_val, lambda cond, body, init: while_as(api, cond, user, body, init))
    in_tree = core.treedef_tuple([core.treedef_tuple([init_tree]), core.tree_structure({})])
    refuse_refs(api or "while_body", user, body_fun, init, in_tree)
    avals = [core.typeof(x) for x in init]
    cond, body = _trace_while(api, cond_fun, user, body_fun, in_tree, avals, init)
    if len(body[3]) != len(avals):
        check_carry("while_loop body", body_fun, init_tree, avals, body[2], body[3])
    promoted = promote_weak(init, avals, body[3])
    if promoted:
        init, avals = promoted, [core.typeof(x) for x in promoted]
        cond, body = _trace_while(api, cond_fun, user, body_fun, in_tree, avals, init)
    check_carry("while_loop body", body_fun, init_tree, avals, body[2], body[3])
    _check_effects("while", cond[0])
    _check_effects("while", body[0])
    cond_jaxpr, cond_consts = without_refs(cond, body[4:], avals)
    outs = with_refs(body[4:], body[1], init, lambda consts, init: _bind_while(cond_jaxpr, cond_consts, body[0], consts, init))
    return core.tree_unflatten(init_tree, outs, 1)


def _trace_while(api, cond_fun, user, body_fun, in_tree, avals, leaves):
    cond = core.trace_with_refs(cond_fun, in_tree, avals, "while_cond", leaves=leaves)
    body = core.trace_with_refs(body_fun, in_tree, avals, api or "while_body", user, leaves=leaves)
    out_tree, out_avals = cond[2], cond[3]
    if out_tree.num_nodes != 1 or len(out_avals) != 1:
        raise TypeError(f"cond_fun must return a boolean scalar, but got pytree {out_tree}.")
    if out_avals[0].shape != () or core.dtype_kind(out_avals[0].dtype) != "bool":
        raise TypeError(f"cond_fun must return a boolean scalar, but got output type(s) {out_avals}.")
    return cond, body


def _bind_while(cond, cond_consts, body, body_consts, init):
    """Binds `while` with carries that neither change nor steer made constants of the body."""
    forward = core.jaxpr_forwarding(body)
    changing = [len(body_consts) + i != source for i, source in enumerate(forward)]
    small, used = core.jaxpr_dce(cond, [True], [True] * len(cond_consts) + changing)
    fixed = [not u for u in used[len(cond_consts):]]
    loose = [x for x, f in zip(init, fixed) if f]
    if loose:
        cond = small
        body = core.jaxpr_keep_outputs(body, [not f for f in fixed])
        body = core.jaxpr_move_to_front(body, [False] * len(body_consts) + fixed)
        init = [x for x, f in zip(init, fixed) if not f]
        body_consts = loose + list(body_consts)
    outs = p.while_(*cond_consts, *body_consts, *init, cond_nconsts=len(cond_consts), cond_jaxpr=cond,
                    body_nconsts=len(body_consts), body_jaxpr=body)
    kept, outs = iter(loose), iter(outs)
    return [next(kept) if f else next(outs) for f in fixed]


# --------------------------------------------------------------------------------------------------------- fori_loop

def fori_loop(lower, upper, body_fun, init_val, *, unroll=None):
    if not callable(body_fun):
        raise TypeError("lax.fori_loop: body_fun argument should be callable.")
    lower_dtype, upper_dtype = core.dtype(lower), core.dtype(upper)
    dtype = _bound_dtype(lower, lower_dtype, upper, upper_dtype)
    if core.is_unknown_scalar(lower) or core.is_unknown_scalar(upper):
        # As with known bounds; what comes out has the type that any number of rounds gives.
        (_, result), _ = scan_as("fori_loop", body_fun, _scan_body(body_fun), (0, init_val), None, 1, False, False)
        return core.forgotten(result)
    if core.is_concrete(lower) and core.is_concrete(upper):
        try:
            first, last = int(lower), int(upper)
        except TypeError:
            pass
        else:
            length = max(last - first, 0)
            if core.config_read("jax_disable_jit") and length == 0:
                return init_val
            (_, result), _ = scan_as("fori_loop", body_fun, _scan_body(body_fun), (first, init_val), None, length, False,
                                     False if unroll is None else unroll)
            return result
    if unroll is not None and unroll is not False and unroll != 1:
        raise ValueError("Can only use `unroll` in `fori_loop` if the loop bounds are statically known.")
    if lower_dtype != dtype:
        lower = core.convert(lower, dtype)
    if upper_dtype != dtype:
        upper = core.convert(upper, dtype)
    return while_as("fori_loop", _fori_cond, body_fun, _while_body(body_fun), (lower, upper, init_val))[2]


def _bound_dtype(lower, lower_dtype, upper, upper_dtype):
    if lower_dtype == upper_dtype:
        return lower_dtype
    if lower_dtype.kind == "i" and upper_dtype.kind == "i":
        if core.weak_type(lower) and not core.weak_type(upper):
            return upper_dtype
        if core.weak_type(upper) and not core.weak_type(lower):
            return lower_dtype
    raise TypeError(f"lower and upper arguments to fori_loop must have equal types, got {lower_dtype.name} and {upper_dtype.name}")


@core.cached_by_function
def _scan_body(body_fun):
    def scanned_fun(loop_carry, _):
        i, x = loop_carry
        return (i + 1, body_fun(i, x)), None
    return scanned_fun


@core.cached_by_function
def _while_body(body_fun):
    def while_body_fun(loop_carry):
        i, upper, x = loop_carry
        return p.add(i, core.scalar_like(i, 1)), upper, body_fun(i, x)
    return while_body_fun


def _fori_cond(carry):
    i, upper, _ = carry
    return p.lt(i, upper)


# --------------------------------------------------------------------------------------------------------------- map

def map(f, xs, *, batch_size=None):
    if batch_size is None:
        return scan_as("scan", f, lambda _, x: ((), f(x)), (), xs, None, False, 1)[1]
    from .._vmap import vmap
    whole, rest = _batches(xs, batch_size)
    if whole is None:
        return vmap(f)(rest)
    _, ys = scan(lambda _, x: ((), vmap(f)(x)), (), whole)
    if rest is None:
        return tree_map(_merge_batches, ys)
    from ._shapes import concatenate
    return tree_map(lambda y, z: concatenate([_merge_batches(y), z], 0), ys, vmap(f)(rest))


def _merge_batches(y):
    return y.reshape(-1, *y.shape[2:])


def _batches(xs, size):
    """The leaves cut into (batches, size, …), and what is left over; None for either when it is empty."""
    leaves, treedef = core.tree_flatten(xs)
    if not leaves:
        return xs, None
    count = leaves[0].shape[0] // size if size else 0
    end = count * size
    whole = [x[:end].reshape(count, size, *x.shape[1:]) for x in leaves] if count else None
    rest = [x[end:] for x in leaves] if end < leaves[0].shape[0] or not count else None
    return whole and treedef.unflatten(whole), rest and treedef.unflatten(rest)
