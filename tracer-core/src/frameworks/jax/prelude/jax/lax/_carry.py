"""What the loops say when the carry that comes out is not of the type that went in, and how weak carries are promoted."""
from _jitlens import core


def promote_weak(values, in_avals, out_avals):
    """The initial carry with weakly typed values converted where the body gives another type, or None if all stays.

    JAX traces the body once more when something changed."""
    promoted, changed = [], False
    for value, before, after in zip(values, in_avals, out_avals):
        if before.weak_type and not core.typematch(before, after):
            value = core.convert(value, core.result_type(value, after))
            changed = True
        promoted.append(value)
    return promoted if changed else None


def check_carry(name, body, in_tree, in_avals, out_tree, out_avals):
    """TypeError unless structure and types (but for weakness) are the same."""
    if in_tree != out_tree:
        _wrong_tree(name, body, in_tree, in_avals, out_tree, out_avals)
    if all([core.typematch(a, b) for a, b in zip(in_avals, out_avals)]):
        return
    paths = [path for path, _ in core.tree_flatten_with_path(in_tree.unflatten(in_avals))[0]]
    rows = [f"{_component(body, path)} has type {a.str_short()} but the corresponding output carry component has type "
            f"{b.str_short()}{core.mismatch_note(a, b)}"
            for path, a, b in zip(paths, in_avals, out_avals) if not core.typematch(a, b)]
    differing = [([_plain(key) for key in path], a, b) for path, a, b in zip(paths, in_avals, out_avals) if not core.typematch(a, b)]
    core.raise_of_carry(f"{name} function carry input and carry output must have equal types, but they differ:\n\n"
                        f"{bullets(rows, capitalize)}\nRevise the function so that all output types match the corresponding input "
                        "types.", differing)


def _plain(key):
    if isinstance(key, core.SequenceKey):
        return key.idx
    return key.key if isinstance(key, core.DictKey) else None


def _wrong_tree(name, body, in_tree, in_avals, out_tree, out_avals):
    from .. import _tree_errors
    found = _tree_errors.differences(in_tree.unflatten(in_avals), out_tree.unflatten(out_avals))
    rows = [f"{_component(body, path)} is a {was} but the corresponding component of the carry output is a {now}, so {why}"
            for path, was, now, why in found]
    if rows:
        raise TypeError(f"{name} function carry input and carry output must have the same pytree structure, but they differ:\n\n"
                        f"{bullets(rows, capitalize)}\nRevise the function so that the carry output has the same pytree structure as "
                        "the carry input.")


def _component(body, path):
    names = core.parameter_names(body)
    text = "".join([str(k) for k in path])
    if names:
        return f"the input carry component {names[0]}{text}" if path else f"the input carry {names[0]}"
    return f"the input carry at path {text}" if path else "the input carry"


def bullets(rows, single):
    """One difference as a sentence, several as a list."""
    if len(rows) == 1:
        return f"{single(rows[0])}.\n"
    return "\n".join([f"  * {row};\n" for row in rows[:-1]]) + f"  * {rows[-1]}.\n"


def capitalize(text):
    return text[0].capitalize() + text[1:]
