"""`jax.tree_util`: pytrees. Flattening is the engine's; what JAX says about trees that do not fit is in `_tree_errors`."""
import functools
import operator
from typing import TypeVar

from _jitlens import core

# A name that is missing is the program's mistake.
__unmodelled__ = ()

PyTreeDef = core.PyTreeDef
SequenceKey = core.SequenceKey
DictKey = core.DictKey
GetAttrKey = core.GetAttrKey
FlattenedIndexKey = core.FlattenedIndexKey
KeyEntry = TypeVar("KeyEntry")
KeyPath = tuple[KeyEntry, ...]

register_pytree_node = core.register_pytree_node


class _Missing:
    pass


_MISSING = _Missing()


def tree_flatten(tree, is_leaf=None):
    leaves, treedef = core.tree_flatten(tree, is_leaf, 1)
    return core.counted(leaves, treedef), treedef


def tree_unflatten(treedef, leaves):
    return core.tree_unflatten(treedef, leaves, 1)


def tree_structure(tree, is_leaf=None):
    return core.tree_structure(tree, is_leaf, 1)


def tree_leaves(tree, is_leaf=None):
    return core.counted(*core.tree_flatten(tree, is_leaf, 1))


def tree_map(f, tree, *rest, is_leaf=None):
    leaves, treedef = core.tree_flatten(tree, is_leaf, 1)
    if not rest:
        if not core.any_unknown(leaves):
            return core.tree_unflatten(treedef, [f(leaf) for leaf in leaves], 1)
        return core.tree_unflatten(treedef, [_of_leaf(leaf, f(leaf)) for leaf in leaves], 1)
    columns = [leaves]
    for other in rest:
        columns.append(_flatten_like("tree_map tree", tree, treedef, other, is_leaf))
    return core.tree_unflatten(treedef, _mapped(f, leaves, columns), 1)


def _mapped(f, leaves, columns):
    """What a function makes of each leaf with what stands in its place in other trees."""
    if not core.any_unknown(leaves):
        return [f(*row) for row in zip(*columns)]
    # What is not known where another tree has a node may be a node as well.
    return [leaf if core.is_unknown(leaf) and any([core.is_node(x) for x in row[1:]]) else _of_leaf(leaf, f(*row))
            for leaf, row in zip(leaves, zip(*columns))]


def _of_leaf(leaf, made):
    """What a function has made of a leaf: of what may be a tree it is a tree that is not known either."""
    return leaf if core.may_be_tree(leaf) else made


def _flatten_like(name, tree, treedef, other, is_leaf):
    try:
        return core.tree_flatten_up_to(treedef, other)
    except Exception as error:
        from . import _tree_errors
        reason = _tree_errors.first_prefix_error(name, tree, other, is_leaf)
        raise (error if reason is None else reason) from None


def tree_all(tree, *, is_leaf=None):
    return all(core.tree_leaves(tree, is_leaf, 1))


def tree_reduce(function, tree, initializer=_MISSING, is_leaf=None):
    leaves = core.tree_leaves(tree, is_leaf, 1)
    if isinstance(initializer, _Missing):
        return functools.reduce(function, leaves)
    return functools.reduce(function, leaves, initializer)


def tree_reduce_associative(operation, tree, *, identity=_MISSING, is_leaf=None):
    leaves = core.tree_leaves(tree, is_leaf, 1)
    if not leaves and isinstance(identity, _Missing):
        raise TypeError("Must specify identity for parallel reduction of empty sequence.")
    return _halve(leaves, operation) if leaves else identity


def _halve(xs, operation):
    if len(xs) == 1:
        return xs[0]
    middle = len(xs) // 2
    return operation(_halve(xs[:middle], operation), _halve(xs[middle:], operation))


def tree_transpose(outer_treedef, inner_treedef, pytree_to_transpose):
    leaves, treedef = core.tree_flatten(pytree_to_transpose, None, 1)
    if inner_treedef is None:
        inner_treedef = core.tree_structure(outer_treedef.flatten_up_to(pytree_to_transpose)[0])
    inner, outer = inner_treedef.num_leaves, outer_treedef.num_leaves
    expected = None if treedef.num_leaves == inner * outer else outer_treedef.compose(inner_treedef)
    if expected is not None and treedef != expected:
        raise TypeError(f"Mismatch\n{treedef}\n != \n{expected}")
    return inner_treedef.unflatten([outer_treedef.unflatten([leaves[o * inner + i] for o in range(outer)])
                                    for i in range(inner if outer else 0)])


def tree_broadcast(prefix_tree, full_tree, is_leaf=None):
    return core.tree_unflatten(core.tree_structure(full_tree), broadcast_prefix(prefix_tree, full_tree, is_leaf))


def broadcast_prefix(prefix_tree, full_tree, is_leaf=None):
    """The leaves of `prefix_tree`, each as often as the subtree of `full_tree` in its place has leaves."""
    leaves, treedef = core.tree_flatten(prefix_tree, is_leaf)
    try:
        subtrees = treedef.flatten_up_to(full_tree)
    except ValueError:
        from . import _tree_errors
        raise _tree_errors.first_prefix_error("broadcast_prefix prefix_tree", prefix_tree, full_tree) from None
    found = []
    for leaf, subtree in zip(leaves, subtrees):
        found.extend([leaf] * core.tree_structure(subtree).num_leaves)
    return found


def treedef_tuple(treedefs):
    treedefs = list(treedefs)
    if not all([isinstance(treedef, PyTreeDef) or core.is_unknown(treedef) for treedef in treedefs]):
        raise RuntimeError("std::bad_cast")
    return core.treedef_tuple(treedefs)


def treedef_children(treedef):
    return treedef.children()


def treedef_is_leaf(treedef):
    return treedef.num_nodes == 1


def all_leaves(iterable, is_leaf=None):
    if is_leaf is None:
        return core.all_leaves(iterable)
    items = list(iterable)
    leaves = core.tree_leaves(items, is_leaf)
    return len(leaves) == len(items) and all(item is leaf for item, leaf in zip(items, leaves))


def is_tree_node(typ):
    return isinstance(typ, type) and core.is_tree_node(typ)


# -------------------------------------------------------------------------------------------------------- key paths

def tree_flatten_with_path(tree, is_leaf=None, is_leaf_takes_path=False):
    pairs, treedef = _pairs(tree, is_leaf, is_leaf_takes_path)
    return core.counted(pairs, treedef), treedef


def _pairs(tree, is_leaf, is_leaf_takes_path):
    if is_leaf is None or is_leaf_takes_path:
        return core.tree_flatten_with_path(tree, is_leaf, 1)
    return core.tree_flatten_with_path(tree, lambda path, x: is_leaf(x), 1)


def tree_leaves_with_path(tree, is_leaf=None, is_leaf_takes_path=False):
    return tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


def tree_map_with_path(f, tree, *rest, is_leaf=None, is_leaf_takes_path=False):
    pairs, treedef = _pairs(tree, is_leaf, is_leaf_takes_path)
    columns = [[path for path, _ in pairs], [leaf for _, leaf in pairs]]
    for other in rest:
        columns.append(_flatten_like("tree_map_with_path tree", tree, treedef, other, is_leaf))
    return core.tree_unflatten(treedef, _mapped(f, columns[1], columns), 1)


def keystr(keys, *, simple=False, separator=""):
    return separator.join([_entry_name(key) if simple else str(key) for key in keys])


def _entry_name(entry):
    for attribute in ("idx", "key", "name"):
        if hasattr(entry, attribute):
            return str(getattr(entry, attribute))
    return str(entry)


def flatten_one_level(tree):
    return _in_tuples(core.flatten_one_level(tree), tree)


def _in_tuples(found, tree):
    if found is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    children, keys = found
    return children if isinstance(tree, list) else tuple(children), tuple(keys) if isinstance(tree, dict) and isinstance(keys, list) else keys


def flatten_one_level_with_keys(tree):
    children, keys = _in_tuples(core.flatten_one_level_with_keys(tree), tree)
    return tuple(children), keys


# ----------------------------------------------------------------------------------------------------- registration

def register_pytree_node_class(cls):
    register_pytree_node(cls, operator.methodcaller("tree_flatten"), cls.tree_unflatten)
    return cls


def register_pytree_with_keys(nodetype, flatten_with_keys, unflatten_func, flatten_func=None):
    if not flatten_func:
        def flatten_func(tree):
            pairs, metadata = flatten_with_keys(tree)
            return [child for _, child in pairs], metadata
    register_pytree_node(nodetype, flatten_func, unflatten_func, flatten_with_keys)


def register_pytree_with_keys_class(cls):
    plain = operator.methodcaller("tree_flatten") if hasattr(cls, "tree_flatten") else None
    register_pytree_with_keys(cls, operator.methodcaller("tree_flatten_with_keys"), cls.tree_unflatten, plain)
    return cls


def register_static(cls):
    register_pytree_with_keys(cls, lambda value: ((), value), lambda value, children: value)
    return cls


def register_dataclass(nodetype, data_fields=None, meta_fields=None, drop_fields=()):
    fields = getattr(nodetype, "__dataclass_fields__", None)
    if data_fields is None or meta_fields is None:
        if (data_fields is None) != (meta_fields is None):
            raise TypeError("register_dataclass: data_fields and meta_fields must both be specified when either is specified. "
                            f"Got data_fields={data_fields!r} meta_fields={meta_fields!r}.")
        if fields is None:
            raise TypeError("register_dataclass: data_fields and meta_fields are required when nodetype is not a dataclass. "
                            f"Got nodetype={nodetype!r}.")
        listed = core.dataclass_fields(nodetype)
        data_fields = [f.name for f in listed if not f.metadata.get("static", False)]
        meta_fields = [f.name for f in listed if f.metadata.get("static", False)]
    meta_fields, data_fields = tuple(meta_fields), tuple(data_fields)
    if fields is not None:
        wanted = {f.name for f in core.dataclass_fields(nodetype) if f.init} - set(drop_fields)
        given = {*meta_fields, *data_fields}
        if given != wanted:
            message = "data_fields and meta_fields must include all dataclass fields with ``init=True`` and only them."
            if wanted - given:
                message += f" Missing fields: {wanted - given}. Add them to drop_fields to suppress this error."
            if given - wanted:
                message += f" Unexpected fields: {given - wanted}."
            raise ValueError(message)
    shared = set(data_fields) & set(meta_fields)
    if shared:
        raise ValueError(f"data_fields and meta_fields must not overlap. Overlapping fields: {shared}.")
    core.register_dataclass(nodetype, data_fields, meta_fields)
    return nodetype


# ---------------------------------------------------------------------------------------------------------- Partial

class _Opaque:
    """A partial that is to be one callable, not to be merged into the `Partial` around it."""

    def __init__(self, fun):
        self.fun = fun

    def __call__(self, *args, **kwargs):
        return self.fun(*args, **kwargs)

    def __hash__(self):
        return hash(self.fun)

    def __eq__(self, other):
        return self.fun == (other.fun if isinstance(other, _Opaque) else other)

    def __repr__(self):
        return f"_HashableCallableShim({self.fun!r})"


class Partial(functools.partial):
    def __new__(cls, func, *args, **kw):
        if isinstance(func, functools.partial):
            wrapped = _Opaque(func)
            made = super().__new__(cls, wrapped, *args, **kw)
            wrapped.func, wrapped.args, wrapped.keywords = func.func, func.args, func.keywords
            return made
        return super().__new__(cls, func, *args, **kw)


register_pytree_node(Partial, lambda p: ((p.args, p.keywords), p.func), lambda func, xs: Partial(func, *xs[0], **xs[1]))


def __getattr__(name):
    if name == "default_registry":
        from ._tree_registry import default_registry

        return default_registry
    raise AttributeError(f"module 'jax.tree_util' has no attribute {name!r}")
