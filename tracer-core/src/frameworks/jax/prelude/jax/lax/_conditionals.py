"""`cond`, `switch`, `platform_dependent`."""
from _jitlens import core, prims as p

from .. import _partly
from ..tree_util import tree_map
from ._carry import bullets, capitalize
from ._held import captured, merged

_NO_OPERAND = object()


# -------------------------------------------------------------------------------------------------------------- cond

def cond(pred, true_fun, false_fun, *operands, operand=_NO_OPERAND):
    if not (callable(true_fun) and callable(false_fun)):
        if callable(false_fun) and len(operands) == 2 and callable(operands[1]):
            # The older form: cond(pred, true_operand, true_fun, false_operand, false_fun).
            on_true, on_false = false_fun, operands[1]
            return cond(pred, lambda x, _: on_true(x), lambda _, x: on_false(x), true_fun, operands[0])
        raise TypeError("lax.cond: true_fun and false_fun arguments should be callable.")
    if operand is not _NO_OPERAND:
        if operands:
            raise TypeError("if 'operand' keyword is passed then no positional operands can be passed, got "
                            f"operand={operand!r} and positional operands {operands}")
        operands = (operand,)
    pred = _predicate(pred)
    if core.config_read("jax_disable_jit") and core.is_concrete(pred):
        return true_fun(*operands) if pred else false_fun(*operands)
    if core.only_numbers():
        return _selected(pred, [false_fun(*operands), true_fun(*operands)])

    if _partly.lacks(core.tree_leaves(operands, None, 0)):
        return _partly.branches([true_fun, false_fun], operands, lambda functions, known: cond(pred, *functions, *known))
    (true_fun, false_fun), operands = captured("cond", [true_fun, false_fun], operands)
    args, in_tree = core.tree_flatten((tuple(operands), {}), None, 1, 2)
    avals = [core.typeof(x) for x in args]
    on_true = core.trace_with_refs(true_fun, in_tree, avals, "cond", leaves=args)
    on_false = core.trace_with_refs(false_fun, in_tree, avals, "cond", leaves=args)
    (true_jaxpr, false_jaxpr), consts, written = merged([on_true, on_false], args)
    _check_outputs("cond", "true_fun", "false_fun", true_fun, false_fun, on_true, on_false)
    outs = _bind_cond("cond", lambda: core.convert_element_type(pred, core.INT32), [false_jaxpr, true_jaxpr],
                      [*consts, *args])
    # Made once more where the branches are compared.
    return core.tree_unflatten(on_true[2], _held_after(written, outs), 2, 1)


def _selected(index, results):
    """What a traced index selects of results that are all there."""
    from ..numpy import where
    found = results[0]
    for i, result in enumerate(results[1:], 1):
        found = tree_map(lambda a, b: where(index == i, a, b), result, found)
    return found


def _held_after(written, outs):
    """The results behind what the references hold now."""
    for ref, value in zip(written, outs):
        core.write(ref, value)
    return outs[len(written):]


def _predicate(pred):
    if pred is None:
        raise TypeError("cond predicate is None")
    if isinstance(pred, (list, tuple, str, range)):
        raise TypeError(f"Pred must be a scalar, got {pred} of type {type(pred)}")
    if core.ndim(pred) != 0:
        raise TypeError(f"Pred must be a scalar, got {pred} of shape {core.shape(pred)}.")
    try:
        dtype = core.result_type(pred)
    except TypeError as error:
        raise TypeError(f"Pred type must be either boolean or number, got {pred}.") from error
    if dtype.kind == "b":
        return pred
    if dtype.kind not in "iuf":
        raise TypeError(f"Pred type must be either boolean or number, got {dtype}.")
    return pred != 0


def _bind_cond(name, index, jaxprs, inputs, **params):
    """Binds `cond`; outputs that are the same input in every branch do not go through it."""
    forwards = [core.jaxpr_forwarding(jaxpr) for jaxpr in jaxprs]
    sources = [column[0] if len(set(column)) == 1 else None for column in zip(*forwards)]
    jaxprs = [core.jaxpr_keep_outputs(jaxpr, [s is None for s in sources]) for jaxpr in jaxprs]
    effects = set()
    for jaxpr in jaxprs:
        effects.update(core.disallowed_effects(jaxpr))
    if effects:
        raise NotImplementedError(f"Effects not supported in `{name}`: {effects}")
    outs = iter(p.cond(index(), *inputs, branches=tuple(core.jaxprs_join_effects(jaxprs)), **params))
    return [next(outs) if s is None else core.asarray(inputs[s]) for s in sources]


# ------------------------------------------------------------------------------------------------------------ switch

def switch(index, branches, *operands, operand=_NO_OPERAND):
    if not all([callable(branch) for branch in branches]):
        raise TypeError("lax.switch: branches argument should be a sequence of callables.")
    if operand is not _NO_OPERAND:
        if operands:
            raise TypeError("if 'operand' keyword is passed then no positional operands can be passed, got "
                            f"operand={operand!r} and positional operands {operands}")
        operands = (operand,)
    if isinstance(index, (list, tuple)):
        import numpy
        numpy.ndim(index)
    if core.ndim(index) != 0:
        raise TypeError(f"Branch index must be scalar, got {index} of shape {core.shape(index)}.")
    try:
        dtype = core.result_type(index)
    except TypeError as error:
        raise TypeError(f"Index type must be an integer, got {index}.") from error
    if dtype.kind not in "iu":
        raise TypeError(f"Index type must be an integer, got {index} as {dtype}")
    branches = tuple(branches)
    if not branches:
        raise ValueError("Empty branch sequence")
    if len(branches) == 1:
        return branches[0](*operands)
    index = core.convert_element_type(index, core.INT32)
    index = p.clamp(core.constant(0, core.INT32), index, core.constant(len(branches) - 1, core.INT32))
    return _switch(index, branches, operands)


def _switch(index, branches, operands, **params):
    if core.config_read("jax_disable_jit") and core.is_concrete(index):
        return branches[int(index)](*operands)
    if core.only_numbers():
        return _selected(index, [branch(*operands) for branch in branches])
    if _partly.lacks(core.tree_leaves(operands, None, 0)):
        return _partly.branches(branches, operands, lambda functions, known: _switch(index, tuple(functions), known, **params))
    branches, operands = captured("switch", list(branches), operands)
    args, in_tree = core.tree_flatten((tuple(operands), {}), None, 1, len(branches))
    avals = [core.typeof(x) for x in args]
    traced = [core.trace_with_refs(branch, in_tree, avals, "switch", leaves=args) for branch in branches]
    jaxprs, consts, written = merged(traced, args)
    for i in range(1, len(branches)):
        _check_outputs("switch", "branch 0", f"branch{i}", branches[0], branches[i], traced[0], traced[i])
    outs = _bind_cond("switch", lambda: index, jaxprs, [*consts, *args], **params)
    return core.tree_unflatten(traced[0][2], _held_after(written, outs), len(branches), len(branches) - 1)


def platform_dependent(*args, default=None, **per_platform):
    branches, platforms = [], []
    for name, branch in per_platform.items():
        if not callable(branch):
            raise TypeError(f"lax.platform_dependent: the '{name}' branch must be a callable.")
        if name == "gpu":
            raise ValueError("Use 'cuda' or 'rocm' for lax.platform_dependent.")
        if branch in branches:
            platforms[branches.index(branch)] += (name,)
        else:
            branches.append(branch)
            platforms.append((name,))
    if default is not None:
        if not callable(default):
            raise TypeError("lax.platform_dependent: the 'default' branch must be a callable.")
        branches.append(default)
        platforms.append(None)
    platforms = tuple(platforms)
    if default is None and not any(["cpu" in names for names in platforms]) and core.trace_state_clean():
        raise NotImplementedError(f"MLIR translation rule for primitive 'platform_index(platforms={platforms})' not found for platform cpu")
    index = p.platform_index(platforms=platforms)
    if core.is_concrete(index):
        return branches[int(index)](*args)
    return _switch(index, branches, args, branches_platforms=platforms)


# ------------------------------------------------------------------------------------------------------------ checks

def _check_outputs(api, name1, name2, fun1, fun2, traced1, traced2):
    tree1, avals1, tree2, avals2 = traced1[2], traced1[3], traced2[2], traced2[3]
    if tree1 == tree2 and all([core.typematch(a, b) for a, b in zip(avals1, avals2)]):
        return
    sources = f"{name1} is {core.function_source(fun1)}\n{name2} is {core.function_source(fun2)}\n\n"
    if tree1 != tree2:
        from .. import _tree_errors
        rows = [f"{name1} output{_at(path)} is a {was} but {name2} output{_at(path)} is a {now}, so {why}"
                for path, was, now, why in _tree_errors.treedef_differences(tree1, tree2)]
        if rows:
            raise TypeError(f"{api} branch outputs must have the same pytree structure, but they differ:\n\n{sources}"
                            f"{bullets(rows, str)}\nRevise {name1} and/or {name2} so that they have the same pytree structure.")
        return
    paths = [path for path, _ in core.tree_flatten_with_path(tree1.unflatten(avals1))[0]]
    rows = [f"the output of {name1}{_at(path)} has type {a.str_short()} but the corresponding output of {name2} has type "
            f"{b.str_short()}{core.mismatch_note(a, b)}" for path, a, b in zip(paths, avals1, avals2) if not core.typematch(a, b)]
    if len(rows) == 1:
        text = f"{capitalize(rows[0])}.\n"
    else:
        text = "\n".join([f"  * {row};" for row in rows[:-1]]) + f"\n  * {rows[-1]}.\n"
    raise TypeError(f"{api} branches must have equal output types but they differ.\n\n{sources}{text}\n"
                    f"Revise {name1} and/or {name2} so that all output types match.")


def _at(path):
    return f" at path {''.join([str(k) for k in path])}" if path else ""
