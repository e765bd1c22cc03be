"""Functions that make functions."""

from _jitlens.python import memoize, note_cached, set_plain, wrap_function

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


class partial:
    def __new__(cls, func, /, *args, **keywords):
        if not callable(func):
            raise TypeError("the first argument must be callable")
        if isinstance(func, partial):
            args = func.args + args
            keywords = {**func.keywords, **keywords}
            func = func.func
        self = super().__new__(cls)
        self.func = func
        self.args = args
        self.keywords = keywords
        return self

    def __call__(self, /, *args, **keywords):
        if not self.keywords:
            return self.func(*self.args, *args, **keywords)
        return self.func(*self.args, *args, **{**self.keywords, **keywords})

    def __repr__(self):
        parts = [repr(self.func)] + [repr(a) for a in self.args] + [f"{k}={v!r}" for k, v in self.keywords.items()]
        return f"functools.partial({', '.join(parts)})"

    def __reduce__(self):
        own = {name: value for name, value in self.__dict__.items() if name not in ("func", "args", "keywords")}
        return type(self), (self.func,), (self.func, self.args, self.keywords, own or None)

    def __setstate__(self, state):
        self.func, self.args, self.keywords, own = state
        self.__dict__.update(own or {})


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, obj, cls=None):
        func = self.func
        if hasattr(func, "__get__"):
            func = func.__get__(obj, cls)
        return partial(func, *self.args, **self.keywords)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    if assigned is WRAPPER_ASSIGNMENTS and updated is WRAPPER_UPDATES and wrap_function(wrapper, wrapped):
        return wrapper
    for name in assigned:
        try:
            value = getattr(wrapped, name)
        except AttributeError:
            continue
        setattr(wrapper, name, value)
    if updated:
        for name, value in getattr(wrapped, "__dict__", {}).items():
            setattr(wrapper, name, value)
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    return partial(update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


_missing = object()


def reduce(function, iterable, initial=_missing, /):
    iterator = iter(iterable)
    if initial is _missing:
        try:
            value = next(iterator)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    else:
        value = initial
    for item in iterator:
        value = function(value, item)
    return value


class _CacheInfo(tuple):
    hits = property(lambda self: self[0])
    misses = property(lambda self: self[1])
    maxsize = property(lambda self: self[2])
    currsize = property(lambda self: self[3])

    def __repr__(self):
        return "CacheInfo(hits=%r, misses=%r, maxsize=%r, currsize=%r)" % tuple(self)


def _cached(function, maxsize, typed):
    store = {}
    counts = [0, 0]

    def wrapper(*args, **kwargs):
        key = args
        if kwargs:
            key = (args, tuple(kwargs.items()))
        if typed:
            key = (key, tuple([type(a) for a in args]))
        if key in store:
            counts[0] += 1
            value = store[key]
            if maxsize is not None:
                del store[key]
                store[key] = value
            return value
        value = function(*args, **kwargs)
        counts[1] += 1
        if maxsize != 0:
            note_cached(store, value, function)
            store[key] = value
            if maxsize is not None and len(store) > maxsize:
                del store[next(iter(store))]
        return value

    def cache_clear():
        store.clear()
        counts[0] = counts[1] = 0

    update_wrapper(wrapper, function)
    wrapper.cache_info = lambda: _CacheInfo((counts[0], counts[1], maxsize, len(store)))
    wrapper.cache_clear = cache_clear
    wrapper.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
    return wrapper if typed else memoize(wrapper, function, store, counts, maxsize)


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _cached(maxsize, 128, typed)
    if maxsize is not None and maxsize < 0:
        maxsize = 0
    return lambda function: _cached(function, maxsize, typed)


def cache(function, /):
    return _cached(function, None, False)


class cached_property:
    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        self.attrname = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = self.func(instance)
        note_cached(instance, value, self.func)
        set_plain(instance, self.attrname, value)
        return value


def cmp_to_key(mycmp):
    class K:
        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0

        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0

        __hash__ = None

    return K


def _derived(op, negate, with_equal):
    def method(self, other):
        result = op(self, other)
        if result is NotImplemented:
            return result
        if with_equal == "or":
            return (not result if negate else result) or self == other
        if with_equal == "and":
            return (not result if negate else result) and self != other
        return not result

    return method


def total_ordering(cls):
    has = [n for n in ("__lt__", "__le__", "__gt__", "__ge__") if n in cls.__dict__ or any(n in c.__dict__ for c in cls.__mro__[:-1])]
    if not has:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    root = has[0]
    op = getattr(cls, root)
    plans = {
        "__lt__": {"__gt__": (True, "and"), "__le__": (False, "or"), "__ge__": (True, None)},
        "__le__": {"__ge__": (True, "or"), "__lt__": (False, "and"), "__gt__": (True, None)},
        "__gt__": {"__lt__": (True, "and"), "__ge__": (False, "or"), "__le__": (True, None)},
        "__ge__": {"__le__": (True, "or"), "__gt__": (False, "and"), "__lt__": (True, None)},
    }
    for name, (negate, with_equal) in plans[root].items():
        if name not in has:
            setattr(cls, name, _derived(op, negate, with_equal))
    return cls


def _dispatch(registry, cls):
    for base in cls.__mro__:
        if base in registry:
            return registry[base]
    for base, function in registry.items():
        if base is not object and issubclass(cls, base):
            return function
    return registry[object]


def singledispatch(func):
    registry = {object: func}

    def dispatch(cls):
        return _dispatch(registry, cls)

    def register(cls, function=None):
        if function is None:
            if isinstance(cls, type):
                return lambda f: register(cls, f)
            function = cls
            annotations = [v for k, v in function.__annotations__.items() if k != "return"]
            cls = annotations[0]
        for one in getattr(cls, "__args__", None) or (cls,):
            registry[one] = function
        return function

    def wrapper(*args, **kw):
        if not args:
            raise TypeError(f"{func.__name__} requires at least 1 positional argument")
        return dispatch(type(args[0]))(*args, **kw)

    update_wrapper(wrapper, func)
    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return wrapper


class singledispatchmethod:
    def __init__(self, func):
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)

    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            function = self.dispatcher.dispatch(type(args[0]))
            if isinstance(function, staticmethod):
                return function.__func__(*args, **kwargs)
            if isinstance(function, classmethod):
                return function.__func__(cls, *args, **kwargs)
            return function.__get__(obj, cls)(*args, **kwargs)

        return method
