"""Names for annotations. Nothing here is checked."""

from _jitlens.python import is_unknown, unknown
from abc import ABCMeta

TYPE_CHECKING = False


def _shown(item):
    if isinstance(item, type):
        return item.__qualname__ if item.__module__ == "builtins" else f"{item.__module__}.{item.__qualname__}"
    if item is ...:
        return "..."
    if isinstance(item, (list, tuple)):
        return f"[{', '.join([_shown(i) for i in item])}]"
    return repr(item)


class _Form:
    """A name that can be subscripted: `Any`, `Optional`."""

    def __init__(self, name, origin=None):
        self._name = name
        self.__name__ = name
        if origin is not None:
            self.__origin__ = origin

    def __getitem__(self, params):
        if self._name == "Optional":
            return _union((params, None))
        if self._name == "Union":
            return _union(params if isinstance(params, tuple) else (params,))
        if self._name == "Literal":
            return _LiteralAlias(self, params)
        if self._name == "Annotated":
            return _AnnotatedAlias(params[0], params[1:])
        return _GenericAlias(getattr(self, "__origin__", self), params, self._name)

    def __call__(self, *args, **kwargs):
        origin = getattr(self, "__origin__", None)
        if origin is None:
            raise TypeError("Any cannot be instantiated" if self._name == "Any" else f"Cannot instantiate {self!r}")
        if self._name in _BUILTIN:
            raise TypeError(f"Type {self._name} cannot be instantiated; use {origin.__name__}() instead")
        return origin(*args, **kwargs)

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __mro_entries__(self, bases):
        return (getattr(self, "__origin__", object),)

    def __instancecheck__(self, instance):
        origin = getattr(self, "__origin__", None)
        if origin is None:
            raise TypeError(f"{self!r} cannot be used with isinstance()")
        return isinstance(instance, origin)

    def __subclasscheck__(self, cls):
        origin = getattr(self, "__origin__", None)
        if origin is None:
            raise TypeError(f"{self!r} cannot be used with issubclass()")
        return issubclass(cls, origin)

    def __repr__(self):
        return f"typing.{self._name}"


class _GenericAlias:
    def __init__(self, origin, params, name=None):
        self.__origin__ = origin
        self.__args__ = params if isinstance(params, tuple) else (params,)
        self._name = name

    @property
    def __parameters__(self):
        found = []
        for arg in self.__args__:
            for one in (arg,) if isinstance(arg, TypeVar) else () if isinstance(arg, type) else getattr(arg, "__parameters__", ()):
                if one not in found:
                    found.append(one)
        return tuple(found)

    def __getitem__(self, params):
        params = params if isinstance(params, tuple) else (params,)
        table = dict(zip(self.__parameters__, params))
        return self._remade(tuple([_filled(arg, table) for arg in self.__args__]) if table else params)

    def _remade(self, args):
        return _GenericAlias(self.__origin__, args, self._name)

    def __call__(self, *args, **kwargs):
        return self.__origin__(*args, **kwargs)

    def __getattr__(self, name):
        if name.startswith("__") and name != "__name__" and name != "__qualname__" and name != "__module__":
            raise AttributeError(name)
        return getattr(self.__origin__, name)

    def __mro_entries__(self, bases):
        if self.__origin__ is Generic:
            # A base behind it brings it along.
            behind = bases[bases.index(self) + 1:]
            if any([isinstance(b, _GenericAlias) and isinstance(b.__origin__, type) and issubclass(b.__origin__, Generic) for b in behind]):
                return ()
        return (self.__origin__ if isinstance(self.__origin__, type) else object,)

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __eq__(self, other):
        if not isinstance(other, _GenericAlias):
            return NotImplemented
        return self.__origin__ == other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        # The parameters of a `Callable` are a list.
        return hash((self.__origin__, tuple([tuple(a) if isinstance(a, list) else a for a in self.__args__])))

    def __instancecheck__(self, instance):
        raise TypeError("Subscripted generics cannot be used with class and instance checks")

    def __subclasscheck__(self, cls):
        raise TypeError("Subscripted generics cannot be used with class and instance checks")

    def __repr__(self):
        name = f"typing.{self._name}" if self._name else _shown(self.__origin__)
        return f"{name}[{', '.join([_shown(a) for a in self.__args__])}]"


class _ClassAlias(_GenericAlias):
    """What a class makes of its parameters: `types.GenericAlias`."""

    def _remade(self, args):
        return _ClassAlias(self.__origin__, args)

    def __instancecheck__(self, instance):
        raise TypeError("isinstance() argument 2 cannot be a parameterized generic")

    def __subclasscheck__(self, cls):
        raise TypeError("issubclass() argument 2 cannot be a parameterized generic")

    def __or__(self, other):
        return _either(self, other)

    def __ror__(self, other):
        return _either(other, self)


def _filled(arg, table):
    """An argument of an alias with what stands for its parameters."""
    if isinstance(arg, TypeVar):
        return table.get(arg, arg)
    if isinstance(arg, _GenericAlias):
        wanted = arg.__parameters__
        return arg[tuple([table.get(one, one) for one in wanted])] if wanted else arg
    return [_filled(one, table) for one in arg] if isinstance(arg, list) else arg


class _UnionAlias(_GenericAlias):
    def _remade(self, args):
        return _union(args)

    # What a metaclass takes for an instance is none here: the class of the instance is asked about.
    def __instancecheck__(self, instance):
        return isinstance(instance, self.__args__) and issubclass(type(instance), self.__args__)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self.__args__)

    def __eq__(self, other):
        return isinstance(other, _UnionAlias) and set(self.__args__) == set(other.__args__)

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __repr__(self):
        args = [a for a in self.__args__ if a is not type(None)]
        if len(args) == 1 and len(self.__args__) == 2:
            return f"typing.Optional[{_shown(args[0])}]"
        return f"typing.Union[{', '.join([_shown(a) for a in self.__args__])}]"


class _UnionType(_UnionAlias):
    """What `|` makes of classes: `types.UnionType`."""

    def _remade(self, args):
        made, *rest = args
        for one in rest:
            made = _either(made, one)
        return made

    def __instancecheck__(self, instance):
        return isinstance(instance, self.__args__)

    def __or__(self, other):
        return _either(self, other)

    def __ror__(self, other):
        return _either(other, self)

    def __repr__(self):
        return " | ".join(["None" if a is type(None) else _shown(a) for a in self.__args__])


class _LiteralAlias(_GenericAlias):
    def __repr__(self):
        return f"typing.Literal[{', '.join([repr(a) for a in self.__args__])}]"


class _AnnotatedAlias(_GenericAlias):
    def __init__(self, origin, metadata):
        if isinstance(origin, _AnnotatedAlias):
            origin, metadata = origin.__origin__, origin.__metadata__ + metadata
        super().__init__(origin, origin, "Annotated")
        self.__metadata__ = metadata

    def _remade(self, args):
        return _AnnotatedAlias(args[0], self.__metadata__)

    def __eq__(self, other):
        return isinstance(other, _AnnotatedAlias) and super().__eq__(other) and self.__metadata__ == other.__metadata__

    def __hash__(self):
        return hash((self.__origin__, self.__metadata__))

    def __repr__(self):
        return f"typing.Annotated[{', '.join([_shown(self.__origin__)] + [repr(one) for one in self.__metadata__])}]"


def _union(params):
    flat = []
    for one in params:
        if one is None:
            one = type(None)
        for part in one.__args__ if isinstance(one, _UnionAlias) else (one,):
            if part not in flat:
                flat.append(part)
    if len(flat) == 1:
        return flat[0]
    return _UnionAlias(Union, tuple(flat))


def _either(one, other):
    """`one | other` of classes, `None` and what `|` made of them."""
    union = _union((one, other))
    if isinstance(union, _UnionAlias) and all([a is None or isinstance(a, (type, _UnionType, _ClassAlias)) for a in (one, other)]):
        return _UnionType(Union, union.__args__)
    return union


class TypeVar:
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False, default=None, infer_variance=False):
        if len(constraints) == 1:
            raise TypeError("A single constraint is not allowed")
        if constraints and bound is not None:
            raise TypeError("Constraints cannot be combined with bound=...")
        self.__name__ = name
        self.__constraints__ = constraints
        self.__bound__ = bound
        self.__covariant__ = covariant
        self.__contravariant__ = contravariant

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __repr__(self):
        return ("+" if self.__covariant__ else "-" if self.__contravariant__ else "~") + self.__name__

    # `*Ts` in a subscript.
    def __iter__(self):
        return iter((self,))


class TypeVarTuple(TypeVar):
    pass


class ParamSpec(TypeVar):
    @property
    def args(self):
        return _Form(f"{self.__name__}.args")

    @property
    def kwargs(self):
        return _Form(f"{self.__name__}.kwargs")


ParamSpecArgs = ParamSpecKwargs = _Form


class ForwardRef:
    def __init__(self, arg, *args, **kwargs):
        self.__forward_arg__ = arg

    def __repr__(self):
        return f"ForwardRef({self.__forward_arg__!r})"

    def __eq__(self, other):
        return self.__forward_arg__ == other.__forward_arg__ if isinstance(other, ForwardRef) else NotImplemented

    def __hash__(self):
        return hash(self.__forward_arg__)


class Generic:
    __slots__ = ()
    __parameters__ = ()

    def __class_getitem__(cls, params):
        return _GenericAlias(cls, params)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        _set_parameters(cls)


def _set_parameters(cls):
    found = []
    for base in cls.__dict__.get("__orig_bases__", ()):
        if isinstance(base, _GenericAlias):
            if base.__origin__ is Generic or base.__origin__ is Protocol:
                cls.__parameters__ = base.__parameters__
                return
            found += [one for one in base.__parameters__ if one not in found]
    cls.__parameters__ = tuple(found)


class _ProtocolMeta(ABCMeta):
    def __call__(cls, *args, **kwargs):
        if cls.__dict__.get("_is_protocol", False):
            raise TypeError("Protocols cannot be instantiated")
        return super().__call__(*args, **kwargs)

    def __instancecheck__(cls, instance):
        if not cls.__dict__.get("_is_protocol", False):
            return ABCMeta.__instancecheck__(cls, instance)
        if not cls.__dict__.get("_is_runtime_protocol", False):
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
        if is_unknown(type(instance)):
            return unknown("bool", "the type of an unknown value")
        return cls in type(instance).__mro__ or all([hasattr(instance, name) for name in _protocol_members(cls)])


def _protocol_members(cls):
    names = []
    for base in cls.__mro__[:-1]:
        if base.__dict__.get("_is_protocol", False) and base is not Protocol:
            names += [n for n in base.__dict__ if not n.startswith("_") or n == "__call__"]
            names += list(base.__dict__.get("__annotations__", ()))
    return names


class Protocol(metaclass=_ProtocolMeta):
    __slots__ = ()
    _is_protocol = True

    def __init_subclass__(cls, **kwargs):
        cls._is_protocol = Protocol in cls.__bases__
        _set_parameters(cls)

    def __class_getitem__(cls, params):
        return _GenericAlias(cls, params)


def runtime_checkable(cls):
    cls._is_runtime_protocol = True
    return cls


class _NamedTupleMeta(type):
    def __new__(meta, name, bases, namespace, **kwargs):
        if not bases:
            return super().__new__(meta, name, bases, namespace)
        from collections import _record

        fields = namespace.pop("__annotations__", {})
        defaults = []
        for field in fields:
            if field in namespace:
                defaults.append(namespace.pop(field))
            elif defaults:
                raise TypeError(f"Non-default namedtuple field {field} cannot follow default field")
        module = namespace.pop("__module__", "__main__")
        namespace["__annotations__"] = fields
        others = tuple([b for b in bases if b is not NamedTuple])
        return _record(name, tuple(fields), tuple(defaults), module, namespace, others)

    def __call__(cls, typename, fields=(), /, **kwargs):
        from collections import _record

        fields = dict(fields) if fields else kwargs
        return _record(typename, tuple(fields), (), "__main__", {"__annotations__": fields})


class NamedTuple(metaclass=_NamedTupleMeta):
    pass


class _TypedDictMeta(type):
    def __new__(meta, name, bases, namespace, total=True, **kwargs):
        fields = {}
        for base in bases:
            fields.update(getattr(base, "__annotations__", {}))
        fields.update(namespace.get("__annotations__", {}))
        namespace["__annotations__"] = fields
        namespace["__total__"] = total
        namespace["__required_keys__"] = frozenset(fields if total else ())
        namespace["__optional_keys__"] = frozenset(() if total else fields)
        return super().__new__(meta, name, (), namespace)

    def __call__(cls, *args, **kwargs):
        if cls is TypedDict:
            return _TypedDictMeta(args[0], (), {"__annotations__": dict(args[1])})
        return dict(*args, **kwargs)

    def __instancecheck__(cls, instance):
        raise TypeError("TypedDict does not support instance and class checks")


class TypedDict(metaclass=_TypedDictMeta):
    pass


class NewType:
    def __init__(self, name, tp):
        self.__name__ = name
        self.__supertype__ = tp

    def __call__(self, x):
        return x

    def __repr__(self):
        return f"__main__.{self.__name__}"

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))


class TypeAliasType(_Form):
    def __init__(self, name, value, type_params=()):
        super().__init__(name)
        self.__value__ = value


class _LazyAlias(TypeAliasType):
    """What `type X[T] = …` makes: its value is asked for once, when somebody needs it."""

    def __init__(self, name, evaluate, type_params):
        _Form.__init__(self, name)
        self.__name__ = name
        self.__type_params__ = type_params
        self._evaluate = evaluate

    @property
    def __value__(self):
        if "_value" not in self.__dict__:
            self._value = self._evaluate()
        return self._value

    def __repr__(self):
        return self.__name__


Any = _Form("Any")
Union = _Form("Union")
Optional = _Form("Optional")
Literal = _Form("Literal")
Annotated = _Form("Annotated")


class SupportsInt(Protocol):
    def __int__(self): ...


class SupportsFloat(Protocol):
    def __float__(self): ...


class SupportsIndex(Protocol):
    def __index__(self): ...


for _one in (SupportsInt, SupportsFloat, SupportsIndex):
    _one._is_runtime_protocol = True
    _one._is_protocol = True

_BUILTIN = {"List": list, "Dict": dict, "Set": set, "FrozenSet": frozenset, "Tuple": tuple, "Type": type}
_COLLECTIONS = ("Deque", "DefaultDict", "OrderedDict", "Counter", "ChainMap")
_FORMS = (
    "Callable ClassVar Final Concatenate Never NoReturn LiteralString Self TypeAlias TypeGuard TypeIs Unpack Required"
    " NotRequired ReadOnly SupportsAbs SupportsBytes SupportsComplex SupportsRound IO TextIO BinaryIO Pattern Match"
).split()
_ABCS = (
    "Hashable Awaitable Coroutine AsyncIterable AsyncIterator AsyncGenerator Iterable Iterator Generator Reversible Sized"
    " Container Collection Callable Set MutableSet AbstractSet Mapping MutableMapping Sequence MutableSequence MappingView"
    " KeysView ItemsView ValuesView ByteString"
).split()


def __getattr__(name):
    if name in _BUILTIN:
        form = _Form(name, _BUILTIN[name])
    elif name in _COLLECTIONS:
        import collections

        form = _Form(name, getattr(collections, {"Deque": "deque", "DefaultDict": "defaultdict"}.get(name, name)))
    elif name in _ABCS:
        import collections.abc

        form = _Form(name, getattr(collections.abc, "Set" if name == "AbstractSet" else name))
    elif name in _FORMS:
        form = _Form(name)
    elif name == "AnyStr":
        form = TypeVar("AnyStr", bytes, str)
    elif name == "Text":
        form = str
    elif name in ("ContextManager", "AsyncContextManager"):
        import contextlib

        form = _Form(name, contextlib.AbstractContextManager)
    else:
        raise AttributeError(f"module 'typing' has no attribute '{name}'")
    globals_[name] = form
    return form


globals_ = {}


def __dir__():
    return list(_BUILTIN) + list(_COLLECTIONS) + _FORMS + _ABCS


def cast(typ, val):
    return val


def assert_type(val, typ, /):
    return val


def assert_never(arg, /):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def reveal_type(obj, /):
    return obj


def _same(arg):
    return arg


def overload(func):
    return _no_overload


def _no_overload(*args, **kwds):
    raise NotImplementedError("You should not call an overloaded function.")


def get_overloads(func):
    return []


def final(f):
    return f


def no_type_check_decorator(decorator):
    return decorator


override = no_type_check = _same


def dataclass_transform(**kwargs):
    return _same


def get_origin(tp):
    if isinstance(tp, _AnnotatedAlias):
        return Annotated
    if isinstance(tp, _UnionType):
        return _UnionType
    if tp is Generic:
        return Generic
    return getattr(tp, "__origin__", None)


def get_args(tp):
    if isinstance(tp, _AnnotatedAlias):
        return (tp.__origin__,) + tp.__metadata__
    if isinstance(tp, _Form):
        return ()
    return getattr(tp, "__args__", ())


def _names_around(obj):
    import sys

    if isinstance(obj, type):
        return vars(sys.modules[obj.__module__])
    return vars(obj) if isinstance(obj, type(sys)) else getattr(obj, "__globals__", {})


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    hints = {}
    for one in reversed(obj.__mro__) if isinstance(obj, type) else [obj]:
        annotations = one.__dict__.get("__annotations__", {}) if isinstance(obj, type) else getattr(one, "__annotations__", {})
        for name, hint in annotations.items():
            if is_unknown(hint):
                hints[name] = hint
                continue
            # What is quoted in a module that postpones its annotations is a text in a text.
            while isinstance(hint, str):
                hint = eval(hint, _names_around(one) if globalns is None else globalns, localns)
            if isinstance(hint, _AnnotatedAlias) and not include_extras:
                hint = hint.__origin__
            hints[name] = type(None) if hint is None else hint
    return hints


def is_typeddict(tp):
    return isinstance(tp, _TypedDictMeta)


def is_protocol(tp):
    return isinstance(tp, _ProtocolMeta) and tp.__dict__.get("_is_protocol", False)
