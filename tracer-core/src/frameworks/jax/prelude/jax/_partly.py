"""Trees with leaves that are not known: a transformation runs over the others, and leaves stay unknown where the function gave such."""
from _jitlens import core
from _jitlens.python import unknown


def lacks(leaves):
    """Whether some leaf has not even a type."""
    return core.any_unknown(leaves) and any([_is_hidden(leaf) for leaf in leaves])


def _is_hidden(leaf):
    return core.is_unknown(leaf) and not core.is_unknown_scalar(leaf)


class Part:
    """The leaves of a tree that are known."""

    def __init__(self, tree):
        self.leaves, self.treedef = core.tree_flatten(tree)
        self.hidden = [_is_hidden(leaf) for leaf in self.leaves]

    @property
    def known(self):
        return self.select(self.leaves)

    def select(self, items):
        """Of items for all leaves those of the known ones."""
        return [item for item, hidden in zip(items, self.hidden) if not hidden]

    def whole(self, known):
        """The tree with other values for the leaves that are known."""
        known = iter(known)
        return self.treedef.unflatten([leaf if hidden else next(known) for leaf, hidden in zip(self.leaves, self.hidden)])

    def hide(self, other):
        """Takes leaves for unknown that are so in a tree of the same structure; whether there are any such."""
        if other.treedef != self.treedef:
            core.unknown("trees of different structures with leaves that are not known")
        found = False
        for i, hidden in enumerate(other.hidden):
            if hidden and not self.hidden[i]:
                self.hidden[i], self.leaves[i], found = True, other.leaves[i], True
        return found


def over_known(fun, given, transformed):
    """What a transformation gives of which `transformed(g, known, results)` is that of a function `g` of the known leaves of
    `(args, kwargs)`; `results` has the tree of what the function gave."""
    results = []

    def of_known(*known):
        args, kwargs = given.whole(known)
        results[:] = [Part(fun(*args, **kwargs))]
        return results[0].known

    for attribute in ("__module__", "__qualname__", "__name__"):
        if hasattr(fun, attribute):
            setattr(of_known, attribute, getattr(fun, attribute))
    known = transformed(of_known, given.known, results)
    return results[0].whole(known)


def scan(f, init, xs, length, run):
    """`run(g, init, xs, length)` is a loop over lists of leaves."""
    core.may_run(f)
    carry, rows = Part(init), Part(xs)
    # Of how many rounds nobody knows: what is carried has the type that any number of them gives.
    endless = length is None and any(rows.hidden) and not rows.known
    again, results = True, []
    while again:
        after = []

        def of_known(known, row):
            pair = f(carry.whole(known), rows.whole(row))
            if not (isinstance(pair, (tuple, list)) and len(pair) == 2):
                return pair
            new, result = Part(pair[0]), Part(pair[1])
            after[:], results[:] = [new], [result]
            if new.treedef != carry.treedef:
                core.unknown("a carry of another structure with leaves that are not known")
            # What becomes unknown on the way is left out the next time.
            kept = carry.select([old if hidden else leaf for old, leaf, hidden in zip(carry.leaves, new.leaves, new.hidden)])
            return kept, result.known

        known, ys = run(of_known, carry.known, rows.known, 1 if endless else length)
        again = carry.hide(after[0])
    if endless:
        return core.forgotten(carry.whole(known)), unknown("", "the results of a loop over what is not known")
    return carry.whole(known), results[0].whole(ys)


def while_loop(cond_fun, body_fun, init, run):
    """`run(cond, body, init)` is a loop over a list of leaves."""
    core.may_run((cond_fun, body_fun))
    carry = Part(init)
    again = True
    while again:
        after = []

        def body_of_known(known):
            new = Part(body_fun(carry.whole(known)))
            after[:] = [new]
            if new.treedef != carry.treedef:
                core.unknown("a carry of another structure with leaves that are not known")
            return carry.select([old if hidden else leaf for old, leaf, hidden in zip(carry.leaves, new.leaves, new.hidden)])

        known = run(lambda known: cond_fun(carry.whole(known)), body_of_known, carry.known)
        again = carry.hide(after[0])
    return carry.whole(known)


def branches(functions, operands, run):
    """`run(functions, operands)` chooses among functions of leaves."""
    core.may_run(tuple(functions))
    given = Part((tuple(operands), {}))
    results = []

    def of_known(function):
        def branch(*known):
            result = Part(function(*given.whole(known)[0]))
            if results and (results[0].treedef != result.treedef or results[0].hidden != result.hidden):
                core.unknown("branches whose results have other leaves that are not known")
            results[:] = [result]
            return result.known
        return branch

    known = run([of_known(function) for function in functions], given.known)
    return results[0].whole(known)
