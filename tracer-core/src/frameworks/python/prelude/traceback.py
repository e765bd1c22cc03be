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
