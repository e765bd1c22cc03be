"""Dictionaries and lists of a configuration."""
import copy
import dataclasses
import enum
from collections.abc import MutableMapping, Sequence

from _jitlens.python import is_unknown, unknown

from . import _reading
from .errors import (
    ConfigAttributeError, ConfigIndexError, ConfigKeyError, ConfigTypeError, MissingMandatoryValue, ReadonlyConfigError,
)

MISSING = "???"


def wrapped(value, parent):
    """A value as a configuration holds it: containers are configurations."""
    if is_unknown(value):
        return value
    if isinstance(value, (DictConfig, ListConfig)):
        made = value.__deepcopy__({})
        object.__setattr__(made, "_parent", parent)
        return made
    if isinstance(value, dict):
        return DictConfig(value, parent=parent)
    if isinstance(value, (list, tuple)):
        return ListConfig(list(value), parent=parent)
    if dataclasses.is_dataclass(value):
        return DictConfig(value, parent=parent)
    return value


def fields_of(kind):
    """The fields of a dataclass or of an instance of one, by name."""
    found = {}
    for field in dataclasses.fields(kind):
        if not isinstance(kind, type):
            found[field.name] = getattr(kind, field.name)
        elif field.default is not dataclasses.MISSING:
            found[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
        elif isinstance(field.type, type) and dataclasses.is_dataclass(field.type):
            found[field.name] = field.type
        else:
            found[field.name] = MISSING
    return found


def _plain(value, resolve=False, throw=False):
    """A configuration as dictionaries and lists."""
    if isinstance(value, DictConfig):
        return {key: _plain(value._given(key) if resolve else raw, resolve, throw) for key, raw in value._content.items()}
    if isinstance(value, ListConfig):
        return [_plain(value._given(i) if resolve else raw, resolve, throw) for i, raw in enumerate(value._content)]
    return value


class Container:
    def _set_up(self, content, parent):
        object.__setattr__(self, "_content", content)
        object.__setattr__(self, "_parent", parent)
        object.__setattr__(self, "_flags", {})

    def _get_parent(self):
        return self._parent

    def _get_root(self):
        at = self
        while at._parent is not None:
            at = at._parent
        return at

    def _flag(self, name):
        at = self
        while at is not None:
            if at._flags.get(name) is not None:
                return at._flags[name]
            at = at._parent
        return False

    def _full_key(self, key):
        at, parts = self, [str(key)]
        while at._parent is not None:
            above = at._parent
            names = above._content.items() if isinstance(above, DictConfig) else enumerate(above._content)
            parts += [str(name) for name, held in names if held is at][:1]
            at = above
        return ".".join(reversed(parts))

    def _given(self, key):
        """The value under a key that is there, interpolations followed."""
        value = self._content[key]
        if _reading.is_interpolation(value):
            value = _reading.resolved(value, self)
            return wrapped(value, self) if isinstance(value, (dict, list, tuple)) else value
        return value

    def _read(self, key):
        value = self._given(key)
        if isinstance(value, str) and not is_unknown(value) and value == MISSING:
            raise MissingMandatoryValue(f"Missing mandatory value: {self._full_key(key)}")
        return value

    def _select(self, path):
        at = self
        for key in _reading.keys_of(path):
            found = at._node(key) if isinstance(at, Container) else (False, None)
            if not found[0]:
                return None
            at = found[1]
        return None if isinstance(at, str) and not is_unknown(at) and at == MISSING else at

    def _check_written(self, key):
        if self._flag("readonly"):
            raise ReadonlyConfigError(f"Cannot change read-only config container\n    full_key: {self._full_key(key)}\n    object_type=dict")

    def __len__(self):
        return len(self._content)

    def __str__(self):
        return repr(self)

    def __repr__(self):
        return repr(_plain(self))

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(str(self))

    def copy(self):
        return copy.copy(self)

    def __copy__(self):
        return self.__deepcopy__({})

    def __deepcopy__(self, memo):
        made = type(self)(parent=self._parent, flags=self._flags)
        if isinstance(self, DictConfig):
            object.__setattr__(made, "_kind", self._kind)
            made._content.update({key: wrapped(value, made) for key, value in self._content.items()})
        else:
            made._content.extend([wrapped(value, made) for value in self._content])
        return made


class DictConfig(Container, MutableMapping):
    def __init__(self, content=None, key=None, parent=None, flags=None, **options):
        kind = None
        if content is not None and not isinstance(content, (dict, DictConfig)):
            kind = content if isinstance(content, type) else type(content)
            content = fields_of(content)
        self._set_up({}, parent)
        self._flags.update(flags or {})
        object.__setattr__(self, "_kind", kind)
        if kind is not None:
            self._flags["struct"] = True
        for name, value in (content._content if isinstance(content, DictConfig) else content or {}).items():
            self._content[name] = wrapped(value, self)

    def _node(self, key):
        if key not in self._content:
            number = int(key) if isinstance(key, str) and key.isdigit() else key
            if number not in self._content:
                return False, None
            key = number
        return True, self._given(key)

    def _missing(self, key, error):
        if self._kind is not None:
            said = f"Key '{key}' not in '{self._kind.__name__}'"
        else:
            said = f"Key '{key}' is not in struct" if self._flag("struct") else f"Missing key {key}"
        kind = "dict" if self._kind is None else self._kind.__name__
        return error(f"{said}\n    full_key: {self._full_key(key)}\n    object_type={kind}")

    def _name(self, key):
        return key.name if isinstance(key, enum.Enum) and key not in self._content else key

    def __getattr__(self, key):
        if key.startswith("__") and key.endswith("__"):
            raise AttributeError(key)
        if key not in self._content:
            if key.startswith("_") and not key.endswith("_"):
                return unknown("", f"`DictConfig.{key}` is not modelled")
            raise self._missing(key, ConfigAttributeError)
        return self._read(key)

    def __getitem__(self, key):
        key = self._name(key)
        if key not in self._content:
            raise self._missing(key, ConfigKeyError)
        return self._read(key)

    def get(self, key, default_value=None):
        key = self._name(key)
        if key not in self._content:
            return default_value
        value = self._given(key)
        return default_value if isinstance(value, str) and not is_unknown(value) and value == MISSING else value

    def __setattr__(self, key, value):
        self._set(key, value, ConfigAttributeError)

    def __setitem__(self, key, value):
        self._set(self._name(key), value, ConfigKeyError)

    def _set(self, key, value, error):
        self._check_written(key)
        if key not in self._content and self._flag("struct"):
            raise self._missing(key, error)
        self._content[key] = wrapped(value, self)

    def __delitem__(self, key):
        self._check_written(key)
        if self._flag("struct"):
            raise ConfigTypeError(f"DictConfig in struct mode does not support deletion\n    full_key: {self._full_key(key)}\n    object_type=dict")
        del self._content[key]

    def __delattr__(self, key):
        del self[key]

    def pop(self, key, *default):
        self._check_written(key)
        if self._flag("struct"):
            raise ConfigTypeError(f"DictConfig in struct mode does not support pop\n    full_key: {self._full_key(key)}\n    object_type=dict")
        if key not in self._content:
            if default:
                return default[0]
            raise ConfigKeyError(f"Key not found: '{key}'\n    full_key: {self._full_key(key)}\n    object_type=dict")
        value = self._read(key)
        del self._content[key]
        return value

    def setdefault(self, key, default=None):
        if key not in self._content:
            self[key] = default
        return self[key]

    def update(self, other=(), **more):
        pairs = other.items() if hasattr(other, "keys") else other
        for key, value in [*pairs, *more.items()]:
            self[key] = value

    def __contains__(self, key):
        key = self._name(key)
        if key not in self._content:
            return False
        value = self._given(key)
        return not (isinstance(value, str) and not is_unknown(value) and value == MISSING)

    def __iter__(self):
        return iter(list(self._content))

    def keys(self):
        return self._content.keys()

    def values(self):
        return [self._read(key) for key in self._content]

    def items(self):
        return [(key, self._read(key)) for key in self._content]

    def items_ex(self, resolve=True, keys=None):
        return [(key, self._read(key) if resolve else raw) for key, raw in self._content.items() if keys is None or key in keys]

    def __dir__(self):
        return sorted([str(key) for key in self._content])

    def __eq__(self, other):
        if isinstance(other, (dict, DictConfig)):
            return _plain(self, True) == _plain(other, True)
        return NotImplemented


class ListConfig(Container, Sequence):
    def __init__(self, content=None, key=None, parent=None, flags=None, **options):
        self._set_up([], parent)
        self._flags.update(flags or {})
        for value in content._content if isinstance(content, ListConfig) else content or []:
            self._content.append(wrapped(value, self))

    def _node(self, key):
        try:
            return True, self._given(int(key))
        except (ValueError, IndexError):
            return False, None

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ListConfig([self._read(i) for i in range(*index.indices(len(self._content)))], parent=self._parent)
        if not isinstance(index, int):
            raise KeyError(f"ListConfig indices must be integers or slices, not {type(index).__name__}")
        if not -len(self._content) <= index < len(self._content):
            raise ConfigIndexError(f"list index out of range\n    full_key: {self._full_key(index)}\n    object_type=list")
        return self._read(index)

    def get(self, index, default_value=None):
        return self[index] if -len(self._content) <= index < len(self._content) else default_value

    def __setitem__(self, index, value):
        self._check_written(index)
        self._content[index] = wrapped(value, self)

    def __delitem__(self, index):
        self._check_written(index)
        del self._content[index]

    def __iter__(self):
        return iter([self._read(i) for i in range(len(self._content))])

    def __contains__(self, value):
        return any([found == value for found in self])

    def append(self, value):
        self._check_written(len(self._content))
        self._content.append(wrapped(value, self))

    def extend(self, values):
        for value in values:
            self.append(value)

    def insert(self, index, value):
        self._check_written(index)
        self._content.insert(index, wrapped(value, self))

    def pop(self, index=-1):
        self._check_written(index)
        value = self[index]
        del self._content[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def index(self, value, start=0, end=None):
        return list(self).index(value, start, len(self) if end is None else end)

    def count(self, value):
        return list(self).count(value)

    def sort(self, key=None, reverse=False):
        self._content.sort(key=key, reverse=reverse)

    def __add__(self, other):
        return ListConfig([*self, *other], parent=self._parent)

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __eq__(self, other):
        if isinstance(other, (list, tuple, ListConfig)):
            return _plain(self, True) == (_plain(other, True) if isinstance(other, ListConfig) else list(other))
        return NotImplemented
