"""Types of whose objects `vmap` maps the arrays inside: each says what one element of it is, and what elements make."""
from _jitlens import core

# By type: what makes an element of an object, and an object of an element.
types = {}


def register(data_type, spec_type, axis_size_type, to_elt, from_elt, make_iota=None):
    types[data_type] = (to_elt, from_elt)


def unregister(data_type):
    types.pop(data_type, None)


def is_one(x):
    return type(x) in types


class Mapped:
    """The arguments of one call, and what comes of its results."""

    def __init__(self, fun, given, flat_in_axes, flat_out_axes):
        self.fun, self.flat_out_axes = fun, flat_out_axes
        self.leaves, self.tree = core.tree_flatten(given, is_one)
        self.axes = flat_in_axes(self.tree)
        self.arrays, self.array_axes = [], []
        for x, axis in zip(self.leaves, self.axes):
            if not is_one(x):
                self.arrays.append(x)
                self.array_axes.append(axis)
            elif axis is not None:
                own = core.tree_leaves(x)
                self.arrays += own
                self.array_axes += [axis] * len(own)

    def body(self, *arrays):
        """The function of the arrays' elements: a list of arrays."""
        arrays, given = iter(arrays), []
        for x, axis in zip(self.leaves, self.axes):
            if not is_one(x):
                given.append(next(arrays))
            elif axis is None:
                given.append(x)
            else:
                parts = [(whole, next(arrays)) for whole in core.tree_leaves(x)]
                given.append(types[type(x)][0](lambda whole, _: _of(parts, whole), None, x, axis))
        args, kwargs = self.tree.unflatten(given)
        self.outs, self.out_tree = core.tree_flatten(self.fun(*args, **kwargs), is_one)
        self.out_axes = self.flat_out_axes(self.out_tree)
        return [core.tree_leaves(x) if is_one(x) else x for x in self.outs]

    def axes_of_results(self):
        return [axis for x, axis in zip(self.outs, self.out_axes) for _ in (core.tree_leaves(x) if is_one(x) else [x])]

    def results(self, arrays, size):
        arrays, found = iter(arrays), []
        for x, axis in zip(self.outs, self.out_axes):
            if not is_one(x):
                found.append(next(arrays))
                continue
            parts = [(element, next(arrays)) for element in core.tree_leaves(x)]
            if axis is None:
                found.append(core.tree_structure(x).unflatten([whole for _, whole in parts]))
            else:
                found.append(types[type(x)][1](lambda _, element, axis: _of(parts, element), size, x, axis))
        return self.out_tree.unflatten(found)


def _of(parts, wanted):
    for x, other in parts:
        if x is wanted:
            return other
    return core.unknown("what a type's own rule maps")
