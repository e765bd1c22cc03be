"""Warnings of libraries are noted, unless a filter of the program is about them."""

from _jitlens.python import note_warning as _note

filters = []
# Those that Python leaves out by itself, outside of `__main__`.
_QUIET = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)
_silenced = [0]
# What filters say, the last one first: action, message, category.
_actions = []


def _action(category, text):
    """What a filter of the program does with a warning; None where it has none for it."""
    import re

    for action, message, kind in _actions:
        if issubclass(category, kind) and (not message or re.match(message, text, re.IGNORECASE)):
            return action


def warn(message, category=None, stacklevel=1, source=None, **kwargs):
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    elif not isinstance(category, type) or not issubclass(category, Warning):
        raise TypeError(f"category must be a Warning subclass, not {type(category).__name__!r}")
    if _actions and _action(category, str(message)) == "error":
        raise message if isinstance(message, Warning) else category(message)
    if not _silenced[0] and not issubclass(category, _QUIET):
        _note(category.__name__, str(message))


def warn_explicit(message, category, filename, lineno, *args, **kwargs):
    return None


_KINDS = ("error", "ignore", "always", "default", "module", "once", "all")


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    assert action in _KINDS, f"invalid action: {action!r}"
    _silenced[0] += 1
    # Where a warning comes from is not asked.
    if not module and not lineno:
        _actions.insert(len(_actions) if append else 0, (action, message, category))


def simplefilter(action, category=Warning, lineno=0, append=False):
    filterwarnings(action, "", category, "", lineno, append)


def resetwarnings():
    _silenced[0] = 0
    _actions.clear()


def formatwarning(message, category, filename, lineno, line=None):
    return str(message)


def showwarning(message, category, filename, lineno, file=None, line=None):
    return None


def catch_warnings(*, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
    if record:
        from _jitlens.python import vague_list

        return _Silence(vague_list("the warnings of a block"), action, category)
    return _Silence(None, action, category)


class _Silence:
    """A block whose warnings the program handles itself."""

    def __init__(self, caught, action, category):
        self.caught, self.action, self.category = caught, action, category

    def __enter__(self):
        self.before, self.actions = _silenced[0], list(_actions)
        _silenced[0] += 1
        if self.action is not None:
            simplefilter(self.action, self.category)
        return self.caught

    def __exit__(self, *exception):
        _silenced[0] = self.before
        _actions[:] = self.actions


def deprecated(message, /, *, category=DeprecationWarning, stacklevel=1):
    return lambda function: function
