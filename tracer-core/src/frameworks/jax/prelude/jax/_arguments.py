"""Arguments by number, and specifications that are prefixes of an argument tree: shared by the transformations."""
from _jitlens import core

from . import _partly


def index_or_tuple(x):
    """An int, or a tuple of ints, from anything that has `__index__` or iterates over such."""
    try:
        return core.index(x)
    except TypeError:
        return tuple([core.index(i) for i in x])


def split_arguments(fun, argnums, args, kwargs):
    """`(f, dynamic)`: the arguments at `argnums` as a tuple, and `fun` as a function of these alone."""
    if not isinstance(argnums, tuple):
        argnums = (argnums,)
    count = len(args)
    for i in argnums:
        if not -count <= i < count:
            raise ValueError("Positional argument indices, e.g. for `static_argnums`, must have value greater than or equal to "
                             f"-len(args) and less than len(args), but got value {i} for len(args) == {count}.")
    argnums = tuple([i % count for i in argnums])
    if not kwargs and argnums == tuple(range(count)):
        return fun, tuple(args)
    fixed = list(args)
    for i in argnums:
        fixed[i] = None

    def partial_fun(*dynamic):
        full = list(fixed)
        for i, x in zip(argnums, dynamic):
            full[i] = x
        return fun(*full, **kwargs)

    return partial_fun, tuple([args[i] for i in argnums])


class _Leaf:
    def __repr__(self):
        return "pytree leaf"


def flatten_axes(name, treedef, axes, kws=False, leaves=()):
    """The specification `axes`, a prefix of the trees of `treedef` with None a leaf, one entry per leaf; `leaves` are those of such a tree."""
    entries, entries_tree = core.tree_flatten_axes(axes)
    if len(entries) == 1 and entries_tree.num_nodes == 1:
        return entries * treedef.num_leaves
    found = []
    if _spread(entries, entries_tree, treedef, found):
        return found
    if _partly.lacks(leaves):
        core.unknown("the structure of an argument that is not known")
    if kws:
        treedef, axes = treedef.children()[0], axes[0]
    from . import _tree_errors
    errors = _tree_errors.prefix_errors(name, axes, treedef.unflatten([_Leaf()] * treedef.num_leaves))
    details = "\n  ".join([e.args[0] for e in errors])
    raise ValueError(f"{name} specification must be a tree prefix of the corresponding value; \n"
                     f"  Mismatch details ({len(errors)} found):\n  {details}")


def _spread(entries, prefix, treedef, found):
    """Appends to `found` what `entries`, the leaves of `prefix`, give each leaf of `treedef`; False where it does not fit."""
    if prefix.num_nodes == 1 and prefix.num_leaves == 1:
        found.extend(entries * treedef.num_leaves)
        return True
    if treedef.num_nodes == 1 and treedef.num_leaves == 1 or prefix.node_data() != treedef.node_data():
        return False
    inner, children = prefix.children(), treedef.children()
    if len(inner) != len(children):
        return False
    start = 0
    for part, child in zip(inner, children):
        if not _spread(entries[start:start + part.num_leaves], part, child, found):
            return False
        start += part.num_leaves
    return True
