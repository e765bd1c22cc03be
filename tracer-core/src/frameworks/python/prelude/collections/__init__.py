"""Containers."""

from keyword import iskeyword

from _jitlens.python import shorten, tuple_item, tuple_make, tuple_new, wrote


def _replace(self, /, **changes):
    values = [changes.pop(name, value) for name, value in zip(self._fields, self)]
    if changes:
        raise ValueError(f"Got unexpected field names: {list(changes)!r}")
    return tuple_make(type(self), values)


def _repr(self):
    return f"{type(self).__name__}({', '.join([f'{n}={v!r}' for n, v in zip(self._fields, self)])})"


def _make(cls, iterable):
    values = tuple(iterable)
    if len(values) != len(cls._fields):
        raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(values)}")
    return tuple_make(cls, values)


def _refused(self, value):
    raise AttributeError("can't set attribute")


def _record(typename, names, defaults, module, extra=None, bases=()):
    namespace = {
        "__module__": module,
        "__slots__": (),
        "__match_args__": names,
        "_fields": names,
        "_field_defaults": dict(zip(names[len(names) - len(defaults) :], defaults)),
        "__new__": tuple_new(typename, names, defaults),
        "_make": classmethod(_make),
        "_replace": _replace,
        "__replace__": _replace,
        "_asdict": lambda self: dict(zip(self._fields, self)),
        "__repr__": _repr,
        "__getnewargs__": lambda self: tuple(self),
        "__doc__": f"{typename}({', '.join(names)})",
    }
    for i, name in enumerate(names):
        namespace[name] = property(tuple_item(i), _refused, doc=f"Alias for field number {i}")
    if extra:
        namespace.update(extra)
    return type(typename, (tuple,) + bases, namespace)


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    names = [str(name) for name in field_names]
    if rename:
        seen = set()
        for i, name in enumerate(names):
            if not name.isidentifier() or iskeyword(name) or name.startswith("_") or name in seen:
                names[i] = f"_{i}"
            seen.add(name)
    for name in [typename] + names:
        if not isinstance(name, str):
            raise TypeError("Type names and field names must be strings")
        if not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        if iskeyword(name):
            raise ValueError(f"Type names and field names cannot be a keyword: {name!r}")
    seen = set()
    for name in names:
        if name.startswith("_") and not rename:
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in seen:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
        seen.add(name)
    defaults = () if defaults is None else tuple(defaults)
    if len(defaults) > len(names):
        raise TypeError("Got more default values than field names")
    return _record(typename, tuple(names), defaults, module or "__main__")


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        # What a subclass does where items are written is not asked.
        value = dict.pop(self, key)
        if last:
            dict.__setitem__(self, key, value)
        else:
            rest = list(dict.items(self))
            dict.clear(self)
            dict.__setitem__(self, key, value)
            dict.update(self, rest)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        key = list(dict.keys(self))[-1 if last else 0]
        return key, dict.pop(self, key)

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return list(self.items()) == list(other.items())
        return dict.__eq__(self, other)

    __hash__ = None

    def __repr__(self):
        if not self:
            return f"{type(self).__name__}()"
        return f"{type(self).__name__}({list(self.items())!r})" if _old_repr else f"{type(self).__name__}({dict(self)!r})"

    def copy(self):
        return type(self)(self)

    @classmethod
    def fromkeys(cls, iterable, value=None):
        return cls([(key, value) for key in iterable])

    def __or__(self, other):
        return type(self)([*self.items(), *dict(other).items()])

    def __reversed__(self):
        return iter(list(self)[::-1])


_old_repr = True


@shorten
class defaultdict(dict):
    def __init__(self, default_factory=None, /, *args, **kwargs):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        super().__init__(*args, **kwargs)
        # A `__setattr__` of a subclass is not asked.
        object.__setattr__(self, "default_factory", default_factory)

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self.default_factory()
        wrote(self, True)
        self[key] = value
        return value

    def __repr__(self):
        return f"{type(self).__name__}({self.default_factory!r}, {dict(self)!r})"

    def copy(self):
        return type(self)(self.default_factory, self)

    __copy__ = copy

    def __or__(self, other):
        new = self.copy()
        new.update(other)
        return new


@shorten
class Counter(dict):
    def __init__(self, iterable=None, /, **kwds):
        super().__init__()
        self.update(iterable, **kwds)

    def __missing__(self, key):
        return 0

    def update(self, iterable=None, /, **kwds):
        if iterable is not None:
            if hasattr(iterable, "items"):
                for key, value in iterable.items():
                    self[key] = self[key] + value if key in self else value
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) + 1
        for key, value in kwds.items():
            self[key] = self.get(key, 0) + value

    def subtract(self, iterable=None, /, **kwds):
        if iterable is not None:
            for key, value in (iterable if isinstance(iterable, dict) else Counter(iterable)).items():
                self[key] = self.get(key, 0) - value
        for key, value in kwds.items():
            self[key] = self.get(key, 0) - value

    def most_common(self, n=None):
        ranked = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return ranked if n is None else ranked[: max(n, 0)]

    def elements(self):
        return (key for key, value in self.items() for _ in range(value))

    def total(self):
        return sum(self.values())

    def copy(self):
        return Counter(self)

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def __delitem__(self, key):
        if key in self:
            dict.__delitem__(self, key)

    def __add__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        sums = [(key, self[key] + other[key]) for key in {**self, **other}]
        return Counter({key: value for key, value in sums if value > 0})

    def __sub__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        sums = [(key, self[key] - other[key]) for key in {**self, **other}]
        return Counter({key: value for key, value in sums if value > 0})

    def __and__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        sums = [(key, min(self[key], other[key])) for key in self]
        return Counter({key: value for key, value in sums if value > 0})

    def __or__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        sums = [(key, max(self[key], other[key])) for key in {**self, **other}]
        return Counter({key: value for key, value in sums if value > 0})

    def __pos__(self):
        return Counter({key: value for key, value in self.items() if value > 0})

    def __neg__(self):
        return Counter({key: -value for key, value in self.items() if value < 0})

    def _became(self, counts):
        """Itself, with the counts of another one."""
        dict.clear(self)
        dict.update(self, counts)
        return self

    def __iadd__(self, other):
        return self._became(self + other) if isinstance(other, Counter) else NotImplemented

    def __isub__(self, other):
        return self._became(self - other) if isinstance(other, Counter) else NotImplemented

    def __iand__(self, other):
        return self._became(self & other) if isinstance(other, Counter) else NotImplemented

    def __ior__(self, other):
        return self._became(self | other) if isinstance(other, Counter) else NotImplemented

    # What is not counted is there no times.
    def __eq__(self, other):
        return all([self[key] == other[key] for key in {**self, **other}]) if isinstance(other, Counter) else NotImplemented

    def __ne__(self, other):
        return not self == other if isinstance(other, Counter) else NotImplemented

    __hash__ = None

    def __le__(self, other):
        return all([self[key] <= other[key] for key in {**self, **other}]) if isinstance(other, Counter) else NotImplemented

    def __lt__(self, other):
        return self <= other and self != other if isinstance(other, Counter) else NotImplemented

    def __ge__(self, other):
        return all([self[key] >= other[key] for key in {**self, **other}]) if isinstance(other, Counter) else NotImplemented

    def __gt__(self, other):
        return self >= other and self != other if isinstance(other, Counter) else NotImplemented

    def __repr__(self):
        if not self:
            return "Counter()"
        return f"Counter({dict(self.most_common())!r})"


@shorten
class deque:
    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None:
            if isinstance(maxlen, (float, str)):
                raise TypeError("an integer is required")
            if maxlen < 0:
                raise ValueError("maxlen must be non-negative")
        self._items = []
        self.maxlen = maxlen
        self.extend(iterable)

    def append(self, x):
        self._items.append(x)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            del self._items[0]

    def appendleft(self, x):
        self._items.insert(0, x)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            del self._items[-1]

    def extend(self, iterable):
        for x in list(iterable):
            self.append(x)

    def extendleft(self, iterable):
        for x in list(iterable):
            self.appendleft(x)

    def pop(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop()

    def popleft(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop(0)

    def clear(self):
        self._items.clear()

    def rotate(self, n=1):
        if self._items:
            n %= len(self._items)
            self._items[:] = self._items[-n:] + self._items[:-n] if n else self._items

    def copy(self):
        return deque(self._items, self.maxlen)

    __copy__ = copy

    def count(self, x):
        return self._items.count(x)

    def index(self, x, *where):
        try:
            return self._items.index(x, *where)
        except ValueError:
            raise ValueError(f"{x!r} is not in deque") from None

    def insert(self, i, x):
        if self.maxlen is not None and len(self._items) >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        self._items.insert(i, x)

    def remove(self, x):
        if x not in self._items:
            raise ValueError(f"{x!r} is not in deque")
        self._items.remove(x)

    def reverse(self):
        self._items.reverse()

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __reversed__(self):
        return reversed(self._items)

    def __getitem__(self, i):
        if isinstance(i, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("deque index out of range")
        return self._items[i]

    def __setitem__(self, i, x):
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("deque index out of range")
        self._items[i] = x

    def __delitem__(self, i):
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("deque index out of range")
        del self._items[i]

    def __contains__(self, x):
        return x in self._items

    def __eq__(self, other):
        return self._items == other._items if isinstance(other, deque) else NotImplemented

    __hash__ = None

    def __lt__(self, other):
        return self._items < other._items if isinstance(other, deque) else NotImplemented

    def __le__(self, other):
        return self._items <= other._items if isinstance(other, deque) else NotImplemented

    def __gt__(self, other):
        return self._items > other._items if isinstance(other, deque) else NotImplemented

    def __ge__(self, other):
        return self._items >= other._items if isinstance(other, deque) else NotImplemented

    def __add__(self, other):
        if not isinstance(other, deque):
            raise TypeError(f'can only concatenate deque (not "{type(other).__name__}") to deque')
        return deque(self._items + other._items, self.maxlen)

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __mul__(self, n):
        return deque(self._items * n, self.maxlen)

    def __repr__(self):
        if self.maxlen is None:
            return f"deque({self._items!r})"
        return f"deque({self._items!r}, maxlen={self.maxlen})"


def __getattr__(name):
    if name in ("ChainMap", "UserDict", "UserList", "UserString"):
        import collections._user as _user

        return getattr(_user, name)
    if name == "abc":
        import collections.abc as abc

        return abc
    raise AttributeError(f"module 'collections' has no attribute '{name}'")
