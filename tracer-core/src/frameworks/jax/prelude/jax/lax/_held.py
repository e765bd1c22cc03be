"""Mutable arrays that the functions of loops and branches capture. What a function only reads is a constant of it, what it writes
is carried."""
from _jitlens import core


def with_refs(refs, consts, carry, bind):
    """`bind(consts, carry)` of a loop whose body captures references: `refs` are those that it only reads, and those that it
    writes. Gives the results without what the references hold then."""
    read, written = refs
    if not read and not written:
        return bind(consts, carry)
    outs = bind([*consts, *[core.read(ref) for ref in read]], [*[core.read(ref) for ref in written], *carry])
    for ref, value in zip(written, outs):
        core.write(ref, value)
    return outs[len(written):]


def without_refs(cond, body_refs, avals):
    """The condition of a loop and its constants, with inputs for what the body carries in front of these types."""
    jaxpr, consts, _, _, read, written = cond
    carried = body_refs[1]
    if written:
        core.unknown("a condition that writes to a mutable array")
    if any([one is other for one in read for other in carried]):
        raise ValueError("only one reference to a mutable array may be passed as an argument to a function, but when tracing while for jit "
                         f"the mutable array reference of type {core.type_text(carried[0])} appeared at both args[0] and args[1].")
    consts = [*consts, *[core.read(ref) for ref in read]]
    if carried:
        count, inner = len(consts), jaxpr
        flat = lambda *xs: core.eval_jaxpr(inner, *xs[:count], *xs[count + len(carried):])[0]
        jaxpr, more = _staged(flat, [core.typeof(x) for x in consts] + [core.typeof(core.read(r)) for r in carried] + list(avals))
        consts = [*more, *consts]
    return jaxpr, consts


def merged(traced, args):
    """Branches that capture references as branches over the same ones: graphs and inputs in front of `args`, the references that
    some branch writes, and how many results tell what they hold then."""
    read, written = [], []
    for branch in traced:
        _add(branch[5], written)
    for branch in traced:
        _add([ref for ref in branch[4] if not _place(ref, written) >= 0], read)
    refs = written + read
    if not refs:
        jaxprs, consts = core.jaxpr_merge_consts([t[0] for t in traced], [t[1] for t in traced])
        return list(jaxprs), list(consts), []
    held = [core.read(ref) for ref in refs]
    avals = [core.typeof(x) for x in held] + [core.typeof(x) for x in args]
    staged = [_staged(_over(branch, refs, written), avals) for branch in traced]
    jaxprs, consts = core.jaxpr_merge_consts([s[0] for s in staged], [s[1] for s in staged])
    return list(jaxprs), [*consts, *held], written


def _over(branch, refs, written):
    """A branch as a function of what all the references hold."""
    jaxpr, consts, _, _, own_read, own_written = branch

    def flat(*xs):
        held, args = xs[:len(refs)], xs[len(refs):]
        own = [held[_place(ref, refs)] for ref in own_read + own_written]
        outs = core.eval_jaxpr(jaxpr, *consts, *own, *args)
        after = list(held[:len(written)])
        for ref, value in zip(own_written, outs):
            after[_place(ref, written)] = value
        return (*after, *outs[len(own_written):])
    return flat


def _staged(flat, avals):
    leaf = core.tree_structure(0)
    tree = core.treedef_tuple([core.treedef_tuple([leaf] * len(avals)), core.tree_structure({})])
    # The graphs in `flat` have been watched when they were made.
    return core.unwatched(lambda: core.trace_to_jaxpr(flat, tree, avals, "refs")[:2])


def _place(ref, refs):
    for i, one in enumerate(refs):
        if one is ref:
            return i
    return -1


def _add(refs, to):
    for ref in refs:
        if _place(ref, to) < 0:
            to.append(ref)


def refuse_refs(api, user, f, leaves, in_tree):
    """A reference cannot be carried: it would have to be returned. `leaves` are arguments of the body `f`, some of them mere types."""
    if not any([core.is_ref(leaf) for leaf in leaves]):
        return
    core.check_aliases(leaves, [f"args[{i}]" for i in range(len(leaves))], f"{core.function_source(user)} for {api}")
    args = in_tree.children()[0]
    rest = [core.abstractify(leaf) for leaf in leaves if not core.is_ref(leaf)]
    tree = core.treedef_tuple([core.treedef_tuple([core.tree_structure(0)] * len(rest)), core.tree_structure({})])
    core.trace_with_refs(_capturing(f, leaves, args), tree, rest, api, user)
    core.unknown("a loop that carries a mutable array")


def captured(api, functions, operands):
    """Functions that capture the references among their operands, and the other operands."""
    leaves, tree = core.tree_flatten(operands, None, 0)
    if not any([core.is_ref(leaf) for leaf in leaves]):
        return functions, operands
    core.check_aliases(leaves, [f"args[{i}]" for i in range(len(leaves))], f"{core.function_source(functions[0])} for {api}")
    rest = [leaf for leaf in leaves if not core.is_ref(leaf)]
    return [_capturing(f, leaves, tree) for f in functions], rest


def _capturing(f, leaves, tree):
    import functools

    @functools.wraps(f)
    def function(*rest):
        rest = iter(rest)
        return f(*tree.unflatten([leaf if core.is_ref(leaf) else next(rest) for leaf in leaves]))
    return function
