"""Arrays of objects (devices, functions): a shape and a flat list of items, without arithmetic."""

from _jitlens import core


def array(items, asked=False):
    """The array of a nested list of objects; where they were `asked` for, lists of different lengths are objects too."""
    if isinstance(items, ObjectArray):
        return items
    if asked:
        if not _is_even(items):
            return ObjectArray(list(items), (len(items),))
        items = _as_lists(items)
    shape, flat = _measure(items)
    return ObjectArray(flat, shape)


def is_asked(dtype):
    """Whether a dtype argument asks for objects."""
    return dtype is object or isinstance(dtype, str) and dtype in ("O", "object")


def _sizes(item):
    """The sizes of an item that is a sequence or array itself."""
    if isinstance(item, (list, tuple)):
        return (len(item),) + (_sizes(item[0]) if item else ())
    return tuple(getattr(item, "shape", ()))


def _as_lists(item):
    """Arrays among the items are their rows."""
    if isinstance(item, (list, tuple)) or getattr(item, "shape", ()):
        return [_as_lists(inner) for inner in item]
    return item


def _is_even(items):
    if not isinstance(items, (list, tuple)) or not items:
        return True
    first = _sizes(items[0])
    return all([_sizes(item) == first and _is_even(item) for item in items])


def _measure(items):
    if isinstance(items, ObjectArray):
        return items.shape, list(items._items)
    if not isinstance(items, (list, tuple)):
        return (), [items]
    flat, below = [], None
    for item in items:
        shape, inner = _measure(item)
        if below is not None and shape != below:
            raise ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 "
                             f"dimensions. The detected shape was ({len(items)},) + inhomogeneous part.")
        below = shape
        flat.extend(inner)
    return (len(items),) + (below or ()), flat


class ObjectArray:
    """An array with dtype `object`."""

    def __init__(self, items, shape):
        self._items, self.shape = items, tuple(shape)

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return len(self._items)

    @property
    def flat(self):
        return iter(list(self._items))

    @property
    def dtype(self):
        return object

    @property
    def T(self):
        return self.transpose()

    def copy(self):
        return ObjectArray(list(self._items), self.shape)

    def astype(self, dtype, copy=True):
        return self

    def item(self):
        return self._items[0]

    def tolist(self):
        return self._items[0] if not self.shape else [x.tolist() if isinstance(x, ObjectArray) else x for x in self]

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, index):
        return self._at(_places(self)[index])

    def _at(self, places):
        """The items that stand at places, which are counted through all axes."""
        if places.ndim == 0:
            return self._items[int(places)]
        return ObjectArray([self._items[int(place)] for place in places.reshape(-1)], places.shape)

    def __eq__(self, other):
        return isinstance(other, ObjectArray) and self.shape == other.shape and self._items == other._items

    def __hash__(self):
        raise TypeError("unhashable type: 'numpy.ndarray'")


def _places(array):
    """The places of an array's items: an array of integers."""
    import numpy as np

    return np.arange(array.size).reshape(array.shape)


def _mover(name):
    """A method that moves items, as it moves their places."""

    def method(self, *args, **kwargs):
        return self._at(getattr(_places(self), name)(*args, **kwargs))

    method.__name__ = name
    return method


for _name in ("reshape", "ravel", "flatten", "squeeze", "transpose", "swapaxes", "take", "repeat"):
    setattr(ObjectArray, _name, _mover(_name))
