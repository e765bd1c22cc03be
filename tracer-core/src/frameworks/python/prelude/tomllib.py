"""TOML, read where it lies."""
from _jitlens.python import is_unknown, toml as _toml, unknown


class TOMLDecodeError(ValueError):
    pass


def loads(s, /, *, parse_float=float):
    if is_unknown(s) or parse_float is not float:
        return unknown("", "what is read from TOML")
    if not isinstance(s, str):
        raise TypeError(f"Expected str object, not '{type(s).__qualname__}'")
    found = _toml(s)
    return unknown("", "a text that is no TOML") if found is None else found


def load(fp, /, *, parse_float=float):
    text = fp.read()
    if is_unknown(text):
        return unknown("", "what is read from TOML")
    if not isinstance(text, bytes):
        raise TypeError("File must be opened in binary mode, e.g. use `open('foo.toml', 'rb')`")
    return loads(text.decode(), parse_float=parse_float)
