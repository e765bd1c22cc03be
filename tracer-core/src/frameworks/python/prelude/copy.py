"""Copies."""

from _jitlens.python import set_plain


class Error(Exception):
    pass


error = Error
_ATOMS = (int, float, bool, complex, str, bytes, type(None), type, type(lambda: 0), range, type(...), type(NotImplemented))


def _is_atom(x):
    return isinstance(x, _ATOMS) and type(x) in _ATOMS or isinstance(x, type)


def _remake(x, convert):
    cls = type(x)
    if isinstance(x, (dict, list, set, tuple, frozenset, str, int, float)):
        if isinstance(x, tuple):
            new = tuple.__new__(cls, [convert(v) for v in tuple(x)])
        elif isinstance(x, dict):
            new = dict.__new__(cls)
            for k, v in dict(x).items():
                dict.__setitem__(new, convert(k), convert(v))
        elif isinstance(x, list):
            new = list.__new__(cls)
            for v in list(x):
                list.append(new, convert(v))
        elif isinstance(x, set):
            new = set.__new__(cls)
            for v in set(x):
                set.add(new, convert(v))
        else:
            return x
    elif hasattr(cls, "__dict__"):
        new = object.__new__(cls)
    else:
        return x
    for name, value in x.__dict__.items():
        set_plain(new, name, convert(value))
    return new


def _has_fields(x):
    # Only instances of the program's own classes are taken apart.
    return type(x).__module__ != "builtins" and hasattr(x, "__dict__") and not hasattr(x, "dtype") and not callable(getattr(x, "__array__", None))


def copy(x):
    if _is_atom(x):
        return x
    cls = type(x)
    if cls in (list, dict, set):
        return x.copy()
    if cls in (tuple, frozenset):
        return x
    if hasattr(cls, "__copy__"):
        return x.__copy__()
    if not _has_fields(x):
        return x
    return _remake(x, lambda v: v)


def deepcopy(x, memo=None, _nil=[]):
    if _is_atom(x):
        return x
    if memo is None:
        memo = {}
    key = id(x)
    if key in memo:
        return memo[key]
    cls = type(x)
    if cls is list:
        new = []
        memo[key] = new
        for v in x:
            new.append(deepcopy(v, memo))
        return new
    if cls is dict:
        new = {}
        memo[key] = new
        for k, v in x.items():
            new[deepcopy(k, memo)] = deepcopy(v, memo)
        return new
    if cls is tuple:
        items = [deepcopy(v, memo) for v in x]
        for a, b in zip(x, items):
            if a is not b:
                new = tuple(items)
                memo[key] = new
                return new
        return x
    if cls is set:
        return {deepcopy(v, memo) for v in x}
    if cls is frozenset:
        return x
    if hasattr(cls, "__deepcopy__"):
        new = x.__deepcopy__(memo)
    elif not _has_fields(x):
        return x
    elif isinstance(x, (dict, list, set, tuple)):
        new = _remake(x, lambda v: deepcopy(v, memo))
    else:
        new = object.__new__(cls)
        memo[key] = new
        for name, value in x.__dict__.items():
            set_plain(new, name, deepcopy(value, memo))
    memo[key] = new
    return new


def replace(obj, /, **changes):
    return obj.__replace__(**changes)
