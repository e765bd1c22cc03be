"""`jax.api_util`: helpers that libraries still use."""
from _jitlens import core

from ._arguments import flatten_axes

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ("donation_vector", "rebase_donate_argnums")


class _DebugInfo:
    __module__ = "jax._src.core"

    def __init__(self, traced_for, function):
        self.traced_for, self.func_src_info = traced_for, function


def debug_info(traced_for, fun, args, kwargs, **options):
    return _DebugInfo(traced_for, core.function_name(fun))


def _flat(fun, in_tree, with_keywords):
    from .extend.linear_util import wrapped
    found = []

    def out_tree():
        if not found:
            return core.unknown("the results of a function that something unknown may have called")
        return found[0]

    def flat(*leaves):
        given = in_tree.unflatten(leaves)
        args, kwargs = given if with_keywords else (given, {})
        leaves, tree = core.tree_flatten(fun.call_wrapped(*args, **kwargs))
        found[:] = [tree]
        return leaves

    return wrapped(flat, fun), out_tree


def flatten_fun(fun, in_tree):
    return _flat(fun, in_tree, True)


def flatten_fun_nokwargs(fun, in_tree):
    return _flat(fun, in_tree, False)


def shaped_abstractify(x):
    return core.abstractify(x)


def safe_map(f, *args):
    args = [list(a) for a in args]
    if any([len(a) != len(args[0]) for a in args[1:]]):
        raise ValueError(f"length mismatch: {[len(a) for a in args]}")
    return [f(*xs) for xs in zip(*args)]


def argnums_partial(f, dyn_argnums, args, require_static_args_hashable=True):
    from ._arguments import split_arguments
    return split_arguments(f, tuple(dyn_argnums) if not isinstance(dyn_argnums, int) else dyn_argnums, args, {})
