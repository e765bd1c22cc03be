"""Containers to derive from."""

from collections.abc import Mapping, MutableMapping, MutableSequence


class ChainMap(MutableMapping):
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        raise KeyError(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def _merged(self):
        merged = {}
        for mapping in reversed(self.maps):
            merged.update(dict.fromkeys(mapping))
        return merged

    def __len__(self):
        return len(self._merged())

    def __iter__(self):
        return iter(self._merged())

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        if key not in self.maps[0]:
            raise KeyError(f"Key not found in the first mapping: {key!r}")
        del self.maps[0][key]

    def new_child(self, m=None, **kwargs):
        if m is None:
            m = kwargs
        return ChainMap(m, *self.maps)

    def __or__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        first = dict(self.maps[0])
        first.update(other)
        return type(self)(first, *self.maps[1:])

    def __ror__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        merged = dict(other)
        for mapping in reversed(self.maps):
            merged.update(mapping)
        return type(self)(merged)

    def __ior__(self, other):
        self.maps[0].update(other)
        return self

    @property
    def parents(self):
        return ChainMap(*self.maps[1:])

    def __repr__(self):
        return f"ChainMap({', '.join([repr(m) for m in self.maps])})"


class UserDict(MutableMapping):
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(type(self), "__missing__"):
            return type(self).__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def copy(self):
        return type(self)(self.data)

    def __or__(self, other):
        if not isinstance(other, (dict, UserDict)):
            return NotImplemented
        return type(self)({**self.data, **other})

    def __ror__(self, other):
        if not isinstance(other, (dict, UserDict)):
            return NotImplemented
        return type(self)({**other, **self.data})

    def __ior__(self, other):
        self.data.update(other)
        return self


def _items(other):
    return other.data if isinstance(other, UserList) else other


class UserList(MutableSequence):
    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(initlist)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return type(self)(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def insert(self, i, item):
        self.data.insert(i, item)

    def __eq__(self, other):
        return self.data == _items(other)

    def __lt__(self, other):
        return self.data < _items(other)

    def __le__(self, other):
        return self.data <= _items(other)

    def __gt__(self, other):
        return self.data > _items(other)

    def __ge__(self, other):
        return self.data >= _items(other)

    def __add__(self, other):
        return type(self)(self.data + list(other))

    def __radd__(self, other):
        return type(self)(list(other) + self.data)

    def __iadd__(self, other):
        self.data += list(other)
        return self

    def __mul__(self, n):
        return type(self)(self.data * n)

    __rmul__ = __mul__

    def __imul__(self, n):
        self.data *= n
        return self

    def __contains__(self, item):
        return item in self.data

    def append(self, item):
        self.data.append(item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *where):
        return self.data.index(item, *where)

    def reverse(self):
        self.data.reverse()

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)

    def extend(self, other):
        self.data.extend(_items(other))

    def copy(self):
        return type(self)(self)

    __copy__ = copy

    def __repr__(self):
        return repr(self.data)


UserString = str
