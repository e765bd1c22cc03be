"""Enumerations."""

from _jitlens.python import is_unknown, set_plain, unknown

_property = property


class _Auto:
    """A value to be chosen, or values combined by `|`."""

    def __init__(self, parts=()):
        self.parts = parts
        self.value = None

    def __or__(self, other):
        return _Auto((self, other))

    __ror__ = __or__


class auto(_Auto):
    def __init__(self, value=()):
        super().__init__()
        if value != ():
            self.value = value


class nonmember:
    def __init__(self, value):
        self.value = value


class member:
    def __init__(self, value):
        self.value = value


class EnumType(type):
    def __getattr__(cls, name):
        raise AttributeError(name)

    def __new__(meta, name, bases, namespace, **kwargs):
        own = {}
        members = []
        ignored = namespace.get("_ignore_", ())
        if isinstance(ignored, str):
            ignored = ignored.replace(",", " ").split()
        for key, value in namespace.items():
            if isinstance(value, nonmember):
                own[key] = value.value
            elif key in ignored or key == "_ignore_":
                pass
            elif isinstance(value, member):
                members.append((key, value.value))
            elif key.startswith("_") or _is_descriptor(value):
                own[key] = value
            else:
                members.append((key, value))
        for base in bases:
            if base.__dict__.get("_member_map_"):
                raise TypeError(f"<enum {name!r}> cannot extend <enum {base.__name__!r}>")
        own["_member_map_"] = {}
        own["_member_names_"] = []
        own["_value2member_map_"] = {}
        cls = super().__new__(meta, name, bases, own)
        if members:
            cls._fill(members)
        return cls

    def _fill(cls, members):
        data = cls._data_type()
        previous = []
        is_flag = any([base.__name__ == "Flag" for base in cls.__mro__])
        for key, value in members:
            if isinstance(value, _Auto):
                value = cls._resolve(value, key, previous)
            elif isinstance(value, tuple):
                value = tuple([cls._resolve(v, key, previous) if isinstance(v, _Auto) else v for v in value])
            new = None
            if "__new__" in cls.__dict__ or any(["__new__" in b.__dict__ for b in cls.__mro__ if b.__dict__.get("_is_user_enum")]):
                new = cls.__new__
            args = value if isinstance(value, tuple) else (value,)
            if new is not None:
                one = new(cls, *args)
                if "_value_" not in one.__dict__:
                    set_plain(one, "_value_", value)
            elif data is object:
                one = object.__new__(cls)
                set_plain(one, "_value_", value)
            else:
                if data is str and len(args) == 1 and not isinstance(args[0], str) and cls._is_str_enum():
                    raise TypeError(f"{args[0]!r} is not a string")
                one = data.__new__(cls, *args)
                set_plain(one, "_value_", value if len(args) == 1 and type(value) is data else data(*args))
            value = one._value_
            set_plain(one, "_name_", key)
            set_plain(one, "name", key)
            set_plain(one, "value", value)
            set_plain(one, "__objclass__", cls)
            init = None
            for base in cls.__mro__:
                if "__init__" in base.__dict__ and base.__name__ not in ("object", "Enum"):
                    init = base.__dict__["__init__"] if base not in (int, str, float, tuple, list, dict) else None
                    break
            if init is not None:
                init(one, *args)
            existing = None
            for other in cls._member_map_.values():
                if other._value_ == value and type(other._value_) == type(value) or other._value_ == value:
                    existing = other
                    break
            if existing is not None:
                one = existing
            else:
                is_canonical = not is_flag or not isinstance(value, int) or (value > 0 and value & (value - 1) == 0)
                if is_canonical:
                    cls._member_names_.append(key)
            previous.append(value)
            setattr(cls, key, one)
            cls._member_map_[key] = one
            try:
                cls._value2member_map_.setdefault(value, one)
            except TypeError:
                pass
        cls._is_user_enum = True

    def _is_str_enum(cls):
        return any([base.__name__ == "StrEnum" for base in cls.__mro__])

    def _data_type(cls):
        for base in cls.__mro__[1:]:
            if base in (int, str, float, bytes, tuple, complex):
                return base
        return object

    def _resolve(cls, value, key, previous):
        if value.value is None:
            if value.parts:
                parts = [cls._resolve(p, key, previous) if isinstance(p, _Auto) else p for p in value.parts]
                value.value = parts[0] | parts[1]
            else:
                value.value = cls._generate_next_value_(key, 1, len(previous), list(previous))
        return value.value

    def __call__(cls, value, names=None, *args, module=None, qualname=None, type=None, start=1, boundary=None):
        if names is None and cls._member_map_:
            return cls._lookup(value)
        if names is None:
            if not cls._member_map_:
                raise TypeError(f"<enum {cls.__name__!r}> has no members; specify `names=()` if you meant to create a new, empty, enum")
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if isinstance(names, dict):
            pairs = list(names.items())
        else:
            names = list(names)
            pairs = names
            if names and isinstance(names[0], str):
                pairs = []
                last = []
                for i, name in enumerate(names):
                    chosen = cls._generate_next_value_(name, start, i, last)
                    last.append(chosen)
                    pairs.append((name, chosen))
        bases = (cls,) if type is None else (type, cls)
        return EnumType(value, bases, dict(pairs))

    def _lookup(cls, value):
        if isinstance(value, cls):
            return value
        try:
            if value in cls._value2member_map_:
                return cls._value2member_map_[value]
        except TypeError:
            pass
        for one in cls._member_map_.values():
            if one._value_ == value:
                return one
        found = cls._missing_(value)
        if found is None:
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        return found

    def __iter__(cls):
        return iter([cls._member_map_[name] for name in cls._member_names_])

    def __reversed__(cls):
        return iter([cls._member_map_[name] for name in cls._member_names_][::-1])

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __contains__(cls, value):
        if is_unknown(value):
            return unknown("bool", "whether a value is a member")
        if not isinstance(value, Enum):
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(value).__qualname__}' and '{type(cls).__qualname__}'")
        return isinstance(value, cls) and value._name_ in cls._member_map_

    def __setattr__(cls, name, value):
        if name in cls.__dict__.get("_member_map_", ()):
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)

    @property
    def __members__(cls):
        from types import MappingProxyType

        return MappingProxyType(cls._member_map_)

    def __repr__(cls):
        return f"<{'flag' if any([b.__name__ == 'Flag' for b in cls.__mro__]) else 'enum'} {cls.__name__!r}>"


EnumMeta = EnumType


def _is_descriptor(value):
    if isinstance(value, (_property, staticmethod, classmethod)) or type(value) is _function:
        return True
    return hasattr(type(value), "__get__") or hasattr(type(value), "__set__")


_function = type(lambda: 0)


class Enum(metaclass=EnumType):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start
        return max([v for v in last_values if isinstance(v, int)], default=start - 1) + 1

    @classmethod
    def _missing_(cls, value):
        return None

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"

    def __format__(self, spec):
        return str.__format__(str(self), spec)

    def __reduce_ex__(self, proto):
        return (type(self), (self._value_,))

    def __setattr__(self, name, value):
        if name == "name" or name == "value":
            raise AttributeError(f"<enum 'Enum'> cannot set attribute {name!r}")
        object.__setattr__(self, name, value)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class ReprEnum(Enum):
    pass


class IntEnum(int, ReprEnum):
    def __str__(self):
        return int.__repr__(self._value_)

    def __format__(self, spec):
        return format(self._value_, spec)

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"


class StrEnum(str, ReprEnum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __str__(self):
        return self._value_

    def __format__(self, spec):
        return format(self._value_, spec)

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"


def _bits(value, digits):
    """The sign and the digits of a number, as messages about flags show them."""
    return f"0b{int(value < 0)} {value & (1 << digits) - 1:0{digits}b}"


class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        highest = max([v for v in last_values if isinstance(v, int)], default=0)
        return 1 << highest.bit_length() if highest else start

    @classmethod
    def _missing_(cls, value):
        everything = 0
        for one in cls._member_map_.values():
            everything |= one._value_
        if not isinstance(value, int):
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        known = (1 << everything.bit_length()) - 1
        if not issubclass(cls, int) and (not ~known <= value <= known or value & (known ^ everything)):
            digits = max(value.bit_length(), everything.bit_length())
            shown = f"\n    given {_bits(value, digits)}\n  allowed {_bits(everything, digits)}"
            raise ValueError(f"{cls!r} invalid value {value!r}{shown}")
        if value < 0:
            # A whole number keeps the bits that no member has.
            value = everything & value if not issubclass(cls, int) else max(known + 1, 1 << value.bit_length()) + value
            if value in cls._value2member_map_:
                return cls._value2member_map_[value]
        one = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
        names = [m._name_ for m in cls if m._value_ & value]
        set_plain(one, "_value_", value)
        set_plain(one, "value", value)
        if names and value & ~everything:
            names.append(str(value & ~everything))
        name = "|".join(names) if names else None
        set_plain(one, "_name_", name)
        set_plain(one, "name", name)
        cls._value2member_map_[value] = one
        return one

    def _other(self, other):
        """The bits of another operand; None for what cannot stand beside this one."""
        if isinstance(other, type(self)):
            return other._value_
        return other if isinstance(self, int) and isinstance(other, int) or is_unknown(other) else None

    def __contains__(self, other):
        if not is_unknown(other) and not isinstance(other, type(self)):
            raise TypeError(f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} and {type(self).__qualname__!r}")
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter([m for m in type(self) if m._value_ & self._value_])

    def __len__(self):
        return self._value_.bit_count()

    def __bool__(self):
        return bool(self._value_)

    def __or__(self, other):
        bits = self._other(other)
        return NotImplemented if bits is None else type(self)(self._value_ | bits)

    def __and__(self, other):
        bits = self._other(other)
        return NotImplemented if bits is None else type(self)(self._value_ & bits)

    def __xor__(self, other):
        bits = self._other(other)
        return NotImplemented if bits is None else type(self)(self._value_ ^ bits)

    def __invert__(self):
        if isinstance(self, int):
            return type(self)(~self._value_)
        everything = 0
        for one in type(self)._member_map_.values():
            everything |= one._value_
        return type(self)(everything & ~self._value_)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def __repr__(self):
        if self._name_ is None:
            return f"<{type(self).__name__}: {self._value_!r}>"
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        if self._name_ is None:
            return f"{type(self).__name__}({self._value_})"
        return f"{type(self).__name__}.{self._name_}"


class IntFlag(int, Flag):
    # The integers' own would give integers.
    __or__ = __ror__ = Flag.__or__
    __and__ = __rand__ = Flag.__and__
    __xor__ = __rxor__ = Flag.__xor__
    __invert__ = Flag.__invert__

    def __str__(self):
        return str(self._value_)


def unique(enumeration):
    duplicates = [(name, one._name_) for name, one in enumeration._member_map_.items() if name != one._name_]
    if duplicates:
        shown = ", ".join([f"{alias} -> {name}" for alias, name in duplicates])
        raise ValueError(f"duplicate values found in {enumeration!r}: {shown}")
    return enumeration


class property(property):
    pass


def verify(*constraints):
    return lambda cls: cls


def global_enum(cls, update_str=False):
    return cls


CONTINUOUS, NAMED_FLAGS, UNIQUE = "continuous", "named flags", "unique"
STRICT, CONFORM, EJECT, KEEP = "strict", "conform", "eject", "keep"
