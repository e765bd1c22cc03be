"""`numpy.strings` and `numpy.char`: methods of texts, for every text of an array."""
from _jitlens import core

from . import _names, _objects, _types_of_texts as types

# What they give: texts of the same dtype, texts as long as they become, booleans, integers.
_KINDS = {}
for _kind, _list in (("same", "upper lower title capitalize swapcase strip lstrip rstrip"), ("text", "replace center ljust rjust zfill"),
                     ("bool", "startswith endswith isalpha isalnum isdecimal isdigit isnumeric isspace isupper islower istitle"),
                     ("int64", "str_len find rfind count index rindex")):
    for _name in _list.split():
        _KINDS[_name] = _kind


def find(module, name):
    """`module.name`: a function of arrays of texts."""
    if name in _KINDS:
        return _method(name, _KINDS[name])
    if name == "add":
        return add
    return _names.missing(module, name)


def _method(name, kind):
    def function(a, *args, **kwargs):
        a = _objects.array(a)
        if a.dtype.kind == "O" or any([isinstance(x, _objects.ObjectArray) or core.is_numpy_array(x) for x in args]):
            return core.unknown(f"`{name}` of texts with an array beside them")
        found = [len(text) if name == "str_len" else getattr(text, name)(*args, **kwargs) for text in a._items()]
        if kind in ("same", "text"):
            return _objects._made(found, a.shape, a.dtype if kind == "same" else types.longest(found, a.dtype.kind))
        return core.numpy_array(found, kind).reshape(a.shape)[()]
    function.__name__ = function.__qualname__ = name
    return function


def add(x1, x2):
    return _objects.array(x1) + _objects.array(x2)
