"""Arrays of what is no number: of objects (devices, functions) and of texts. A shape, and a flat list of items.

What NumPy's functions do with them stands here (`FUNCTIONS`); what does not is unknown.
"""
from _jitlens import core
from _jitlens.python import is_unknown

from . import _types_of_texts as types


def array(items, dtype=None):
    """`numpy.array(items)`, where it holds objects or texts, or where such a dtype is asked for."""
    if isinstance(items, ObjectArray):
        return items if dtype is None else items.astype(dtype)
    if core.is_array(items) or core.is_numpy_array(items) or core.is_numpy_scalar(items):
        if dtype is not None and types.of(dtype).kind != "O":
            return core.unknown("the texts of numbers")
        items = core.numpy_array(items).tolist()
    if dtype is not None and types.of(dtype).kind == "O":
        if not _is_even(items):
            return ObjectArray(list(items), (len(items),))
        items = _as_lists(items)
    shape, flat = _measure(items)
    inside = _dtypes_inside(items) if dtype is None else []
    return _made(flat, shape, types.joined([*inside, types.common(flat)]) if inside else dtype)


def _dtypes_inside(items):
    """The dtypes of arrays of what is no number among items."""
    if isinstance(items, ObjectArray):
        return [items.dtype]
    return [dtype for item in items for dtype in _dtypes_inside(item)] if isinstance(items, (list, tuple)) else []


def _made(flat, shape, dtype=None):
    """An array of these items: in a dtype, or in the one that holds them all."""
    dtype = types.common(flat) if dtype is None else types.of(dtype)
    if dtype.kind != "O":
        flat = [types.as_text(item, dtype.kind) for item in flat]
        if dtype.itemsize == 0:
            dtype = types.longest(flat, dtype.kind)
        elif not is_unknown(dtype.itemsize):
            flat = [item if is_unknown(item) else item[:dtype.length] for item in flat]
    return ObjectArray(flat, shape, dtype)


def full(shape, value, dtype):
    """An array that has one item everywhere; of texts, where none is given, the empty one."""
    dtype, n = types.of(dtype), 1
    shape = tuple(shape) if isinstance(shape, (tuple, list)) or core.is_numpy_array(shape) else (shape,)
    for size in shape:
        n *= core.index(size)
    if dtype.kind != "O" and not value:
        value, dtype = ("" if dtype.kind == "U" else b""), types.OtherType(dtype.kind, max(dtype.length, 1))
    return _made([value] * n, shape, dtype)


def is_asked(dtype):
    """Whether a dtype argument asks for objects or texts."""
    return dtype in (object, str, bytes) or types.names(dtype)


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
        return items.shape, items._items()
    if core.is_numpy_array(items):
        return items.shape, items.ravel().tolist()
    if not isinstance(items, (list, tuple)):
        if is_unknown(items) and is_unknown(isinstance(items, str)):
            core.unknown("the shape of an array of items that are not known")
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
    """An array with dtype `object`, or one of texts: it shows the items of a list that stand at some places."""

    def __init__(self, items, shape, dtype=types.OBJECT, places=None, base=None):
        self._all, self._shape, self._dtype, self._at, self._base = items, tuple(shape), dtype, places, base
        if not is_unknown(dtype.length):
            self.__shown__ = f"np:{dtype}[{','.join([str(size) for size in self._shape])}]"

    @property
    def shape(self):
        return self._shape

    @property
    def ndim(self):
        return len(self._shape)

    @property
    def size(self):
        n = 1
        for size in self._shape:
            n *= size
        return n

    @property
    def itemsize(self):
        return self._dtype.itemsize

    @property
    def nbytes(self):
        return self.size * self._dtype.itemsize

    @property
    def base(self):
        return self._base

    @property
    def flat(self):
        from ._iterators import flatiter
        return flatiter(self)

    @property
    def dtype(self):
        return self._dtype

    @property
    def T(self):
        return self.transpose()

    def _items(self):
        """Its items, in rows."""
        return list(self._all) if self._at is None else [self._all[place] for place in self._at.ravel().tolist()]

    def _places(self):
        """Where its items stand: an array of integers."""
        import numpy as np
        return np.arange(self.size).reshape(self._shape) if self._at is None else self._at

    def _shown(self, item):
        """An item as a program gets it: a text is a scalar of NumPy's."""
        return types.scalar(item, self._dtype.kind)

    def _view(self, places):
        """What stands at other places of the same list."""
        return ObjectArray(self._all, places.shape, self._dtype, places, self if self._base is None else self._base)

    def _like(self, items, shape=None):
        return ObjectArray(items, self._shape if shape is None else shape, self._dtype)

    def copy(self, order="C"):
        return self._like(self._items())

    def __copy__(self):
        return self.copy()

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        if is_asked(dtype):
            return _made(self._items(), self._shape, dtype)
        return core.numpy_array([types.as_number(item, dtype) for item in self._items()], dtype).reshape(self._shape)

    def item(self, *args):
        if args:
            return types.plain(self[args] if len(args) > 1 else self.ravel()[args[0]])
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._items()[0]

    def tolist(self):
        return self._items()[0] if not self._shape else [row.tolist() if isinstance(row, ObjectArray) else types.plain(row) for row in self]

    def fill(self, value):
        self[...] = value

    def sort(self, axis=-1, kind=None, order=None, *, stable=None):
        self[...] = FUNCTIONS["sort"](self, axis)

    def argsort(self, axis=-1, kind=None, order=None, *, stable=None):
        return FUNCTIONS["argsort"](self, axis)

    def __len__(self):
        if not self._shape:
            raise TypeError("len() of unsized object")
        return self._shape[0]

    def __iter__(self):
        if not self._shape:
            raise TypeError("iteration over a 0-d array")
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, index):
        places = self._places()[index]
        if places.ndim == 0 and not _has_ellipsis(index):
            return self._shown(self._all[int(places)])
        if _copies(index):
            return self._like([self._all[place] for place in places.ravel().tolist()], places.shape)
        return self._view(places)

    def __setitem__(self, index, value):
        import numpy as np
        places = self._places()[index]
        if places.ndim == 0:
            values = [value.item() if isinstance(value, ObjectArray) and not value.shape else value]
        else:
            spread = value if isinstance(value, (list, tuple, ObjectArray)) or core.is_numpy_array(value) else [value]
            spread = spread if isinstance(spread, ObjectArray) else array(spread, self._dtype if self._dtype.kind == "O" else None)
            order = np.broadcast_to(np.arange(spread.size).reshape(spread.shape), places.shape).ravel().tolist()
            found = spread._items()
            values = [found[i] for i in order]
        if self._dtype.kind != "O":
            values = _made(values, (len(values),), self._dtype)._all
        for place, one in zip(places.ravel().tolist(), values):
            self._all[place] = one

    def __bool__(self):
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()" if self.size else
                             "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.")
        return bool(self._items()[0])

    def __contains__(self, value):
        return any([one == value for one in self._items()])

    def __hash__(self):
        raise TypeError("unhashable type: 'numpy.ndarray'")

    def __int__(self):
        return int(self.item())

    def __float__(self):
        return float(self.item())

    def __str__(self):
        return types.plain(self.item()) if not self._shape and self._dtype.kind == "U" else types.shown(self, False)

    def __repr__(self):
        return types.shown(self, True)


core.stands_for(ObjectArray, core.numpy_class("ndarray"))


def _has_ellipsis(index):
    return index is Ellipsis or isinstance(index, tuple) and any([one is Ellipsis for one in index])


def _copies(index):
    """Whether what an index shows is a copy: it has arrays or lists."""
    parts = index if isinstance(index, tuple) else (index,)
    return any([isinstance(one, (list, bool)) or core.ndim(one) > 0 if not isinstance(one, slice) and one is not None and one is not Ellipsis
                else False for one in parts])


# ------------------------------------------------------------------------------------------------------------ methods

def _mover(name):
    """A method that moves items, as it moves their places."""

    def method(self, *args, **kwargs):
        places = getattr(self._places(), name)(*args, **kwargs)
        if name in ("flatten", "take", "repeat"):
            if places.ndim == 0:
                return self._shown(self._all[int(places)])
            return self._like([self._all[place] for place in places.ravel().tolist()], places.shape)
        return self._view(places)

    method.__name__ = name
    return method


for _name in ("reshape", "ravel", "flatten", "squeeze", "transpose", "swapaxes", "take", "repeat", "diagonal"):
    setattr(ObjectArray, _name, _mover(_name))


# ---------------------------------------------------------------------------------------------------------- operators

def _items_of(value):
    """The shape and items of an operand; None for what is none."""
    if isinstance(value, ObjectArray):
        return value.shape, value._items()
    if isinstance(value, (list, tuple)):
        return _measure(value)
    if core.is_array(value):
        return None
    if core.is_numpy_array(value):
        return value.shape, value.ravel().tolist()
    return (), [value]


def _pairs(a, b):
    """The shape of two operands together, and their items in pairs."""
    import numpy as np
    (left, x), (right, y) = a, b
    if left == right:
        return left, list(zip(x, y))
    shape = np.broadcast_shapes(left, right)
    places = [np.broadcast_to(np.arange(len(items)).reshape(own), shape).ravel().tolist() for own, items in (a, b)]
    return shape, [(x[i], y[j]) for i, j in zip(*places)]


def _is_text(value):
    return value._dtype.kind != "O" if isinstance(value, ObjectArray) else isinstance(value, (str, bytes))


def _comparison(name, function):
    def method(self, other):
        operand = _items_of(other)
        if operand is None:
            return NotImplemented
        if not _is_text(self) or _is_text(other) or isinstance(other, (ObjectArray, list, tuple)):
            shape, pairs = _pairs((self.shape, self._items()), operand)
        elif name in ("__eq__", "__ne__"):
            # A text is no number.
            shape, pairs = _pairs((self.shape, self._items()), (operand[0], [None] * len(operand[1])))
        else:
            return core.unknown("texts beside numbers")
        made = core.numpy_array([function(x, y) for x, y in pairs], "bool").reshape(shape)
        return made if shape else made[()]
    method.__name__ = name
    return method


def _arithmetic(name, ufunc, function, reflected):
    def method(self, other):
        operand = _items_of(other)
        if operand is None:
            return NotImplemented
        own = (self.shape, self._items())
        shape, pairs = _pairs(operand, own) if reflected else _pairs(own, operand)
        if not _is_text(self):
            if _is_text(other):
                return core.unknown("objects beside texts")
            items = [function(x, y) for x, y in pairs]
            return ObjectArray(items, shape) if shape else items[0]
        if isinstance(other, (list, tuple)):
            return core.unknown("texts beside a list")
        if ufunc == "add" and _is_text(other):
            if (other._dtype.kind if isinstance(other, ObjectArray) else "U" if isinstance(other, str) else "S") != self._dtype.kind:
                return core.unknown("texts beside bytes")
            length = sum([len(one) if isinstance(one, (str, bytes)) else one.dtype.length for one in (self, other)])
            made = _made([x + y for x, y in pairs], shape, types.OtherType(self._dtype.kind, length))
            return made if shape else made[()]
        if ufunc in ("add", "subtract") and not isinstance(other, ObjectArray):
            from numpy._core._exceptions import _UFuncNoLoopError
            raise _UFuncNoLoopError(f"ufunc '{ufunc}' did not contain a loop with signature matching types")
        return core.unknown(f"`{ufunc}` of an array of texts")
    method.__name__ = name
    return method


def _operators():
    import operator
    for short in ("eq", "ne", "lt", "le", "gt", "ge"):
        name = f"__{short}__"
        setattr(ObjectArray, name, _comparison(name, getattr(operator, short)))
    for short, ufunc in (("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "divide"), ("floordiv", "floor_divide"),
                         ("mod", "remainder"), ("pow", "power"), ("and_", "bitwise_and"), ("or_", "bitwise_or"), ("xor", "bitwise_xor"),
                         ("lshift", "left_shift"), ("rshift", "right_shift")):
        function, plain = getattr(operator, short), short.rstrip("_")
        setattr(ObjectArray, f"__{plain}__", _arithmetic(f"__{plain}__", ufunc, function, False))
        setattr(ObjectArray, f"__r{plain}__", _arithmetic(f"__r{plain}__", ufunc, function, True))

    def unknown(self, *args):
        return core.unknown("an operator of an array of objects")
    for short in ("neg", "pos", "abs", "invert", "matmul", "rmatmul", "divmod", "rdivmod"):
        setattr(ObjectArray, f"__{short}__", unknown)


_operators()


# ---------------------------------------------------------------------------------------------------------- functions

_OF_SEVERAL = {"append", "array_equal", "broadcast_arrays", "isin", "where"}


def _answer(name, asked, given, args, kwargs):
    """What the classes of the program's own say that a function of NumPy's makes of their objects."""
    import numpy as np
    kinds = []
    for x in given:
        if (core.is_numpy_array(x) or hasattr(type(x), "__array_function__")) and type(x) not in kinds:
            kinds.append(type(x))
    for x in asked:
        result = x.__array_function__(getattr(np, name), tuple(kinds), args, kwargs)
        if result is not NotImplemented:
            return result
    raise TypeError(f"no implementation found for 'numpy.{name}' on types that implement __array_function__: {kinds}")


def leading(name, found):
    """NumPy's function `found`, led here where it is given what is no number."""
    function = FUNCTIONS[name]
    # Further arguments of the others are no arrays: a text among them is an order, or a mistake.
    count = None if name in _OF_SEVERAL else 1

    def led(*args, **kwargs):
        if not core.holds_no_numbers(args[:count]):
            return found(*args, **kwargs)
        given = [x for arg in args[:count] for x in (arg if type(arg) in (list, tuple) else (arg,))]
        asked = [x for x in given if not isinstance(x, ObjectArray) and not core.is_numpy_array(x) and hasattr(type(x), "__array_function__")]
        return _answer(name, asked, given, args, kwargs) if asked else function(*args, **kwargs)
    led.__name__ = led.__qualname__ = name
    return led


def _of(value):
    return array(value)


def _by_places(name):
    """A function that moves the items of one array."""
    def function(a, *args, **kwargs):
        import numpy as np
        if name.startswith("atleast") and args:
            return tuple([function(one) for one in (a, *args)])
        a = _of(a)
        made = getattr(np, name)(a._places(), *args, **kwargs)
        if isinstance(made, (list, tuple)):
            return type(made)([a._view(places) for places in made])
        return a._view(made) if made.ndim or name != "take" else a._shown(a._all[int(made)])
    return function


def _by_many_places(name):
    """A function that joins the items of several arrays."""
    def function(arrays, *args, **kwargs):
        import numpy as np
        arrays, flat, places = [_of(a) for a in arrays], [], []
        if kwargs.get("dtype") is not None or kwargs.get("out") is not None:
            return core.unknown(f"`{name}` of arrays of objects")
        for a in arrays:
            places.append(np.arange(len(flat), len(flat) + a.size).reshape(a.shape))
            flat.extend(a._items())
        if len({a.dtype.kind for a in arrays}) > 1:
            return core.unknown(f"`{name}` of arrays of different kinds")
        order = getattr(np, name)(places, *args, **kwargs)
        items = [flat[place] for place in order.ravel().tolist()]
        dtype = types.joined([a.dtype for a in arrays])
        return _made(items, order.shape, dtype)
    return function


def _unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
    import numpy as np
    ar = _of(ar)
    if axis is not None and ar.ndim != 1:
        return core.unknown("`unique` of an array of objects along an axis")
    items = ar._items()
    if any([is_unknown(item) for item in items]):
        return core.unknown("which of the items of an array are different")
    first, counts = {}, {}
    for i, item in enumerate(items):
        first.setdefault(item, i)
        counts[item] = counts.get(item, 0) + 1
    different = _sorted(list(first))
    numbers = {item: i for i, item in enumerate(different)}
    found = [ar._like(different, (len(different),))]
    if return_index:
        found.append(np.array([first[item] for item in different], dtype=int))
    if return_inverse:
        found.append(np.array([numbers[item] for item in items], dtype=int).reshape(ar.shape))
    if return_counts:
        found.append(np.array([counts[item] for item in different], dtype=int))
    return tuple(found) if len(found) > 1 else found[0]


def _sorted(items, key=None):
    try:
        return sorted(items, key=key)
    except TypeError:
        return core.unknown("the order of objects that do not compare")


def _argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    import numpy as np
    a = _of(a)
    if a.ndim != 1 or any([is_unknown(item) for item in a._items()]):
        return core.unknown("the order of an array of objects")
    items = a._items()
    return np.array(_sorted(range(len(items)), items.__getitem__), dtype=int)


def _sort(a, axis=-1, kind=None, order=None, *, stable=None):
    a = _of(a)
    if a.ndim != 1 or any([is_unknown(item) for item in a._items()]):
        return core.unknown("the order of an array of objects")
    return a._like(_sorted(a._items()))


def _isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    import numpy as np
    if core.is_array(element) or core.is_array(test_elements):
        return core.unknown("`isin` of an array of JAX among objects")
    element, test_elements = _of(element), _of(test_elements)
    if element.dtype.kind != test_elements.dtype.kind:
        return core.unknown("`isin` of arrays of different kinds")
    among = test_elements._items()
    return np.array([(item in among) != bool(invert) for item in element._items()], dtype=bool).reshape(element.shape)


def _where(condition, *args):
    import numpy as np
    if len(args) != 2 or _is_text(condition) or isinstance(condition, ObjectArray):
        return core.unknown("`where` of an array of objects")
    condition = np.asarray(condition).astype(bool)
    x, y = [_of(a) for a in args]
    shape = np.broadcast_shapes(condition.shape, x.shape, y.shape)
    order = [np.broadcast_to(np.arange(a.size).reshape(a.shape), shape).ravel().tolist() for a in (x, y)]
    left, right = x._items(), y._items()
    chosen = np.broadcast_to(condition, shape).ravel().tolist()
    items = [types.either(c, left[i], right[j]) for c, i, j in zip(chosen, *order)]
    return _made(items, shape, types.joined([x.dtype, y.dtype]))


def _broadcast_arrays(*args, subok=False):
    import numpy as np
    arrays = [core.numpy_array_of_any(a) for a in args]
    shape = np.broadcast_shapes(*[a.shape for a in arrays])
    return tuple([a._view(np.broadcast_to(a._places(), shape)) if isinstance(a, ObjectArray) else np.broadcast_to(a, shape) for a in arrays])


def _array_equal(a1, a2, equal_nan=False):
    a1, a2 = _of(a1), _of(a2)
    return a1.shape == a2.shape and bool((a1 == a2).all())


def _size(a, axis=None):
    a = _of(a)
    return a.size if axis is None else a.shape[axis]


def _append(arr, values, axis=None):
    arr, values = _of(arr), _of(values)
    return FUNCTIONS["concatenate"]([arr.ravel(), values.ravel()] if axis is None else [arr, values], axis=axis or 0)


def _shape(a):
    return _of(a).shape


def _ndim(a):
    return _of(a).ndim


def _copy(a, *args, **kwargs):
    return _of(a).copy()


FUNCTIONS = {"append": _append, "argsort": _argsort, "array_equal": _array_equal, "ascontiguousarray": _copy, "broadcast_arrays": _broadcast_arrays,
             "copy": _copy, "isin": _isin, "ndim": _ndim, "shape": _shape, "size": _size, "sort": _sort, "unique": _unique, "where": _where}
for _name in ("concatenate", "stack", "vstack", "hstack"):
    FUNCTIONS[_name] = _by_many_places(_name)
for _name in ("reshape", "ravel", "transpose", "swapaxes", "moveaxis", "squeeze", "expand_dims", "flip", "atleast_1d", "atleast_2d", "take",
              "repeat", "tile", "roll", "broadcast_to", "split", "array_split", "delete"):
    FUNCTIONS[_name] = _by_places(_name)
