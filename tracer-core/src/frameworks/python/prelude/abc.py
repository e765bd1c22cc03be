"""Abstract base classes."""

from _jitlens.python import is_unknown, unknown

_registry = {}
# What was answered of a class, by those that it was asked about, as Python keeps it; a registration may change any answer.
_answers = {}
# The types that are registered with a class or with one below it.
_below = {}
# Types of other modules that are registered with what a `list` is registered with.
_LIKE_LISTS = (("collections", "deque"), ("array", "array"))


def _registered(cls, mro):
    types = _below.get(cls)
    if types is None:
        types = _below[cls] = [one for base, types in _registry.items() if cls in base.__mro__ for one in types]
    for one in types:
        if one in mro:
            return True
    return False


class ABCMeta(type):
    @property
    def __abstractmethods__(cls):
        if "__abstractmethods__" in cls.__dict__:
            return cls.__dict__["__abstractmethods__"]
        seen, found = set(), []
        for base in cls.__mro__:
            for name, value in base.__dict__.items():
                if name not in seen:
                    seen.add(name)
                    if _is_abstract(value):
                        found.append(name)
        return frozenset(found)

    def register(cls, subclass):
        _registry.setdefault(cls, []).append(subclass)
        _answers.clear()
        _below.clear()
        return subclass

    def __instancecheck__(cls, instance):
        kind = type(instance)
        if is_unknown(kind):
            return unknown("bool", "the type of an unknown value")
        answers = _answers.get(cls)
        found = None if answers is None else answers.get(kind)
        return cls.__subclasscheck__(kind) if found is None else found

    def __subclasscheck__(cls, subclass):
        answers = _answers.get(cls)
        if answers is None:
            answers = _answers[cls] = {}
        found = answers.get(subclass)
        if found is None:
            found = _is_subclass(cls, subclass)
            if found is True or found is False:
                answers[subclass] = found
        return found


def _is_subclass(cls, subclass):
    mro = subclass.__mro__
    if cls in mro:
        return True
    needs = cls.__dict__.get("_needs_")
    if needs is not None and all([_has(mro, name) for name in needs]):
        return True
    if "__subclasshook__" in cls.__dict__:
        found = cls.__subclasshook__(subclass)
        if found is not NotImplemented:
            return found
    if bool(_registry) and _registered(cls, mro):
        return True
    for one in mro:
        if (one.__module__, one.__name__) in _LIKE_LISTS:
            return cls.__subclasscheck__(list)
    return False


def _is_abstract(value):
    if is_unknown(value):
        return False
    if isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    elif isinstance(value, property):
        value = value.fget
    return getattr(value, "__isabstractmethod__", False) is True


def _has(mro, name):
    for base in mro:
        if name in base.__dict__:
            return base.__dict__[name] is not None
    return False


class ABC(metaclass=ABCMeta):
    __slots__ = ()


def abstractmethod(funcobj):
    target = funcobj
    if isinstance(funcobj, (classmethod, staticmethod)):
        target = funcobj.__func__
    elif isinstance(funcobj, property):
        target = funcobj.fget
    target.__isabstractmethod__ = True
    return funcobj


def abstractproperty(fget=None, fset=None, fdel=None, doc=None):
    return property(fget and abstractmethod(fget), fset, fdel, doc)


def abstractclassmethod(callable):
    return classmethod(abstractmethod(callable))


def abstractstaticmethod(callable):
    return staticmethod(abstractmethod(callable))


def get_cache_token():
    return 0


def update_abstractmethods(cls):
    return cls
