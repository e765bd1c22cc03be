"""Classes that are mostly fields."""

from _jitlens.python import is_unknown, record_eq, record_init, set_fields, set_frozen, set_unhashable


class FrozenInstanceError(AttributeError):
    pass


class _Missing:
    def __repr__(self):
        return "<dataclasses._MISSING_TYPE object>"


MISSING = _Missing()
# Libraries read and write these attributes of a class by the module's own names for them.
_FIELDS = "__dataclass_fields__"
_POST_INIT_NAME = "__post_init__"


class _Factory:
    """What stands as the default of an argument that a factory makes."""

    def __repr__(self):
        return "<factory>"


_HAS_DEFAULT_FACTORY = _Factory()


class _KwOnly:
    pass


KW_ONLY = _KwOnly()


class InitVar:
    def __init__(self, type):
        self.type = type

    def __repr__(self):
        kind = self.type
        return f"dataclasses.InitVar[{kind.__name__ if isinstance(kind, type) else repr(kind)}]"

    def __class_getitem__(cls, type):
        return InitVar(type)


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = {} if metadata is None else metadata
        self.kw_only = kw_only
        self._kind = "field"

    def __set_name__(self, owner, name):
        hook = getattr(type(self.default), "__set_name__", None)
        if hook is not None:
            hook(self.default, owner, name)

    def __repr__(self):
        return f"Field(name={self.name!r},type={self.type!r},default={self.default!r},default_factory={self.default_factory!r},init={self.init!r},repr={self.repr!r},hash={self.hash!r},compare={self.compare!r},metadata={self.metadata!r},kw_only={self.kw_only!r},_field_type={self._kind})"


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _kind_of(annotation):
    # What is said of classes and arguments of `__init__` comes from modules that are there: another type is not known.
    if is_unknown(annotation):
        return "field"
    if isinstance(annotation, str):
        if annotation.startswith(("ClassVar", "typing.ClassVar", "t.ClassVar")):
            return "class"
        if annotation.startswith(("InitVar", "dataclasses.InitVar")):
            return "init"
        return "field"
    if annotation is InitVar or isinstance(annotation, InitVar):
        return "init"
    if getattr(annotation, "_name", None) == "ClassVar":
        return "class"
    return "field"


def _is_mutable(default):
    # What cannot be hashed is held to be mutable.
    return default is not MISSING and getattr(type(default), "__hash__", 0) is None


def _own_fields(cls, kw_only):
    found = []
    annotations = cls.__dict__.get("__annotations__", {})
    for name, annotation in annotations.items():
        if not is_unknown(annotation) and (annotation is KW_ONLY or annotation == "KW_ONLY"):
            kw_only = True
            continue
        default = cls.__dict__.get(name, MISSING)
        one = default if isinstance(default, Field) else field(default=default)
        one.name = name
        one.type = annotation
        one._kind = _kind_of(annotation)
        if one.kw_only is MISSING:
            one.kw_only = kw_only
        if one._kind == "field" and _is_mutable(one.default):
            # Of a type that is not known that of variables of the class is the one that allows this.
            if not is_unknown(annotation):
                raise ValueError(f"mutable default {type(one.default)} for field {name} is not allowed: use default_factory")
            one._kind = "class"
        if isinstance(default, Field):
            if one.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, one.default)
        found.append(one)
    for name, value in cls.__dict__.items():
        if not is_unknown(value) and isinstance(value, Field) and name not in annotations:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    return found


def _spec(one):
    kw_only = one.kw_only
    if one.init:
        if one.default_factory is not MISSING:
            return (one.name, 2, one.default_factory, kw_only, False)
        if one.default is not MISSING:
            return (one.name, 1, one.default, kw_only, one._kind == "init")
        return (one.name, 0, None, kw_only, one._kind == "init")
    if one.default_factory is not MISSING:
        return (one.name, 3, one.default_factory, False, False)
    return None


_printing = set()


def _repr(self):
    if id(self) in _printing:
        return "..."
    _printing.add(id(self))
    try:
        parts = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr]
    finally:
        _printing.discard(id(self))
    return f"{type(self).__qualname__}({', '.join(parts)})"


def _order(op):
    def method(self, other):
        if type(other) is not type(self):
            return NotImplemented
        a, b = _compared(self), _compared(other)
        return a < b if op == "<" else a <= b if op == "<=" else a > b if op == ">" else a >= b

    return method


def _compared(self):
    return tuple([getattr(self, f.name) for f in fields(self) if f.compare])


def _hash(self):
    return hash(tuple([getattr(self, f.name) for f in fields(self) if (f.compare if f.hash is None else f.hash)]))


def _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots):
    all_fields = {}
    any_frozen = False
    has_bases = False
    for base in reversed(cls.__mro__[1:]):
        inherited = base.__dict__.get("__dataclass_fields__")
        if inherited is not None:
            has_bases = True
            any_frozen = any_frozen or base.__dict__["__dataclass_params__"].frozen
            all_fields.update(inherited)
            if base.__dict__["__dataclass_params__"].frozen is False and frozen:
                raise TypeError("cannot inherit frozen dataclass from a non-frozen one")
    if has_bases and any_frozen and not frozen:
        raise TypeError("cannot inherit non-frozen dataclass from a frozen one")
    own = _own_fields(cls, kw_only)
    for one in own:
        all_fields[one.name] = one
    cls.__dataclass_fields__ = all_fields
    cls.__dataclass_params__ = _Params(init, repr, eq, order, unsafe_hash, frozen)
    real = [f for f in all_fields.values() if f._kind == "field"]
    if init:
        ordered = [f for f in all_fields.values() if f._kind != "class"]
        seen_default = None
        for one in ordered:
            if one.init and not one.kw_only:
                if one.default is not MISSING or one.default_factory is not MISSING:
                    seen_default = one.name
                elif seen_default is not None:
                    raise TypeError(f"non-default argument {one.name!r} follows default argument")
        specs = [s for s in [_spec(f) for f in ordered] if s is not None]
        if "__init__" not in cls.__dict__:
            cls.__init__ = record_init(f"{cls.__qualname__}.__init__", specs, hasattr(cls, "__post_init__"), frozen)
            cls.__init__.__dataclass_of__ = cls
            taken = [f for f in ordered if f.init]
            cls.__init__.__annotations__ = {f.name: f.type for only in (False, True) for f in taken if f.kw_only is only}
            cls.__init__.__annotations__["return"] = None
    if repr and "__repr__" not in cls.__dict__:
        cls.__repr__ = _repr
    if order:
        if not eq:
            raise ValueError("eq must be true if order is true")
        for name, op in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")):
            if name in cls.__dict__:
                raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}. Consider using functools.total_ordering")
            setattr(cls, name, _order(op))
    own_hash = "__hash__" in cls.__dict__ and cls.__dict__["__hash__"] is not None
    if eq and "__eq__" not in cls.__dict__:
        cls.__eq__ = record_eq([f.name for f in real if f.compare])
        plain = all([f.hash is None for f in real])
        if own_hash:
            pass
        elif frozen or unsafe_hash:
            cls.__hash__ = _hash
            if plain:
                set_fields(cls, [f.name for f in real if f.compare])
        else:
            cls.__hash__ = None
            set_unhashable(cls)
    elif unsafe_hash or (eq and frozen):
        if not own_hash:
            cls.__hash__ = _hash
    elif eq and not own_hash:
        cls.__hash__ = None
    if match_args and "__match_args__" not in cls.__dict__:
        cls.__match_args__ = tuple([f.name for f in all_fields.values() if f.init and not f.kw_only and f._kind != "class"])
    if slots:
        cls = _slotted(cls, real)
    if not cls.__dict__.get("__doc__"):
        cls.__doc__ = _Doc(cls)
    if frozen:
        for name in ("__setattr__", "__delattr__"):
            if name in cls.__dict__:
                raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}")
        set_frozen(cls)
    return cls


class _Doc:
    """What a class without a text says of itself: how it is called."""

    def __init__(self, owner):
        self.owner = owner

    def __get__(self, instance, owner):
        if owner is not self.owner:
            return None
        import inspect

        return owner.__name__ + str(inspect.signature(owner)).replace(" -> None", "")


def _slotted(cls, real):
    """A class like this one, whose instances have the fields and nothing else."""
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    inherited = [name for base in cls.__mro__[1:-1] for name in _slots_of(base)]
    names = [f.name for f in real]
    # A slot hides the default of its field.
    body = {name: value for name, value in cls.__dict__.items() if name not in names and name not in ("__dict__", "__weakref__")}
    body["__slots__"] = tuple([name for name in names if name not in inherited])
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _slots_of(cls):
    found = cls.__dict__.get("__slots__", ())
    return (found,) if isinstance(found, str) else found


class _Params:
    def __init__(self, init, repr, eq, order, unsafe_hash, frozen):
        self.init = init
        self.repr = repr
        self.eq = eq
        self.order = order
        self.unsafe_hash = unsafe_hash
        self.frozen = frozen


def dataclass(
    cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True,
    kw_only=False, slots=False, weakref_slot=False,
):
    if cls is None:
        return lambda cls: _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots)
    return _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots)


def fields(class_or_instance):
    try:
        found = class_or_instance.__dataclass_fields__
    except AttributeError:
        raise TypeError("must be called with a dataclass type or instance") from None
    return tuple([f for f in found.values() if f._kind == "field"])


def is_dataclass(obj):
    return hasattr(obj if isinstance(obj, type) else type(obj), "__dataclass_fields__")


def _is_instance(obj):
    return not isinstance(obj, type) and hasattr(type(obj), "__dataclass_fields__")


def replace(obj, /, **changes):
    if not _is_instance(obj):
        raise TypeError("replace() should be called on dataclass instances")
    for one in obj.__dataclass_fields__.values():
        if one._kind == "class":
            continue
        if not one.init:
            if one.name in changes:
                raise ValueError(f"field {one.name} is declared with init=False, it cannot be specified with replace()")
            continue
        if one.name not in changes:
            if one._kind == "init":
                if one.default is MISSING:
                    raise ValueError(f"InitVar {one.name!r} must be specified with replace()")
                continue
            changes[one.name] = getattr(obj, one.name)
    return type(obj)(**changes)


def _convert(obj, factory, of):
    if _is_instance(obj):
        return of(obj)
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*[_convert(v, factory, of) for v in obj])
    if isinstance(obj, (list, tuple)):
        return type(obj)([_convert(v, factory, of) for v in obj])
    if isinstance(obj, dict):
        return type(obj)([(_convert(k, factory, of), _convert(v, factory, of)) for k, v in obj.items()])
    if isinstance(obj, (int, float, str, bool, type(None))) or callable(obj):
        return obj
    import copy

    return copy.deepcopy(obj)


def asdict(obj, *, dict_factory=dict):
    if not _is_instance(obj):
        raise TypeError("asdict() should be called on dataclass instances")

    def of(one):
        return dict_factory([(f.name, _convert(getattr(one, f.name), dict_factory, of)) for f in fields(one)])

    return of(obj)


def astuple(obj, *, tuple_factory=tuple):
    if not _is_instance(obj):
        raise TypeError("astuple() should be called on dataclass instances")

    def of(one):
        return tuple_factory([_convert(getattr(one, f.name), tuple_factory, of) for f in fields(one)])

    return of(obj)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, module=None, **options):
    body = dict(namespace or {})
    annotations = {}
    for item in fields:
        if isinstance(item, str):
            annotations[item] = "typing.Any"
        elif len(item) == 2:
            annotations[item[0]] = item[1]
        else:
            annotations[item[0]] = item[1]
            body[item[0]] = item[2]
    body["__annotations__"] = annotations
    return dataclass(type(cls_name, tuple(bases), body), **options)
