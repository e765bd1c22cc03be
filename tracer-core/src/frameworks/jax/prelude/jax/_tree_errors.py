"""What JAX says about two pytrees that do not fit: as prefixes of each other, or as equals."""
from _jitlens import core


def _is_leaf(tree, is_leaf=None):
    treedef = core.tree_structure(tree, is_leaf)
    return treedef.num_nodes == 1 and treedef.num_leaves == 1


def _text(path):
    return "".join([str(key) for key in path])


def _level(tree):
    """(children, metadata, keys) of the outermost node."""
    children, metadata = core.flatten_one_level(tree)
    return tuple(children), metadata, tuple([k for k, _ in core.flatten_one_level_with_keys(tree)[0]])


def _unshared(keys1, keys2):
    return set(keys1).symmetric_difference(set(keys2))


def _key_list(keys):
    return " ".join([str(k.key) for k in keys])


# --------------------------------------------------------------------------------------------------------- prefixes

def first_prefix_error(name, prefix_tree, full_tree, is_leaf=None):
    """The ValueError for the first place where `prefix_tree` is no prefix of `full_tree`, or None."""
    found = prefix_errors(name, prefix_tree, full_tree, is_leaf)
    return found[0] if found else None


def prefix_errors(name, prefix_tree, full_tree, is_leaf=None):
    """ValueErrors for all such places, in order; `name` is what the messages call the prefix."""
    return [ValueError(text) for text in _prefix(name, (), prefix_tree, full_tree, is_leaf)]


def _prefix(name, path, prefix, full, is_leaf=None):
    if _is_leaf(prefix, is_leaf):
        return []
    where = f" at key path\n    {name}{_text(path)}\n"
    kind = type(prefix)
    if kind != type(full):
        return [f"pytree structure error: different types{where}At that key path, the prefix pytree {name} has a subtree of "
                f"type\n    {kind}\nbut at the same key path the full pytree has a subtree of different type\n    {type(full)}."]
    children, metadata, keys = _level(prefix)
    full_children, full_metadata, full_keys = _level(full)
    if isinstance(prefix, (list, tuple)):
        if len(prefix) != len(full):
            return [f"pytree structure error: different lengths of {kind.__name__}{where}At that key path, the prefix pytree "
                    f"{name} has a subtree of type {kind.__name__} of length {len(prefix)}, but the full pytree has a subtree "
                    f"of the same type but of length {len(full)}."]
    elif len(children) != len(full_children):
        return [f"pytree structure error: different numbers of pytree children{where}At that key path, the prefix pytree "
                f"{name} has a subtree of type\n    {kind}\nwith {len(children)} child keys\n    {_key_list(keys)}\nbut at the "
                f"same key path the full pytree has a subtree of the same type but with {len(full_children)} child keys\n"
                f"    {_key_list(full_keys)}\nso the symmetric difference on key sets is\n"
                f"    {_key_list(_unshared(keys, full_keys))}"]
    if metadata != full_metadata:
        if kind is dict:
            metadata, full_metadata = tuple(metadata), tuple(full_metadata)
        return [f"pytree structure error: different pytree metadata{where}At that key path, the prefix pytree {name} has a "
                f"subtree of type\n    {kind}\nwith metadata\n    {metadata}\nbut at the same key path the full pytree has a "
                f"subtree of the same type but with metadata\n    {full_metadata}\nso the diff in the metadata at these pytree "
                f"nodes is\n    - {metadata}\n    + {full_metadata}"]
    found = []
    for key, child, full_child in zip(keys, children, full_children):
        found.extend(_prefix(name, (*path, key), child, full_child))
    return found


# --------------------------------------------------------------------------------------------------------- equality

class _Leaf:
    def __repr__(self):
        return "pytree leaf"


_LEAF = _Leaf()


def treedef_differences(treedef1, treedef2):
    """`differences` of two trees of these structures."""
    return differences(treedef1.unflatten([_LEAF] * treedef1.num_leaves), treedef2.unflatten([_LEAF] * treedef2.num_leaves))


def differences(tree1, tree2, path=()):
    """`(path, first thing, second thing, explanation)` of each place where the structures differ."""
    if _is_leaf(tree1) and _is_leaf(tree2):
        return []
    kind = type(tree1)
    if kind != type(tree2):
        return [(path, "pytree leaf" if tree1 is _LEAF else str(kind), "pytree leaf" if tree2 is _LEAF else str(type(tree2)),
                 "their Python types differ")]
    if isinstance(tree1, (list, tuple)) and len(tree1) != len(tree2):
        return [(path, f"{kind.__name__} of length {len(tree1)}", f"{kind.__name__} of length {len(tree2)}",
                 "the lengths do not match")]
    children1, metadata1, keys1 = _level(tree1)
    children2, metadata2, keys2 = _level(tree2)
    if len(children1) != len(children2):
        unshared = " ".join([repr(k.key) for k in _unshared(keys1, keys2) if hasattr(k, "key")])
        return [(path, _counted(kind, children1), _counted(kind, children2), "the numbers of children do not match" +
                 (unshared and f", with the symmetric difference of key sets: {{{unshared}}}"))]
    if metadata1 != metadata2:
        return [(path, f"{kind} with pytree metadata {metadata1}", f"{kind} with pytree metadata {metadata2}",
                 "the pytree node metadata does not match")]
    found = []
    for key, child1, child2 in zip(keys1, children1, children2):
        found.extend(differences(child1, child2, (*path, key)))
    return found


def _counted(kind, children):
    return f"{kind} with {len(children)} child{'ren' if len(children) > 1 else ''}"
