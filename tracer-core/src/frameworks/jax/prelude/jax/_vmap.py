"""`vmap`."""
from _jitlens import core

from . import _partly, _vmappable
from ._arguments import flatten_axes
from ._autodiff import wraps


def vmap(fun, in_axes=0, out_axes=0, axis_name=None, axis_size=None, spmd_axis_name=None, sum_match=False):
    core.check_callable(fun)
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    if not (in_axes is None or type(in_axes) in (int, tuple)):
        raise TypeError("vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments "
                        f"passed to the function, but got {in_axes}.")
    check_axes("vmap in_axes", in_axes)
    check_axes("vmap out_axes", out_axes)
    if spmd_axis_name is not None and not isinstance(spmd_axis_name, tuple):
        spmd_axis_name = (spmd_axis_name,)

    @wraps(fun)
    def vmap_f(*args, **kwargs):
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise ValueError("vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments "
                             f"passed to the function, but got len(in_axes)={len(in_axes)!r}, len(args)={len(args)!r}")
        if _vmappable.types:
            return _over_objects(fun, (args, kwargs), in_axes, out_axes, axis_name, axis_size, spmd_axis_name)
        leaves, in_tree = core.tree_flatten((args, kwargs), None, 1, 1)
        axes = flatten_axes("vmap in_axes", in_tree, (in_axes, 0), kws=True)
        if _partly.lacks(leaves):
            return _over_known(fun, (args, kwargs), axes, axis_size, axis_name, out_axes, spmd_axis_name)
        for x, axis in zip(leaves, axes):
            if axis is not None:
                core.typeof(x)
        size = _mapped_size(fun, in_tree, leaves, axes, axis_size)
        if axis_name is not None:
            hash(axis_name)
        if any([core.is_ref(x) and axis is not None for x, axis in zip(leaves, axes)]):
            return _over_refs(fun, in_tree, leaves, axes, size, axis_name, out_axes, spmd_axis_name)
        out_tree, outs = core.batch_call(fun, in_tree, leaves, axes, size, axis_name,
                                   lambda tree: flatten_axes("vmap out_axes", tree, out_axes), spmd_axis_name)
        return core.tree_unflatten(out_tree, outs, 1)

    return vmap_f


def _over_objects(fun, given, in_axes, out_axes, axis_name, axis_size, spmd_axis_name):
    """Where there are types that say how they are mapped."""
    mapped = _vmappable.Mapped(fun, given, lambda tree: flatten_axes("vmap in_axes", tree, (in_axes, 0), kws=True),
                               lambda tree: flatten_axes("vmap out_axes", tree, out_axes))
    if _partly.lacks(mapped.arrays):
        return core.unknown("`vmap` of what is not known")
    in_tree = core.tree_structure((tuple(mapped.arrays), {}))
    plain = not any([_vmappable.is_one(x) for x in mapped.leaves])
    size = _mapped_size(fun, mapped.tree if plain else in_tree, mapped.arrays, mapped.array_axes, axis_size)
    _, outs = core.batch_call(mapped.body, in_tree, mapped.arrays, mapped.array_axes, size, axis_name,
                              lambda _: mapped.axes_of_results(), spmd_axis_name)
    return mapped.results(outs, size)


def _over_known(fun, given, axes, axis_size, axis_name, out_axes, spmd_axis_name):
    """With leaves that are not known among the arguments."""
    given = _partly.Part(given)
    axes = given.select(axes)
    if axis_size is None and all([axis is None for axis in axes]):
        core.unknown("the size of an axis of what is not known")

    def mapped(of_known, known, results):
        tree = core.tree_structure((tuple(known), {}))
        size = _mapped_size(fun, tree, known, axes, axis_size)
        return core.batch_call(of_known, tree, known, axes, size, axis_name,
                               lambda _: results[0].select(flatten_axes("vmap out_axes", results[0].treedef, out_axes)), spmd_axis_name)[1]

    return _partly.over_known(fun, given, mapped)


def _over_refs(fun, in_tree, leaves, axes, size, axis_name, out_axes, spmd_axis_name):
    """With references among the arguments: inside, each is one that holds its part."""
    mapped = [i for i, (x, axis) in enumerate(zip(leaves, axes)) if core.is_ref(x) and axis is not None]
    fixed = [i for i, x in enumerate(leaves) if core.is_ref(x) and i not in mapped]

    def flat(*parts):
        inner = list(parts)
        for i in mapped:
            inner[i] = core.new_ref(parts[i])
        for i in fixed:
            inner[i] = leaves[i]
        args, kwargs = in_tree.unflatten(inner)
        return fun(*args, **kwargs), [core.read(inner[i]) for i in mapped]

    given = [core.read(x) if i in mapped else 0 if i in fixed else x for i, x in enumerate(leaves)]
    out, held = vmap(flat, in_axes=tuple([None if i in fixed else axis for i, axis in enumerate(axes)]),
                     out_axes=(out_axes, [axes[i] for i in mapped]), axis_name=axis_name, axis_size=size,
                     spmd_axis_name=spmd_axis_name)(*given)
    for i, value in zip(mapped, held):
        core.write(leaves[i], value)
    return out


def check_axes(name, axes):
    if type(axes) is int:
        return
    for leaf in core.tree_leaves(axes):
        if type(leaf) is not int:
            raise TypeError(f"{name} must be an int, None, or (nested) container with those types as leaves, but got {axes}.")


# -------------------------------------------------------------------------------------------------------- axis sizes

def _mapped_size(fun, in_tree, leaves, axes, axis_size):
    """The size of the mapped axes, when they agree."""
    if not leaves:
        if axis_size is not None:
            return axis_size
        args, kwargs = in_tree.unflatten(leaves)
        raise ValueError("vmap wrapped function must be passed at least one argument containing an array or axis_size must be "
                         f"specified, got empty *args={args} and **kwargs={kwargs}")
    sizes = [None if axis is None else _axis_size(x, axis) for x, axis in zip(leaves, axes)]
    distinct = {s for s in sizes if s is not None}
    if axis_size is not None:
        distinct.add(axis_size)
    if len(distinct) == 1:
        return distinct.pop()
    if any([core.is_symbolic_dim(size) for size in distinct]):
        size = core.same_size(list(distinct))
        if size is not None:
            return size
    if not distinct:
        raise ValueError("vmap must have at least one non-None value in in_axes or axis_size must be specified")
    raise ValueError(_inconsistent_sizes(fun, in_tree, leaves, axes, sizes, axis_size))


def _axis_size(x, axis):
    shape = ()
    try:
        shape = core.shape(x)
        return shape[axis]
    except (IndexError, TypeError) as error:
        if not core.is_jaxtype(x) or not isinstance(axis, int):
            return None
        rank = axis + 1 if axis >= 0 else -axis
        raise ValueError(f"vmap was requested to map its argument along axis {axis}, which implies that its rank should be at "
                         f"least {rank}, but is only {len(shape)} (its shape is {shape})") from error


def _inconsistent_sizes(fun, in_tree, leaves, axes, sizes, axis_size):
    args, kwargs = in_tree.unflatten(leaves)
    names = core.bound_parameter_names(fun, args, kwargs)
    where = [f"{_argument_name(names, path)} of type {_type_name(x)}" for path, x in core.tree_flatten_with_path(args)[0]]
    where += [f"kwargs{''.join([str(k) for k in path])} of type {_type_name(x)}"
              for path, x in core.tree_flatten_with_path(kwargs)[0]]
    counts = {}
    for s in sizes:
        if s is not None:
            counts[s] = counts.get(s, 0) + 1
    lines = []
    if axis_size is not None:
        lines.append(f"  * the `axis_size` argument was {axis_size}")
    word = "most"
    for size, count in sorted(counts.items(), key=lambda item: -item[1]):
        first = sizes.index(size)
        if count == 1:
            lines.append(f"  * one axis had size {size}: axis {axes[first]} of {where[first]}")
        else:
            lines.append(f"  * {word} axes ({count} of them) had size {size}, e.g. axis {axes[first]} of {where[first]}")
        word = "some"
    return "vmap got inconsistent sizes for array axes to be mapped:\n" + ";\n".join(lines)


def _argument_name(names, path):
    text = "".join([str(k) for k in path])
    if names is None or path[0].idx >= len(names):
        return f"args{text}"
    return f"argument {names[path[0].idx]}" + "".join([str(k) for k in path[1:]])


def _type_name(x):
    try:
        return core.abstractify(x).str_short()
    except TypeError:
        return "unknown"
