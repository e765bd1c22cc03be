"""Abstract base classes."""

from _jitlens.python import is_unknown, unknown

_registry = {}


def _registered(cls, mro):
    for base, types in _registry.items():
        if cls in base.__mro__:
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
        return subclass

    def __instancecheck__(cls, instance):
        if is_unknown(type(instance)):
            return unknown("bool", "the type of an unknown value")
        return cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, subclass):
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
        return bool(_registry) and _registered(cls, mro)


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
