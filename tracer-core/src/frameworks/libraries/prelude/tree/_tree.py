"""What dm-tree has in compiled code."""

from collections.abc import Mapping, MappingView, Sequence


def is_attrs(value):
    return hasattr(type(value), "__attrs_attrs__")


def is_namedtuple(value, strict=False):
    if not isinstance(value, tuple) or strict and type(value).__base__ is not tuple:
        return False
    fields = getattr(value, "_fields", None)
    return isinstance(fields, tuple) and all([isinstance(field, str) for field in fields])


def is_sequence(value):
    if isinstance(value, (tuple, list, dict)):
        return True
    if isinstance(value, (str, bytes)):
        return False
    return isinstance(value, (Mapping, MappingView, Sequence)) or is_attrs(value)


def same_namedtuples(a, b):
    return type(a).__name__ == type(b).__name__ and a._fields == b._fields


def _parts(value):
    if isinstance(value, Mapping):
        return [value[key] for key in sorted(value)]
    if is_attrs(value):
        return [getattr(value, field.name) for field in type(value).__attrs_attrs__]
    return list(value)


def flatten(structure):
    flat = []
    _flatten(structure, flat)
    return flat


def _flatten(structure, flat):
    if not is_sequence(structure):
        flat.append(structure)
        return
    for part in _parts(structure):
        _flatten(part, flat)


def assert_same_structure(a, b, check_types=True):
    problem = _difference(a, b, check_types)
    if problem is not None:
        kind, message = problem
        raise kind(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_shown(a)}\n\nSecond structure: {_shown(b)}\n\nMore specifically: {message}"
        )


def _shown(value):
    return f"type={type(value).__name__} str={value}"


def _difference(a, b, check_types):
    nested = is_sequence(a)
    if nested != is_sequence(b):
        one, other = (a, b) if nested else (b, a)
        return ValueError, f'Substructure "{_shown(one)}" is a sequence, while substructure "{_shown(other)}" is not'
    if not nested:
        return None
    if check_types:
        same = type(a) is type(b) or isinstance(a, Mapping) and isinstance(b, Mapping)
        if is_namedtuple(a) and is_namedtuple(b):
            same = same_namedtuples(a, b)
        if not same:
            return TypeError, (
                f"The two namedtuples don't have the same sequence type. First structure {_shown(a)} has type "
                f"{type(a).__name__}, while second structure {_shown(b)} has type {type(b).__name__}"
            )
        if isinstance(a, Mapping) and set(a) != set(b):
            return ValueError, (
                f"The two dictionaries don't have the same set of keys. First structure has keys {_shown(list(a))}, "
                f"while second structure has keys {_shown(list(b))}"
            )
    first, second = _parts(a), _parts(b)
    if len(first) != len(second):
        return ValueError, (
            f"The two structures don't have the same number of elements. First structure: {_shown(a)}. "
            f"Second structure: {_shown(b)}"
        )
    for x, y in zip(first, second):
        problem = _difference(x, y, check_types)
        if problem is not None:
            return problem
    return None
