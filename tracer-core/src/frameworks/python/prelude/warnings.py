"""Warnings are not shown."""

from contextlib import nullcontext as _nullcontext

filters = []


def warn(message, category=None, stacklevel=1, source=None, **kwargs):
    return None


def warn_explicit(message, category, filename, lineno, *args, **kwargs):
    return None


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    return None


def simplefilter(action, category=Warning, lineno=0, append=False):
    return None


def resetwarnings():
    return None


def formatwarning(message, category, filename, lineno, line=None):
    return str(message)


def showwarning(message, category, filename, lineno, file=None, line=None):
    return None


def catch_warnings(*, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
    if record:
        from _jitlens.python import vague_list

        return _nullcontext(vague_list("the warnings of a block"))
    return _nullcontext()


def deprecated(message, /, *, category=DeprecationWarning, stacklevel=1):
    return lambda function: function
