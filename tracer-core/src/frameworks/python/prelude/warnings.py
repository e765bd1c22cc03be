"""Warnings of libraries are noted, unless a filter of the program is about them."""

from _jitlens.python import note_warning as _note

filters = []
# Those that Python leaves out by itself, outside of `__main__`.
_QUIET = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)
_silenced = [0]


def warn(message, category=None, stacklevel=1, source=None, **kwargs):
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    if not _silenced[0] and not issubclass(category, _QUIET):
        _note(category.__name__, str(message))


def warn_explicit(message, category, filename, lineno, *args, **kwargs):
    return None


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    _silenced[0] += 1


def simplefilter(action, category=Warning, lineno=0, append=False):
    _silenced[0] += 1


def resetwarnings():
    _silenced[0] = 0


def formatwarning(message, category, filename, lineno, line=None):
    return str(message)


def showwarning(message, category, filename, lineno, file=None, line=None):
    return None


def catch_warnings(*, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
    if record:
        from _jitlens.python import vague_list

        return _Silence(vague_list("the warnings of a block"))
    return _Silence(None)


class _Silence:
    """A block whose warnings the program handles itself."""

    def __init__(self, caught):
        self.caught = caught

    def __enter__(self):
        self.before = _silenced[0]
        _silenced[0] += 1
        return self.caught

    def __exit__(self, *exception):
        _silenced[0] = self.before


def deprecated(message, /, *, category=DeprecationWarning, stacklevel=1):
    return lambda function: function
