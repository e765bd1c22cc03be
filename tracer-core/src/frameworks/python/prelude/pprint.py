"""Printing: only its failures matter."""

from _jitlens.python import unknown


def pprint(object, stream=None, *args, **kwargs):
    if stream is None:
        print(object)
    else:
        stream.write(pformat(object, *args, **kwargs) + "\n")


pp = pprint


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    if indent != 1 or depth is not None or compact:
        return unknown("str", "text laid out over lines")
    return _laid_out(object, 0, 0, width, sort_dicts)


def _laid_out(object, column, allowance, width, sort_dicts):
    text = repr(object)
    if len(text) <= width - column - allowance:
        return text
    kind = type(object)
    if kind is dict and object:
        try:
            keys = sorted(object) if sort_dicts else list(object)
        except TypeError:
            return unknown("str", "text laid out over lines")
        rows = []
        for i, key in enumerate(keys):
            name = repr(key)
            after = allowance + 1 if i == len(keys) - 1 else 1
            rows.append(f"{name}: " + _laid_out(object[key], column + len(name) + 3, after, width, sort_dicts))
        return "{" + (",\n" + " " * (column + 1)).join(rows) + "}"
    if kind in (list, tuple) and object:
        ends = "[]" if kind is list else "()" if len(object) > 1 else ("(", ",)")
        last = len(object) - 1
        rows = [_laid_out(x, column + 1, allowance + len(ends[1]) if i == last else 1, width, sort_dicts) for i, x in enumerate(object)]
        return ends[0] + (",\n" + " " * (column + 1)).join(rows) + ends[1]
    # Long texts and sets have a layout of their own.
    return unknown("str", "text laid out over lines") if kind in (str, bytes, set, frozenset) else text


class PrettyPrinter:
    def __init__(self, *args, stream=None, **kwargs):
        self._stream = stream

    def pprint(self, object):
        if self._stream is None:
            print(object)
        else:
            self._stream.write(unknown("str", "text laid out over lines"))

    def pformat(self, object):
        return pformat(object)
