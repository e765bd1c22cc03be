"""Iteration over indices and elements."""
import itertools

from _jitlens import core


class ndindex:
    def __init__(self, *shape):
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        if any([core.ndim(n) for n in shape]):
            raise ValueError("maximum supported dimension for an ndarray is currently 64, found more")
        self.shape = shape
        self.ndim = len(shape)
        self._places = itertools.product(*[range(n) for n in shape])

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._places)


class ndenumerate:
    def __init__(self, arr):
        self._array = core.numpy_array_of_any(arr)
        self._places = ndindex(*self._array.shape)

    def __iter__(self):
        return self

    def __next__(self):
        place = next(self._places)
        return place, self._array[place]


class broadcast:
    def __init__(self, *args):
        from ._shapes import broadcast_shapes
        self._arrays = [core.numpy_array(a) for a in args]
        self.shape = broadcast_shapes(*[a.shape for a in self._arrays])
        self.ndim = self.nd = len(self.shape)
        self.numiter = len(args)
        self.size = 1
        for n in self.shape:
            self.size *= n
        self._items = None

    def __iter__(self):
        from ._shapes import broadcast_to
        return zip(*[broadcast_to(a, self.shape).reshape(-1) for a in self._arrays])


class nditer:
    """Elements of one or more arrays, each as an array without axes, in the order of memory."""

    def __new__(cls, op, flags=None, op_flags=None, op_dtypes=None, order="K", casting="safe", op_axes=None, itershape=None, buffersize=0):
        if op_dtypes is not None or op_axes is not None or itershape is not None or not set(flags or ()) <= _PLAIN_FLAGS:
            return core.unmodelled("such a numpy.nditer")
        arrays = list(op) if isinstance(op, (list, tuple)) else [op]
        if any([a is None for a in arrays]):
            return core.unmodelled("a numpy.nditer that makes arrays")
        arrays = [core.numpy_array(a) for a in arrays]
        if order in ("K", "A") and not all([_lies_in_order(a) for a in arrays]) or any([a.size > 10_000 for a in arrays]):
            return core.unmodelled("the order of a numpy.nditer")
        return object.__new__(cls)

    def __init__(self, op, flags=None, op_flags=None, op_dtypes=None, order="K", casting="safe", op_axes=None, itershape=None, buffersize=0):
        from ._shapes import broadcast_shapes
        self._several = isinstance(op, (list, tuple))
        flags = tuple(flags or ())
        arrays = [core.numpy_array(a) for a in op] if self._several else [core.numpy_array(op)]
        wanted = op_flags or ()
        if not wanted or isinstance(wanted[0], str):
            wanted = [wanted] * len(arrays)
        self._writes = [bool({"readwrite", "writeonly"} & set(one)) for one in wanted]
        self.operands, self.nop = tuple(arrays), len(arrays)
        self.shape = broadcast_shapes(*[a.shape for a in arrays])
        self.ndim, self.itersize = len(self.shape), 1
        for n in self.shape:
            self.itersize *= n
        if self.itersize == 0 and "zerosize_ok" not in flags:
            raise ValueError("Iteration of zero-sized operands is not enabled")
        columns = order == "F"
        axes = [range(n) for n in (reversed(self.shape) if columns else self.shape)]
        self._places = [place[::-1] if columns else place for place in itertools.product(*axes)]
        self.has_multi_index, self._kind = "multi_index" in flags, [f for f in flags if f in ("c_index", "f_index")]
        self.iterindex = 0

    @property
    def finished(self):
        return self.iterindex >= self.itersize

    @property
    def multi_index(self):
        if not self.has_multi_index:
            raise ValueError("Iterator is not tracking a multi-index")
        return self._places[self.iterindex]

    @property
    def index(self):
        if not self._kind:
            raise ValueError("Iterator does not have an index")
        at, pairs = 0, list(zip(self._places[self.iterindex], self.shape))
        for i, n in (pairs if self._kind[0] == "c_index" else reversed(pairs)):
            at = at * n + i
        return at

    def _at(self, which):
        a, place = self.operands[which], self._places[self.iterindex]
        own = tuple([0 if n == 1 else i for i, n in zip(place[len(place) - a.ndim:], a.shape)])
        return a[own + (...,)] if self._writes[which] else core.numpy_array(a[own])

    @property
    def value(self):
        items = tuple([self._at(i) for i in range(self.nop)])
        return items if self._several and self.nop > 1 else items[0]

    def __getitem__(self, which):
        return self._at(which)

    def __setitem__(self, which, value):
        self._at(which)[...] = value

    def __len__(self):
        return self.nop

    def iternext(self):
        self.iterindex += 1
        return not self.finished

    def reset(self):
        self.iterindex = 0

    def close(self):
        pass

    def __iter__(self):
        # Where it stands is looked at between the elements.
        while not self.finished:
            yield self.value
            self.iterindex += 1

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


_PLAIN_FLAGS = {"multi_index", "c_index", "f_index", "refs_ok", "zerosize_ok"}


def _lies_in_order(a):
    """Whether rows lie one after the other, so that the order of memory is that of the indices."""
    strides = a.strides
    return all([s >= t for (n, s), (m, t) in zip(zip(a.shape, strides), list(zip(a.shape, strides))[1:]) if n > 1 and m > 1]) and all([s >= 0 for s in strides])


_NOT_GIVEN = object()


class vectorize:
    def __init__(self, pyfunc=_NOT_GIVEN, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        if otypes is not None and not isinstance(otypes, (str, list, tuple)):
            raise ValueError("Invalid otype specification")
        if pyfunc is _NOT_GIVEN:
            pyfunc = None
        elif not callable(pyfunc):
            raise TypeError("When used as a decorator, only accepts keyword arguments.")
        self.pyfunc = pyfunc
        self._otypes = otypes
        self._signature = signature
        self._excluded = excluded
        self._cache = cache
        self.__name__ = getattr(pyfunc, "__name__", "vectorize")

    def __call__(self, *args, **kwargs):
        if self.pyfunc is None:
            return vectorize(args[0], self._otypes, None, self._excluded, self._cache, self._signature)
        if self._signature is not None or self._excluded or kwargs:
            return core.unmodelled("numpy.vectorize with a signature, excluded arguments or keywords")
        import numpy
        arrays = numpy.broadcast_arrays(*args)
        shape = arrays[0].shape
        if 0 in shape:
            if self._otypes is None:
                raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
            return numpy.zeros(shape, _of_char(self._otypes[0]))
        if arrays[0].size > 10_000:
            return core.unmodelled("numpy.vectorize over so many elements")
        flat = [a.reshape(-1) for a in arrays]
        # What tells the type of the results is a call of its own, with NumPy's numbers; all others are given Python's.
        tried = [] if self._otypes is not None else [self.pyfunc(*[a[0] for a in flat])]
        results = tried[:] if self._cache else []
        for at in range(len(results), flat[0].size):
            items = [a[at] for a in flat]
            results.append(self.pyfunc(*[x.item() if isinstance(x, numpy.generic) else x for x in items]))
        first = (tried or results)[0]
        if isinstance(first, tuple):
            made = [self._joined([r[i] for r in results], first[i], shape, i) for i in range(len(first))]
            return tuple(made)
        return self._joined(results, first, shape, 0)

    def _joined(self, results, first, shape, i):
        dtype = None if self._otypes is None else _of_char(self._otypes[i])
        if dtype is None:
            first = core.numpy_array_of_any(first)
            if core.holds_no_numbers(first):
                from . import _objects
                return _objects.array(results, object if first.dtype.kind == "O" else None).reshape(shape)
            dtype = first.dtype
        made = core.numpy_array(results, dtype).reshape(shape)
        return made if shape else made


def _of_char(otype):
    return {"O": None}.get(otype, otype) if isinstance(otype, str) else otype


def frompyfunc(func, /, nin, nout, *, identity=None):
    return _Objects(func, core.index(nin), core.index(nout), identity)


class _Objects:
    """A function of the program's, element by element, whose results are arrays of objects."""

    def __init__(self, func, nin, nout, identity):
        if not callable(func):
            raise TypeError("function must be callable")
        self.__name__ = self.__qualname__ = f"{getattr(func, '__name__', '?')} (vectorized)"
        self._func, self.nin, self.nout, self.identity = func, nin, nout, identity
        self.nargs, self.ntypes, self.types, self.signature = nin + nout, 1, ["O" * nin + "->" + "O" * nout], None

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def __call__(self, *args, **kwargs):
        if kwargs:
            return core.unmodelled("options of what numpy.frompyfunc gives")
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__}() takes {self.nin} positional arguments but {len(args)} were given")
        import numpy
        from . import _objects
        if any([isinstance(a, _objects.ObjectArray) for a in args]):
            return core.unmodelled("what numpy.frompyfunc gives of arrays of objects")
        arrays = numpy.broadcast_arrays(*args)
        shape = arrays[0].shape
        if arrays[0].size > 10_000:
            return core.unmodelled("numpy.frompyfunc over so many elements")
        results = [self._func(*items) for items in zip(*[a.reshape(-1).tolist() for a in arrays])]
        if self.nout == 1:
            return _objects.ObjectArray(results, shape) if shape else results[0]
        return tuple([_objects.ObjectArray([r[i] for r in results], shape) if shape else results[0][i] for i in range(self.nout)])


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    import numpy
    arr = core.numpy_array(arr)
    moved = numpy.moveaxis(arr, axis, -1)
    if moved.size // max(moved.shape[-1], 1) > 10_000:
        return core.unmodelled("numpy.apply_along_axis over so many rows")
    results = [core.numpy_array(func1d(moved[place], *args, **kwargs)) for place in ndindex(*moved.shape[:-1])]
    made = numpy.stack(results).reshape(moved.shape[:-1] + results[0].shape)
    axis = axis + arr.ndim if axis < 0 else axis
    for i in range(results[0].ndim):
        made = numpy.moveaxis(made, arr.ndim - 1 + i, axis + i)
    return made


def apply_over_axes(func, a, axes):
    a = core.numpy_array(a)
    for axis in ([axes] if core.is_static_integer(axes) else axes):
        result = func(a, axis)
        if result.ndim != a.ndim:
            import numpy
            result = numpy.expand_dims(result, axis)
        a = result
    return a


def piecewise(x, condlist, funclist, *args, **kw):
    import numpy
    x = core.numpy_array(x)
    count = len(funclist)
    alone = not isinstance(condlist, (list, tuple)) and core.ndim(condlist) == 0
    if alone or not isinstance(condlist[0], list) and not core.is_numpy_array(condlist[0]) and x.ndim != 0:
        condlist = [condlist]
    conditions = list(core.numpy_array(condlist, bool))
    if count - 1 != len(conditions) != count:
        raise ValueError(f"with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} functions are expected")
    if count == len(conditions) + 1:
        rest = conditions[0]
        for c in conditions[1:]:
            rest = rest | c
        conditions.append(~rest)
    out = numpy.zeros_like(x)
    for condition, function in zip(conditions, funclist):
        if condition.shape != x.shape and condition.ndim:
            out[condition] = function(x[condition], *args, **kw) if callable(function) else function
        elif callable(function):
            picked = core.attempt(lambda: x[condition])
            if isinstance(picked, tuple):
                if picked[0].size:
                    out[condition] = function(picked[0], *args, **kw)
                continue
            # Of which elements it is not known: the types are those of all.
            value = function(x, *args, **kw)
            out = numpy.where(condition, value, out).astype(x.dtype)
        elif core.ndim(function):
            out[condition] = core.numpy_array(function).astype(x.dtype)
        else:
            out = numpy.where(condition, function, out).astype(x.dtype)
    return core.numpy_array(out)


class flatiter:
    """`a.flat`: the elements one after the other, to be read and written."""
    __module__ = "numpy"
    __slots__ = ("base", "index")

    def __init__(self, base):
        self.base, self.index = base, 0

    def __iter__(self):
        if self.index == 0 and not core.is_numpy_array(self.base):
            # How many there are is known even where they are not.
            return iter(list(self.base.reshape(-1)))
        return self

    def __next__(self):
        if self.index >= self.base.size:
            raise StopIteration
        self.index += 1
        return self.base.reshape(-1)[self.index - 1]

    @property
    def coords(self):
        import numpy
        return tuple(int(i) for i in numpy.unravel_index(self.index, self.base.shape))

    def __len__(self):
        return self.base.size

    def __getitem__(self, place):
        return self.base.flatten()[place]

    def __setitem__(self, place, value):
        import numpy
        flat = self.base.reshape(-1)
        if not core.is_numpy_array(flat):
            flat[place] = value
            return
        value = core.numpy_array(value)
        into = flat[place].shape
        if value.size != 1:
            value = numpy.resize(value.reshape(-1), into)
        elif value.ndim:
            value = value.reshape(())
        flat[place] = value
        if not numpy.shares_memory(flat, self.base):
            self.base[...] = flat.reshape(self.base.shape)

    def __array__(self, dtype=None, copy=None):
        flat = self.base.flatten()
        return flat if dtype is None else flat.astype(dtype)

    def copy(self):
        return self.base.flatten()
