"""Abstract base classes of containers."""

from abc import ABCMeta, abstractmethod


class _Base(metaclass=ABCMeta):
    __slots__ = ()

    def __class_getitem__(cls, params):
        import typing

        return typing._ClassAlias(cls, params)


class Hashable(_Base):
    @classmethod
    def __subclasshook__(cls, sub):
        if cls is not Hashable:
            return NotImplemented
        for base in sub.__mro__:
            if "__hash__" in base.__dict__:
                return base.__dict__["__hash__"] is not None
            if "__eq__" in base.__dict__:
                return False
        return True


class Awaitable(_Base):
    _needs_ = ("__await__",)


class Coroutine(Awaitable):
    pass


class AsyncIterable(_Base):
    _needs_ = ("__aiter__",)


class AsyncIterator(AsyncIterable):
    _needs_ = ("__aiter__", "__anext__")


class AsyncGenerator(AsyncIterator):
    pass


class Iterable(_Base):
    _needs_ = ("__iter__",)

    @abstractmethod
    def __iter__(self):
        return iter(())


class Iterator(Iterable):
    _needs_ = ("__iter__", "__next__")

    @abstractmethod
    def __next__(self):
        raise StopIteration

    def __iter__(self):
        return self


class Generator(Iterator):
    _needs_ = ("__iter__", "__next__", "send", "throw", "close")


class Reversible(Iterable):
    _needs_ = ("__reversed__", "__iter__")


class Sized(_Base):
    _needs_ = ("__len__",)

    @abstractmethod
    def __len__(self):
        return 0


class Container(_Base):
    _needs_ = ("__contains__",)

    @abstractmethod
    def __contains__(self, x):
        return False


class Collection(Sized, Iterable, Container):
    _needs_ = ("__len__", "__iter__", "__contains__")


class Callable(_Base):
    @classmethod
    def __subclasshook__(cls, sub):
        if cls is not Callable:
            return NotImplemented
        if sub in _callables:
            return True
        for base in sub.__mro__:
            if "__call__" in base.__dict__:
                return True
        return False


class Buffer(_Base):
    pass


_callables = (type(lambda: 0), type(len), type([].append), type)


class Set(Collection):
    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    def __le__(self, other):
        return len(self) <= len(other) and all(x in other for x in self)

    def __lt__(self, other):
        return len(self) < len(other) and self <= other

    def __ge__(self, other):
        return len(self) >= len(other) and all(x in self for x in other)

    def __gt__(self, other):
        return len(self) > len(other) and self >= other

    def __eq__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) == len(other) and self <= other

    def __and__(self, other):
        return self._from_iterable([x for x in other if x in self])

    def __or__(self, other):
        return self._from_iterable([x for s in (self, other) for x in s])

    def __sub__(self, other):
        return self._from_iterable([x for x in self if x not in other])

    def __xor__(self, other):
        return (self - other) | (other - self)

    def isdisjoint(self, other):
        return not any(x in self for x in other)


class MutableSet(Set):
    @abstractmethod
    def add(self, value):
        raise NotImplementedError

    @abstractmethod
    def discard(self, value):
        raise NotImplementedError

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        for value in self:
            self.discard(value)
            return value
        raise KeyError

    def clear(self):
        for value in list(self):
            self.discard(value)

    def __ior__(self, other):
        for value in other:
            self.add(value)
        return self


_NONE_GIVEN = object()


class MappingView(Sized):
    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f"{type(self).__name__}({self._mapping!r})"


class KeysView(MappingView, Set):
    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)

    @classmethod
    def _from_iterable(cls, it):
        return set(it)


class ItemsView(MappingView, Set):
    def __contains__(self, item):
        key, value = item
        return key in self._mapping and self._mapping[key] == value

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping[key]

    @classmethod
    def _from_iterable(cls, it):
        return set(it)


class ValuesView(MappingView, Collection):
    def __contains__(self, value):
        return any(self._mapping[key] == value for key in self._mapping)

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


class Mapping(Collection):
    @abstractmethod
    def __getitem__(self, key):
        raise KeyError

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return KeysView(self)

    def items(self):
        return ItemsView(self)

    def values(self):
        return ValuesView(self)

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())


class MutableMapping(Mapping):
    @abstractmethod
    def __setitem__(self, key, value):
        raise KeyError

    @abstractmethod
    def __delitem__(self, key):
        raise KeyError

    def pop(self, key, default=_NONE_GIVEN):
        try:
            value = self[key]
        except KeyError:
            if default is _NONE_GIVEN:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        for key in self:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError

    def clear(self):
        for key in list(self):
            del self[key]

    def update(self, other=(), /, **kwds):
        if isinstance(other, Mapping) or hasattr(other, "keys"):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


class Sequence(Reversible, Collection):
    _needs_ = None

    @abstractmethod
    def __getitem__(self, index):
        raise IndexError

    def __iter__(self):
        i = 0
        try:
            while True:
                yield self[i]
                i += 1
        except IndexError:
            return

    def __contains__(self, value):
        for v in self:
            if v is value or v == value:
                return True
        return False

    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value, start=0, stop=None):
        for i in range(start, len(self) if stop is None else stop):
            if self[i] is value or self[i] == value:
                return i
        raise ValueError

    def count(self, value):
        return sum(1 for v in self if v is value or v == value)


class ByteString(Sequence):
    pass


class MutableSequence(Sequence):
    @abstractmethod
    def __setitem__(self, index, value):
        raise IndexError

    @abstractmethod
    def __delitem__(self, index):
        raise IndexError

    @abstractmethod
    def insert(self, index, value):
        raise IndexError

    def append(self, value):
        self.insert(len(self), value)

    def extend(self, values):
        for v in list(values):
            self.append(v)

    def pop(self, index=-1):
        v = self[index]
        del self[index]
        return v

    def remove(self, value):
        del self[self.index(value)]

    def clear(self):
        while len(self):
            self.pop()

    def reverse(self):
        values = list(self)[::-1]
        for i, v in enumerate(values):
            self[i] = v

    def __iadd__(self, values):
        self.extend(values)
        return self


for _abc, _types in (
    (Sequence, (tuple, str, range, bytes)),
    (MutableSequence, (list,)),
    (Set, (frozenset, type({}.keys()), type({}.items()))),
    (MutableSet, (set,)),
    (MutableMapping, (dict,)),
    (KeysView, (type({}.keys()),)),
    (ItemsView, (type({}.items()),)),
    (ValuesView, (type({}.values()),)),
    (Iterable, (str, bytes, tuple, list, dict, set, frozenset, range, type({}.keys()), type({}.values()), type({}.items()))),
    (Sized, (str, bytes, tuple, list, dict, set, frozenset, range, type({}.keys()), type({}.values()), type({}.items()))),
    (Container, (str, bytes, tuple, list, dict, set, frozenset, range)),
    (Collection, (type({}.values()),)),
):
    for _type in _types:
        _abc.register(_type)
