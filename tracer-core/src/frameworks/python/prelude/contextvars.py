"""Variables of a context: there is one context, and copies of it."""

_MISSING = object()
# All variables.
_all = []


class Token:
    MISSING = _MISSING

    def __init__(self, var, old_value):
        self.var, self.old_value = var, old_value


class ContextVar:
    def __init__(self, name, *, default=_MISSING):
        self.name = name
        self._default = default
        self._value = _MISSING
        _all.append(self)

    def __repr__(self):
        return f"<ContextVar name={self.name!r}{'' if self._default is _MISSING else f' default={self._default!r}'}>"

    @classmethod
    def __class_getitem__(cls, item):
        return cls

    def get(self, default=_MISSING):
        for value in (self._value, default, self._default):
            if value is not _MISSING:
                return value
        raise LookupError(self)

    def set(self, value):
        token = Token(self, self._value)
        self._value = value
        return token

    def reset(self, token):
        self._value = token.old_value


class Context:
    def __init__(self):
        self._values = {}

    def run(self, callable, *args, **kwargs):
        """Calls a function that sees, and changes, the values of this context alone."""
        outside = [(var, var._value) for var in _all]
        for var, _ in outside:
            var._value = self._values.get(var, _MISSING)
        try:
            return callable(*args, **kwargs)
        finally:
            self._values = {var: var._value for var in _all if var._value is not _MISSING}
            for var, value in outside:
                var._value = value

    def __getitem__(self, var):
        return self._values[var]

    def __contains__(self, var):
        return var in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def get(self, var, default=None):
        return self._values.get(var, default)

    def copy(self):
        made = Context()
        made._values = dict(self._values)
        return made


def copy_context():
    made = Context()
    made._values = {var: var._value for var in _all if var._value is not _MISSING}
    return made
