"""Copies."""

import copyreg
from _jitlens.python import set_plain


class Error(Exception):
    pass


error = Error


class _Bound:
    def get(self):
        return self


_METHOD = type(_Bound().get)
_ATOMS = (int, float, bool, complex, str, bytes, type(None), type, type(lambda: 0), range, type(...), type(NotImplemented))


def _is_atom(x):
    return isinstance(x, _ATOMS) and type(x) in _ATOMS or isinstance(x, type)


def _says(cls, name):
    """Whether a class, or one that it derives from, has a method of its own for what `object` does."""
    for one in cls.__mro__:
        if name in one.__dict__:
            return one.__module__ != "builtins"
    return False


def _taken_apart(x):
    """What makes a copy, as `__reduce_ex__` tells it, or `None` where it is the object itself."""
    cls = type(x)
    if cls in copyreg.dispatch_table:
        found = copyreg.dispatch_table[cls](x)
    elif _says(cls, "__reduce_ex__"):
        found = x.__reduce_ex__(4)
    elif _says(cls, "__reduce__"):
        found = x.__reduce__()
    else:
        return _as_object_does(x)
    return None if isinstance(found, str) else (*found, None, None, None)[:5]


def _as_object_does(x):
    cls = type(x)
    named, items, pairs = {}, None, None
    if hasattr(cls, "__getnewargs_ex__"):
        args, named = x.__getnewargs_ex__()
    elif _says(cls, "__getnewargs__"):
        args = x.__getnewargs__()
    elif isinstance(x, tuple):
        args = (tuple(x),)
    elif isinstance(x, frozenset):
        return cls, (list(x),), x.__dict__ or None, None, None
    else:
        args = ()
    if isinstance(x, set):
        return cls, (list(x),), x.__dict__ or None, None, None
    if isinstance(x, list):
        items = iter(x)
    elif isinstance(x, dict):
        pairs = iter(x.items())
    state = x.__getstate__() if _says(cls, "__getstate__") else x.__dict__ or None
    return (lambda *given: cls.__new__(cls, *given, **named)), args, state, items, pairs


class Snapshot(dict):
    """The memo of a copy whose objects are put together later: what they are made of is asked once."""


class _Apart:
    """An object as what makes it."""

    def __init__(self, parts):
        self.parts = parts

    def __deepcopy__(self, memo):
        return _made_of(self.parts, self, lambda v: deepcopy(v, memo), memo)


def _kept_apart(x, memo):
    parts = _taken_apart(x)
    if parts is None:
        return x
    memo[id(x)] = kept = _Apart(None)
    make, args, state, items, pairs = parts
    items = None if items is None else deepcopy(list(items), memo)
    pairs = None if pairs is None else deepcopy(list(pairs), memo)
    kept.parts = make, [deepcopy(a, memo) for a in args], deepcopy(state, memo), items, pairs
    return kept


def _put_together(x, convert, memo):
    parts = _taken_apart(x)
    return x if parts is None else _made_of(parts, x, convert, memo)


def _made_of(parts, x, convert, memo):
    make, args, state, items, pairs = parts
    new = make(*[convert(a) for a in args])
    if memo is not None:
        memo[id(x)] = new
    if state is not None:
        state = convert(state)
        if hasattr(new, "__setstate__"):
            new.__setstate__(state)
        else:
            slots = None
            if isinstance(state, tuple) and len(state) == 2:
                state, slots = state
            for name, value in {**(state or {}), **(slots or {})}.items():
                set_plain(new, name, value)
    if items is not None:
        for item in items:
            new.append(convert(item))
    if pairs is not None:
        for key, value in pairs:
            new[convert(key)] = convert(value)
    return new


# Values of the language that have no copy.
_REFUSED = ("module", "dict_keys", "dict_values", "dict_items", "coroutine", "async_generator")


def _itself(x):
    """A value that is its own copy."""
    cls = type(x)
    if cls.__name__ in _REFUSED and cls.__module__ == "builtins":
        raise TypeError(f"cannot pickle {cls.__name__!r} object")
    return x


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
    if not _has_fields(x) or isinstance(x, (str, int, float)):
        return _itself(x)
    return _put_together(x, lambda v: v, None)


def deepcopy(x, memo=None, _nil=[]):
    if _is_atom(x):
        return x
    if memo is None:
        memo = {}
    key = id(x)
    if key in memo:
        return memo[key]
    # It stays alive, or another object might be found under its identity (`x.__dict__` is made anew each time).
    memo.setdefault(id(memo), []).append(x)
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
    elif cls is _METHOD:
        return x.__func__.__get__(deepcopy(x.__self__, memo))
    elif not _has_fields(x) or isinstance(x, (str, int, float)):
        return _itself(x)
    elif type(memo) is Snapshot and (_says(cls, "__reduce_ex__") or _says(cls, "__reduce__") or _says(cls, "__getstate__")):
        new = _kept_apart(x, memo)
    else:
        new = _put_together(x, lambda v: deepcopy(v, memo), memo)
    memo[key] = new
    return new


def replace(obj, /, **changes):
    return obj.__replace__(**changes)
