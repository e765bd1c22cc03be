"""Tracebacks: their text is not known."""

from _jitlens.python import is_unknown, unknown, vague_list


def _print(file):
    if file is not None and not is_unknown(file):
        file.write(unknown("str", "a traceback"))


def print_exc(limit=None, file=None, chain=True):
    _print(file)


def print_exception(exc, /, value=None, tb=None, limit=None, file=None, chain=True):
    _print(file)


def print_stack(f=None, limit=None, file=None):
    _print(file)


def print_tb(tb, limit=None, file=None):
    _print(file)


def format_exc(limit=None, chain=True):
    return unknown("str", "a traceback")


def format_exception(exc, /, value=None, tb=None, limit=None, chain=True, **kwargs):
    return vague_list("a traceback")


def format_exception_only(exc, /, value=None, **kwargs):
    value = exc if value is None else value
    if is_unknown(value) or isinstance(value, SyntaxError):
        return vague_list("a traceback")
    if value is None:
        return ["NoneType: None\n"]
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    text = str(value)
    return [f"{name}: {text}\n" if text else f"{name}\n"]


def format_tb(tb, limit=None):
    return vague_list("a traceback")


extract_tb = format_tb


def format_stack(f=None, limit=None):
    return vague_list("a traceback")


extract_stack = format_stack


def walk_stack(f):
    """The frames of functions that run are not shown: there are none."""
    return iter(())


def walk_tb(tb):
    return iter(vague_list("a traceback"))
