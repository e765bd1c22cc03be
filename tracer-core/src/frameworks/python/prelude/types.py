"""Builtin types without a name, and simple objects."""

from _jitlens.python import (
    BuiltinFunctionType,
    EllipsisType,
    FunctionType,
    GeneratorType,
    ModuleType,
    NoneType,
    NotImplementedType,
    bind_method,
    parameters,
    unknown,
)

LambdaType = FunctionType
BuiltinMethodType = BuiltinFunctionType


class _MethodMeta(type):
    def __call__(cls, function, receiver):
        return bind_method(function, receiver)

    def __instancecheck__(cls, instance):
        return type(instance).__name__ == "method"


class MethodType(metaclass=_MethodMeta):
    pass


class SimpleNamespace:
    def __init__(self, mapping=(), /, **kwargs):
        for name, value in dict(mapping).items():
            setattr(self, name, value)
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __repr__(self):
        return f"namespace({', '.join([f'{k}={v!r}' for k, v in self.__dict__.items()])})"

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return self.__dict__ == other.__dict__

    __hash__ = None


class mappingproxy:
    def __init__(self, mapping):
        if not hasattr(type(mapping), "__getitem__") or isinstance(mapping, (str, bytes, list, tuple)):
            raise TypeError(f"mappingproxy() argument must be a mapping, not {type(mapping).__name__}")
        self._mapping = mapping

    def __getitem__(self, key):
        return self._mapping[key]

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)

    def __len__(self):
        return len(self._mapping)

    def __reversed__(self):
        return reversed(self._mapping)

    def __eq__(self, other):
        return self._mapping == (other._mapping if isinstance(other, MappingProxyType) else other)

    __hash__ = None

    def __or__(self, other):
        return dict(self._mapping) | dict(other)

    def __ror__(self, other):
        return dict(other) | dict(self._mapping)

    def __reduce__(self):
        raise TypeError("cannot pickle 'mappingproxy' object")

    def get(self, key, default=None):
        return self._mapping.get(key, default)

    def keys(self):
        return self._mapping.keys()

    def values(self):
        return self._mapping.values()

    def items(self):
        return self._mapping.items()

    def copy(self):
        return self._mapping.copy()

    def __repr__(self):
        return f"mappingproxy({self._mapping!r})"


MappingProxyType = mappingproxy
del mappingproxy


class DynamicClassAttribute(property):
    pass


class CodeType:
    """The code of a function; what its body binds is not listed."""

    def __init__(self, function):
        self._function = function
        rows = parameters(function) or ()
        kinds = [kind for _, kind, *_ in rows]
        names = [name for name, *_ in rows]
        self.co_name = function.__name__
        self.co_qualname = function.__qualname__
        self.co_posonlyargcount = kinds.count(0)
        self.co_argcount = kinds.count(0) + kinds.count(1)
        self.co_kwonlyargcount = kinds.count(3)
        self.co_flags = 3 | 4 * (2 in kinds) | 8 * (4 in kinds)
        order = sorted(range(len(names)), key=lambda i: (0, 0, 2, 1, 3)[kinds[i]])
        self.co_varnames = tuple([names[i] for i in order])
        self.co_consts = (function.__doc__,)
        self.co_filename = unknown("str", "the path of a file")
        self.co_firstlineno = unknown("int", "the line of a function")

    def __getattr__(self, name):
        if name.startswith("co_"):
            return unknown("", f"`{name}` of code")
        raise AttributeError(f"'code' object has no attribute '{name}'")

    def replace(self, **kwargs):
        return unknown("", "code that was changed")


class TracebackType:
    pass


class FrameType:
    pass


class CoroutineType:
    pass


class AsyncGeneratorType:
    pass


class CellType:
    pass


class MethodWrapperType:
    pass


class GetSetDescriptorType:
    pass


class MemberDescriptorType:
    pass


def coroutine(func):
    return func


def new_class(name, bases=(), kwds=None, exec_body=None):
    namespace = {}
    if exec_body is not None:
        exec_body(namespace)
    return type(name, tuple(bases), namespace)


def resolve_bases(bases):
    return bases


def get_original_bases(cls):
    return cls.__bases__


def __getattr__(name):
    import typing

    if name == "UnionType":
        return typing._UnionType
    if name == "GenericAlias":
        return typing._ClassAlias
    raise AttributeError(f"module 'types' has no attribute '{name}'")
