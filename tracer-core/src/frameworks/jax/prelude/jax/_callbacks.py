"""Functions of the user's that run on the host: `pure_callback`, `io_callback`, `debug.print` and `debug.callback`."""
import functools

from _jitlens import core

_VMAP_METHODS = ["sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized", None]


def pure_callback(callback, result_shape_dtypes, *args, sharding=None, vmap_method=None, **kwargs):
    if vmap_method not in _VMAP_METHODS:
        raise ValueError(f"vmap_method must be on of the allowed methods {_VMAP_METHODS}, but got: {vmap_method}")
    leaves, in_tree = core.tree_flatten((args, kwargs), None, 1)
    avals, out_tree = _results(result_shape_dtypes)
    if not avals:
        # Nothing waits for it: the compiler leaves it out.
        return out_tree.unflatten([])
    hash(callback)
    if all([0 in aval.shape for aval in avals]):
        callback = _nothing(callback, out_tree, avals)
    return out_tree.unflatten(core.bind_pure_callback(leaves, callback, in_tree, avals, vmap_method))


def _nothing(callback, out_tree, avals):
    """A function that stands for one whose results have no elements: the compiler leaves its call out."""
    @functools.wraps(callback)
    def nothing(*args, **kwargs):
        return out_tree.unflatten([core.numpy_full(aval.shape, 0, aval.dtype) for aval in avals])
    return nothing


def io_callback(callback, result_shape_dtypes, *args, sharding=None, ordered=False, **kwargs):
    leaves, in_tree = core.tree_flatten((args, kwargs))
    avals, out_tree = _results(result_shape_dtypes)
    hash(callback)
    return out_tree.unflatten(core.bind_io_callback(leaves, callback, in_tree, avals, ordered))


def _results(shape_dtypes):
    leaves, tree = core.tree_flatten(shape_dtypes)
    for leaf in leaves:
        dtype = core.numpy_dtype_from(leaf.dtype)
        if core.canonical_dtype(dtype) != dtype:
            raise ValueError("result_shape_dtypes cannot specify 64-bit types when `jax_enable_x64` is disabled")
    return [core.ShapedArray(leaf.shape, leaf.dtype) for leaf in leaves], tree


def host(callback, in_tree, more):
    """The user's function as the engine calls it: with all arguments in a list, the axes that it is mapped over, and the types of its
    results. `more` is a way to map, or the arguments that are no arrays by their place."""
    fixed = more if isinstance(more, dict) else {}
    method = more if isinstance(more, str) else "sequential"

    def run(leaves, loops, avals):
        if not loops:
            return _results_of(callback, in_tree, leaves, fixed, avals)
        (size, mapped), inner = loops[-1], loops[:-1]
        if method.startswith("sequential"):
            parts = [aval.update(shape=aval.shape[1:]) for aval in avals]
            rows = [run([x[i] if has else x for x, has in zip(leaves, mapped)], inner, parts) for i in range(size)]
            from .numpy import stack
            return [stack(column) for column in zip(*rows)]
        if method == "expand_dims":
            leaves = [x if has else x[None] for x, has in zip(leaves, mapped)]
        elif method == "broadcast_all":
            from .numpy import broadcast_to
            leaves = [x if has else broadcast_to(x, (size, *x.shape)) for x, has in zip(leaves, mapped)]
        return run(leaves, inner, avals)
    return run


def _results_of(callback, in_tree, leaves, fixed, avals):
    given, all_leaves = iter(leaves), []
    for i in range(len(leaves) + len(fixed)):
        all_leaves.append(fixed[i] if i in fixed else next(given))
    args, kwargs = in_tree.unflatten(all_leaves)
    outs = core.tree_leaves(callback(*args, **kwargs))
    if fixed or not avals:
        return []
    if len(outs) != len(avals):
        raise RuntimeError(f"Mismatched number of outputs from callback. Expected: {len(avals)}, Actual: {len(outs)}")
    import numpy as np
    found = []
    for i, (out, aval) in enumerate(zip(outs, avals)):
        out = np.asarray(out)
        if out.shape != aval.shape:
            raise RuntimeError(f"Incorrect output shape for return value #{i}: Expected: {aval.shape}, Actual: {out.shape}")
        dtype = core.canonical_dtype(out.dtype)
        if dtype != aval.dtype:
            raise RuntimeError(f"Incorrect output dtype for return value #{i}: Expected: {aval.dtype}, Actual: {dtype}")
        found.append(core.asarray(out))
    return found


# ------------------------------------------------------------------------------------------------------------- debug

def debug_callback(callback=None, *args, ordered=False, partitioned=False, **kwargs):
    if callback is None:
        if args or kwargs:
            raise TypeError(f"debug_callback received unexpected arguments in the two-call form: args={args!r} kwargs={kwargs!r}")
        return lambda f, *a, **k: debug_callback(f, *a, ordered=ordered, partitioned=partitioned, **k)
    if not callable(callback):
        raise TypeError(f"first argument to jax.debug.callback must be callable, but got an object of type {type(callback)}")
    in_tree, dynamic, static = _split(args, kwargs)
    core.bind_debug_callback(dynamic, callback, in_tree, static, ordered, partitioned)
    return None


def debug_print(fmt=None, *args, ordered=False, partitioned=False, skip_format_check=False, _use_logging=False, **kwargs):
    if fmt is None:
        if args or kwargs:
            raise TypeError(f"debug_print received unexpected arguments in the two-call form: args={args!r} kwargs={kwargs!r}")
        return lambda f, *a, **k: debug_print(f, *a, ordered=ordered, partitioned=partitioned, skip_format_check=skip_format_check, **k)
    has_placeholders = core.check_debug_format(fmt, args, kwargs, skip_format_check)
    in_tree, dynamic, static = _split(args, kwargs)
    core.bind_debug_print(dynamic, fmt, in_tree, static, has_placeholders, ordered, partitioned)
    return None


def printer(fmt, has_placeholders):
    """What `debug.print` does with its arguments on the host."""
    def run(*args, **kwargs):
        if has_placeholders:
            print(fmt.format(*args, **kwargs))
        else:
            print(fmt, *args)
    return run


def debug_log(fmt=None, *args, **kwargs):
    return debug_print(fmt, *args, **kwargs)


def _split(args, kwargs):
    """The argument tree, the leaves that are arrays, and the others by their index."""
    leaves, in_tree = core.tree_flatten((args, kwargs))
    dynamic, static = [], {}
    for i, leaf in enumerate(leaves):
        try:
            core.abstractify(leaf)
            dynamic.append(leaf)
        except (AssertionError, TypeError):
            static[i] = leaf
    return in_tree, dynamic, static
