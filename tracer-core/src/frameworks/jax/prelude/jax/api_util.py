"""`jax.api_util`: helpers that libraries still use."""
from _jitlens import core

from ._arguments import flatten_axes

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ("debug_info", "donation_vector", "flatten_fun", "flatten_fun_nokwargs", "rebase_donate_argnums")


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
