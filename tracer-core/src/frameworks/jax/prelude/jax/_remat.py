"""`checkpoint` (`remat`) and its policies."""
import types

from _jitlens import core, prims as p

from . import _partly
from ._autodiff import wraps
from .tree_util import broadcast_prefix

_UNSET = object()


def checkpoint(fun, *, prevent_cse=True, policy=None, static_argnums=(), static_argnames=(), concrete=_UNSET):
    if concrete is not _UNSET:
        raise NotImplementedError("The `concrete` option to `jax.checkpoint` was deprecated in JAX v0.8.2, and removed in JAX v0.10.0. In its "
                                  "place please use `static_argnums`; for details refer to "
                                  "https://docs.jax.dev/en/latest/jep/11830-new-remat-checkpoint.html.")
    if isinstance(static_argnums, int):
        static_argnums = (static_argnums,)
    if isinstance(prevent_cse, (list, str, range)):
        prevent_cse = tuple(prevent_cse)
    if not isinstance(prevent_cse, (tuple, bool)):
        raise TypeError(f"prevent_cse must be a bool or tuple of bools, got type(prevent_cse)={type(prevent_cse)!r}")

    @wraps(fun)
    def fun_remat(*args, **kwargs):
        hash(fun)       # what is traced is kept under the function
        if core.only_numbers():
            return fun(*args, **kwargs)
        f, args = _without_static(fun, static_argnums, args)
        leaves, in_tree = core.tree_flatten((args, kwargs), None, 1, 1)
        if _partly.lacks(leaves):
            core.may_run(f)
            return _partly.over_known(f, _partly.Part((args, kwargs)), lambda g, known, _: checkpoint(g, policy=policy)(*known))
        avals = [core.abstractify(x) for x in leaves]
        jaxpr, consts, out_tree = _trace(f, in_tree, avals, fun)
        cse = prevent_cse
        if isinstance(cse, tuple):
            cse = (False,) * len(consts) + tuple(broadcast_prefix(cse, (tuple(args), kwargs) if kwargs else tuple(args)))
        outs = p.remat2(*consts, *leaves, jaxpr=core.open_jaxpr(jaxpr), prevent_cse=cse, differentiated=False, policy=policy)
        return core.tree_unflatten(out_tree, outs, 1)

    return fun_remat


def remat(fun, *, prevent_cse=True, policy=None, static_argnums=(), concrete=_UNSET):
    return checkpoint(fun, prevent_cse=prevent_cse, policy=policy, static_argnums=static_argnums, concrete=concrete)


def _trace(f, in_tree, avals, user):
    try:
        jaxpr, consts, out_tree, _ = core.trace_to_jaxpr(f, in_tree, avals, "checkpoint / remat", user)
    except core.ConcretizationTypeError as error:
        message = error.args[0]
        if "for checkpoint" in message:
            message += ("\n\nConsider using the `static_argnums` parameter for `jax.remat` or `jax.checkpoint`. See the `jax.checkpoint` "
                        "docstring and its example involving `static_argnums`:\n"
                        "https://docs.jax.dev/en/latest/_autosummary/jax.checkpoint.html\n")
            error.args = (message,)
        raise
    return jaxpr, consts, out_tree


def _without_static(fun, static_argnums, args):
    if not (type(static_argnums) is tuple and all([type(d) is int for d in static_argnums])):
        raise TypeError("the `static_argnums` argument to `jax.checkpoint` / `jax.remat` must be an int, tuple of ints or, bool, but got "
                        f"value {static_argnums}")
    count = len(args)
    if not all([-count <= d < count for d in static_argnums]):
        raise ValueError("the `static_argnums` argument to `jax.checkpoint` / `jax.remat` can only take integer values greater than or equal "
                         f"to `-len(args)` and less than `len(args)`, but got {static_argnums}, while `len(args)` = {count}")
    if not static_argnums:
        return fun, args
    static = tuple(sorted({d % count for d in static_argnums}))
    values = tuple([_ByHash(args[i]) for i in static])
    make = _of_dynamic if any([core.is_tracer(v.value) for v in values]) else _of_dynamic_cached
    return make(fun, static, values, count), [x for i, x in enumerate(args) if i not in static]


class _ByHash:
    """A static argument as part of a cache key: by value where it hashes, else by identity."""

    def __init__(self, value):
        self.value = value
        try:
            self.hash, self.hashable = hash(value), True
        except TypeError:
            self.hash, self.hashable = id(value), False

    def __hash__(self):
        return self.hash

    def __eq__(self, other):
        if not isinstance(other, _ByHash):
            return False
        if self.hashable and other.hashable:
            return self.value == other.value
        return self.value is other.value


def _of_dynamic(fun, static, values, count):
    def new_fun(*dynamic, **kwargs):
        fixed, free = iter(values), iter(dynamic)
        full = [next(fixed).value if i in static else next(free) for i in range(count)]
        return fun(*full, **kwargs)
    return new_fun


_of_dynamic_cached = core.cached_by_function(_of_dynamic)


# ---------------------------------------------------------------------------------------------------------- policies

def everything_saveable(*_, **__):
    return True


def nothing_saveable(*_, **__):
    return False


class DotsSaveable:
    def __init__(self, only_if_no_batch_dims):
        self.only_if_no_batch_dims = only_if_no_batch_dims

    def __repr__(self):
        return f"DotsSaveable(only_if_no_batch_dims={self.only_if_no_batch_dims})"

    def __call__(self, prim, *args, **params):
        name = prim.name
        if not self.only_if_no_batch_dims:
            return name in ("dot_general", "conv_general_dilated", "scaled_matmul_wrapper")
        if name == "dot_general":
            lhs_batch, rhs_batch = params["dimension_numbers"][1]
            return not lhs_batch and not rhs_batch
        return name == "scaled_matmul_wrapper" and args[0].shape[0] == 1


dots_saveable = DotsSaveable(False)
dots_with_no_batch_dims_saveable = DotsSaveable(True)


class _Names:
    def __init__(self, names, inside):
        self.names, self.inside = frozenset(names), inside

    def __repr__(self):
        if self.inside:
            return f"SaveOnlyTheseNames(saveable_names={self.names})"
        return f"SaveAnyNamesButThese(names={self.names})"

    def __call__(self, prim, *_, **params):
        return prim.name == "name" and (params["name"] in self.names) == self.inside


def save_anything_except_these_names(*names_not_to_save):
    return lambda *_, **__: True


def save_any_names_but_these(*names_not_to_save):
    return _Names(names_not_to_save, False)


def save_only_these_names(*names_which_can_be_saved):
    return _Names(names_which_can_be_saved, True)


def save_from_both_policies(policy_1, policy_2):
    def policy(prim, *args, **params):
        out1, out2 = policy_1(prim, *args, **params), policy_2(prim, *args, **params)
        if not (isinstance(out1, bool) and isinstance(out2, bool)):
            raise ValueError(f"The return value of the policies should be a boolean. Got: {out1} and {out2}. Please write a custom policy "
                             "function directly, rather than using this helper function.")
        return out1 or out2
    return policy


def offload_dot_with_no_batch_dims(offload_src, offload_dst):
    def policy(prim, *_, **params):
        if prim.name == "dot_general" and not any(params["dimension_numbers"][1]):
            return core.offloadable(offload_src, offload_dst)
        return core.RECOMPUTE
    return policy


def save_and_offload_only_these_names(*, names_which_can_be_saved, names_which_can_be_offloaded, offload_src, offload_dst):
    saved, offloaded = set(names_which_can_be_saved), set(names_which_can_be_offloaded)
    both = saved & offloaded
    if both:
        raise ValueError("The names should be exclusive and should not intersect in `names_which_can_be_saved` and "
                         f"`names_which_can_be_offloaded`. Got names_which_can_be_saved={saved}, names_which_can_be_offloaded={offloaded} and "
                         f"the intersection={both}")

    def policy(prim, *_, **params):
        if prim.name == "name" and params["name"] in saved:
            return core.SAVEABLE
        if prim.name == "name" and params["name"] in offloaded:
            return core.offloadable(offload_src, offload_dst)
        return core.RECOMPUTE
    return policy


checkpoint_policies = types.SimpleNamespace(
    everything_saveable=everything_saveable, nothing_saveable=nothing_saveable, dots_saveable=dots_saveable,
    checkpoint_dots=dots_saveable, dots_with_no_batch_dims_saveable=dots_with_no_batch_dims_saveable,
    checkpoint_dots_with_no_batch_dims=dots_with_no_batch_dims_saveable,
    offload_dot_with_no_batch_dims=offload_dot_with_no_batch_dims,
    save_anything_except_these_names=save_anything_except_these_names, save_any_names_but_these=save_any_names_but_these,
    save_only_these_names=save_only_these_names, save_from_both_policies=save_from_both_policies,
    save_and_offload_only_these_names=save_and_offload_only_these_names)


def checkpoint_name(x, name):
    return core.tree_map(lambda leaf: p.name(leaf, name=name), x)
