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


ReferenceType = WeakMethod = ref


def proxy(object, callback=None):
    return object


def finalize(obj, func, /, *args, **kwargs):
    return func


class WeakKeyDictionary(dict):
    pass


class WeakValueDictionary(dict):
    pass


class WeakSet(set):
    pass
