"""Printing of objects laid out over lines."""

from _jitlens.python import is_unknown, unknown

_WHY = "text laid out over lines"


def pprint(object, stream=None, *args, **kwargs):
    if stream is None:
        print(pformat(object, *args, **kwargs))
    else:
        stream.write(pformat(object, *args, **kwargs) + "\n")


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    if depth is not None or compact or underscore_numbers:
        return unknown("str", _WHY)
    return _laid_out(object, 0, 0, width, indent, sort_dicts)


def saferepr(object):
    return _line(object, True, [])


class _Key:
    """A key among those of a dictionary: in the order of their types where they have none."""

    def __init__(self, key):
        self.key = key

    def __lt__(self, other):
        try:
            return self.key < other.key
        except TypeError:
            kind, another = str(type(self.key)), str(type(other.key))
            return kind < another if kind != another else unknown("bool", "which of two objects is made first")


def _keys(object, sort_dicts):
    if not sort_dicts or len(object) < 2:
        return list(object)
    if all([type(key) is str for key in object]):
        return sorted(object)
    return sorted(object, key=_Key)


def _written_by(kind):
    """The container whose text an object of a class has."""
    for one in kind.__mro__:
        if one in (dict, list, tuple):
            return one
        if "__repr__" in one.__dict__:
            return None
    return None


def _line(object, sort_dicts, around):
    """An object on one line."""
    kind = None if is_unknown(object) else _written_by(type(object))
    if kind is None or not len(object):
        return repr(object)
    if id(object) in around:
        return unknown("str", "the text of what holds itself")
    around = [*around, id(object)]
    if kind is dict:
        rows = [f"{_line(k, sort_dicts, around)}: {_line(object[k], sort_dicts, around)}" for k in _keys(object, sort_dicts)]
        return "{" + ", ".join(rows) + "}"
    text = ", ".join([_line(x, sort_dicts, around) for x in object])
    if kind is list:
        return f"[{text}]"
    return f"({text},)" if len(object) == 1 else f"({text})"


def _laid_out(object, column, allowance, width, indent, sort_dicts):
    text = _line(object, sort_dicts, [])
    if is_unknown(text):
        return unknown("str", _WHY)
    if len(text) <= width - column - allowance:
        return text
    kind = type(object)
    inner = column + indent
    between, lead = ",\n" + " " * inner, " " * (indent - 1)
    if kind is dict and object:
        keys = _keys(object, sort_dicts)
        rows = []
        for i, key in enumerate(keys):
            name = _line(key, sort_dicts, [])
            after = allowance + 1 if i == len(keys) - 1 else 1
            rows.append(f"{name}: " + _laid_out(object[key], inner + len(name) + 2, after, width, indent, sort_dicts))
        return "{" + lead + between.join(rows) + "}"
    if kind in (list, tuple) and object:
        ends = "[]" if kind is list else "()" if len(object) > 1 else ("(", ",)")
        last = len(object) - 1
        rows = [_laid_out(x, inner, allowance + len(ends[1]) if i == last else 1, width, indent, sort_dicts) for i, x in enumerate(object)]
        return ends[0] + lead + between.join(rows) + ends[1]
    # Long texts, sets and records have a layout of their own.
    has_own = kind in (str, bytes, bytearray, set, frozenset) or hasattr(kind, "__dataclass_fields__") or kind.__module__ in ("collections", "types", "collections._user")
    return unknown("str", _WHY) if has_own else text


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, **kwargs):
        self._stream = stream
        self._options = {"indent": indent, "width": width, "depth": depth, **kwargs}

    def pprint(self, object):
        pprint(object, self._stream, **self._options)

    def pformat(self, object):
        return pformat(object, **self._options)
