"""Weak references, held strongly: nothing is ever collected here."""


class ref:
    def __init__(self, object, callback=None):
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


def finalize(obj, func, /, *args, **kwargs):
    return func


class WeakKeyDictionary(dict):
    def __init__(self, dict=None):
        super().__init__(dict or {})


class WeakValueDictionary(dict):
    pass


class WeakSet(set):
    def __init__(self, data=None):
        super().__init__(data or ())
