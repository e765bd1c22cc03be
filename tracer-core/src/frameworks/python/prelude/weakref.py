"""Weak references, held strongly: nothing is ever collected here."""


class ref:
    def __init__(self, object, callback=None):
        if type(object) in (int, float, str, bytes, bool, complex, list, dict, tuple, type(None)):
            raise TypeError(f"cannot create weak reference to {type(object).__name__!r} object")
        self._object = object

    def __call__(self):
        return self._object

    def __eq__(self, other):
        return isinstance(other, ref) and self._object == other._object

    def __hash__(self):
        return hash(self._object)


ReferenceType = ref


class WeakMethod(ref):
    def __init__(self, meth, callback=None):
        self._object = meth


def proxy(object, callback=None):
    return object


class finalize:
    """What is called once, when an object is gone: here only when the program calls it."""

    def __init__(self, obj, func, /, *args, **kwargs):
        self._held, self.atexit = (obj, func, args, kwargs), True

    @property
    def alive(self):
        return self._held is not None

    def peek(self):
        return self._held

    def detach(self):
        held, self._held = self._held, None
        return held

    def __call__(self, _=None):
        held = self.detach()
        return None if held is None else held[1](*held[2], **held[3])


class WeakKeyDictionary(dict):
    def __init__(self, dict=None):
        super().__init__(dict or {})


class WeakValueDictionary(dict):
    pass


class WeakSet(set):
    def __init__(self, data=None):
        super().__init__(data or ())
