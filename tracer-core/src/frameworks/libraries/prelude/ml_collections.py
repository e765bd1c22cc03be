"""Dictionaries with attributes."""


import operator

from _jitlens.python import unknown


class RequiredValueError(Exception):
    pass


class FieldReference:
    """A value that others are computed from when they are asked for: `ref * 2` follows what `ref` is set to."""

    def __init__(self, default, field_type=None, op=None, required=False):
        self._value = default
        self._op = op
        self._required = required

    def get(self):
        value = self._value.get() if isinstance(self._value, FieldReference) else self._value
        if value is None and self._required:
            raise RequiredValueError("None value found in required reference")
        return value if self._op is None or value is None else self._op(value)

    def set(self, value, type_safe=True):
        self._value = value
        self._op = None

    def empty(self):
        return self._value is None

    def _then(self, op):
        return FieldReference(self, op=op)

    def identity(self):
        return self._then(lambda value: value)

    def to_int(self):
        return self._then(int)

    def to_float(self):
        return self._then(float)

    def to_str(self):
        return self._then(str)

    def __neg__(self):
        return self._then(operator.neg)

    def __abs__(self):
        return self._then(operator.abs)

    def __bool__(self):
        raise NotImplementedError("FieldReference cannot be used for control flow. For boolean operations use \"&\" "
                                  "(logical \"and\") or \"|\" (logical \"or\").")

    def __eq__(self, other):
        return self.get() == _value(other)

    def __ne__(self, other):
        return self.get() != _value(other)

    def __lt__(self, other):
        return self.get() < _value(other)

    def __le__(self, other):
        return self.get() <= _value(other)

    def __gt__(self, other):
        return self.get() > _value(other)

    def __ge__(self, other):
        return self.get() >= _value(other)

    __hash__ = None


def _value(x):
    return x.get() if isinstance(x, FieldReference) else x


def _operators(name, op):
    def forward(self, other):
        return self._then(lambda value: op(value, _value(other)))

    def reflected(self, other):
        return self._then(lambda value: op(_value(other), value))

    setattr(FieldReference, f"__{name}__", forward)
    if name in ("add", "sub", "mul", "truediv", "floordiv"):
        setattr(FieldReference, f"__r{name}__", reflected)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor"):
    _operators(_name.rstrip("_"), getattr(operator, _name))


def placeholder(field_type, required=False):
    return FieldReference(None, field_type, required=required)


def required_placeholder(field_type):
    return placeholder(field_type, required=True)


class ConfigDict:
    def __init__(self, initial_dictionary=None, type_safe=True, convert_dict=True, **kwargs):
        object.__setattr__(self, "_fields", {})
        object.__setattr__(self, "_locked", False)
        for key, value in dict(initial_dictionary or {}, **kwargs).items():
            self._fields[key] = _wrap(value, type(self))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        fields = object.__getattribute__(self, "_fields")
        if name not in fields:
            raise AttributeError(f"'{name}'")
        value = fields[name]
        return value.get() if isinstance(value, FieldReference) else value

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        del self._fields[name]

    def __getitem__(self, key):
        if isinstance(key, str) and "." in key and key not in self._fields:
            head, rest = key.split(".", 1)
            return self[head][rest]
        if key not in self._fields:
            raise KeyError(f"'{key}'")
        value = self._fields[key]
        return value.get() if isinstance(value, FieldReference) else value

    def __setitem__(self, key, value):
        if self._locked and key not in self._fields:
            raise KeyError(f"Key {key!r} does not exist and cannot be added since the config is locked.")
        old = self._fields.get(key)
        if isinstance(old, FieldReference) and not isinstance(value, FieldReference):
            old.set(value)
        else:
            self._fields[key] = _wrap(value, ConfigDict)

    def __delitem__(self, key):
        del self._fields[key]

    def __contains__(self, key):
        return key in self._fields

    def __iter__(self):
        return iter(self._fields)

    def __len__(self):
        return len(self._fields)

    def __eq__(self, other):
        return isinstance(other, ConfigDict) and self.to_dict() == other.to_dict()

    __hash__ = None

    def keys(self):
        return list(self._fields)

    def values(self):
        return [self[key] for key in self._fields]

    def items(self):
        return [(key, self[key]) for key in self._fields]

    def get(self, key, default=None):
        return self[key] if key in self._fields else default

    def get_ref(self, key):
        value = self._fields[key]
        if not isinstance(value, FieldReference):
            value = FieldReference(value)
            self._fields[key] = value
        return value

    def get_oneway_ref(self, key):
        return self.get_ref(key).identity()

    def update(self, other=None, **kwargs):
        for key, value in dict(other.items() if other is not None else (), **kwargs).items():
            if key in self._fields and isinstance(self._fields[key], ConfigDict) and isinstance(value, (dict, ConfigDict)):
                self._fields[key].update(value)
            else:
                self[key] = value

    def update_from_flattened_dict(self, flattened_dict, strip_prefix=""):
        for key, value in flattened_dict.items():
            if strip_prefix and not key.startswith(strip_prefix):
                continue
            *around, last = key[len(strip_prefix):].split(".")
            inside = self
            for name in around:
                inside = inside[name]
            inside[last] = value

    def get_type(self, key):
        return type(self[key])

    def to_json(self, *args, **kwargs):
        return unknown("str", "the text of a configuration")

    to_yaml = to_json
    to_json_best_effort = to_json

    def eq_as_configdict(self, other):
        return self == other

    def iteritems(self, preserve_field_references=False):
        return iter(self.items())

    def iterkeys(self):
        return iter(self.keys())

    def itervalues(self, preserve_field_references=False):
        return iter(self.values())

    @property
    def is_type_safe(self):
        return True

    def ignore_type(self):
        return _Untyped()

    def to_dict(self):
        return {k: v.to_dict() if isinstance(v, ConfigDict) else v for k, v in self.items()}

    def copy_and_resolve_references(self):
        return type(self)(self.to_dict())

    def lock(self):
        object.__setattr__(self, "_locked", True)
        return self

    def unlock(self):
        object.__setattr__(self, "_locked", False)
        return self

    def unlocked(self):
        return _Unlocked(self)

    @property
    def is_locked(self):
        return self._locked

    def __repr__(self):
        return repr(self.to_dict())


class _Untyped:
    def __enter__(self):
        return None

    def __exit__(self, *exc):
        return None


class _Unlocked:
    def __init__(self, config):
        self.config = config

    def __enter__(self):
        self.was = self.config._locked
        self.config.unlock()
        return self.config

    def __exit__(self, *exc):
        if self.was:
            self.config.lock()


def _wrap(value, cls):
    return cls(value) if type(value) is dict else value


class FrozenConfigDict(ConfigDict):
    def __setitem__(self, key, value):
        raise AttributeError("FrozenConfigDict is immutable. Cannot call __setattr__().")

    def __hash__(self):
        return hash(tuple([(k, v if not isinstance(v, list) else tuple(v)) for k, v in self.items()]))

    def as_configdict(self):
        return ConfigDict(self.to_dict())


def __getattr__(name):
    if name == "config_dict":
        import sys

        return sys.modules["ml_collections"]
    raise AttributeError(name)
