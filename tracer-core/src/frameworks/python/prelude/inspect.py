"""Questions about functions and classes."""

from _jitlens.python import BuiltinFunctionType, FunctionType, GeneratorType, ModuleType, makes_generator, parameters, unknown


class _empty:
    pass


class _void:
    """Of an argument that is not given where `_empty` may be."""


class _Kind(int):
    def __new__(cls, value, name):
        self = int.__new__(cls, value)
        self.name = name
        return self

    @property
    def description(self):
        return ("positional-only", "positional or keyword", "variadic positional", "keyword-only", "variadic keyword")[int(self)]

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"<_ParameterKind.{self.name}: {int(self)}>"


_KINDS = [_Kind(i, n) for i, n in enumerate(("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD"))]


class Parameter:
    empty = _empty
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = _KINDS

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        if not isinstance(kind, _Kind):
            kind = _KINDS[kind]
        if isinstance(name, str) and not name.isidentifier() and not name.startswith("."):
            raise ValueError(f"{name!r} is not a valid parameter name")
        if default is not _empty and kind in (2, 4):
            raise ValueError(f"{kind.description} parameters cannot have default values")
        self.name = name
        self.kind = kind
        self.default = default
        self.annotation = annotation

    def replace(self, **changes):
        values = {"name": self.name, "kind": self.kind, "default": self.default, "annotation": self.annotation, **changes}
        name, kind = values.pop("name"), values.pop("kind")
        return Parameter(name, kind, **values)

    def __str__(self):
        text = {2: "*", 4: "**"}.get(int(self.kind), "") + self.name
        if self.annotation is not _empty:
            text += f": {formatannotation(self.annotation)}"
        if self.default is not _empty:
            text += f" = {self.default!r}" if self.annotation is not _empty else f"={self.default!r}"
        return text

    def __repr__(self):
        return f'<Parameter "{self}">'

    def _told(self):
        return self.name, self.kind, self.default, self.annotation

    def __eq__(self, other):
        return self._told() == other._told() if isinstance(other, Parameter) else NotImplemented

    def __hash__(self):
        return hash(self._told())


def formatannotation(annotation, base_module=None):
    if isinstance(annotation, type):
        return annotation.__qualname__ if annotation.__module__ == "builtins" else f"{annotation.__module__}.{annotation.__qualname__}"
    return repr(annotation).replace("typing.", "")


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature = signature
        self.arguments = arguments

    def __repr__(self):
        return f"<BoundArguments ({', '.join([f'{name}={value!r}' for name, value in self.arguments.items()])})>"

    def __eq__(self, other):
        if not isinstance(other, BoundArguments):
            return NotImplemented
        return self.signature == other.signature and self.arguments == other.arguments

    @property
    def args(self):
        found = []
        for name, one in self.signature.parameters.items():
            if one.kind in (3, 4):
                break
            if name not in self.arguments:
                break
            if one.kind == 2:
                found.extend(self.arguments[name])
            else:
                found.append(self.arguments[name])
        return tuple(found)

    @property
    def kwargs(self):
        found = {}
        by_name = False
        for name, one in self.signature.parameters.items():
            if one.kind in (3, 4):
                by_name = True
            elif name not in self.arguments:
                by_name = True
                continue
            if not by_name or name not in self.arguments:
                continue
            if one.kind == 4:
                found.update(self.arguments[name])
            else:
                found[name] = self.arguments[name]
        return found

    def apply_defaults(self):
        filled = {}
        for name, one in self.signature.parameters.items():
            if name in self.arguments:
                filled[name] = self.arguments[name]
            elif one.default is not _empty:
                filled[name] = one.default
            elif one.kind == 2:
                filled[name] = ()
            elif one.kind == 4:
                filled[name] = {}
        self.arguments = filled


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty, __validate_parameters__=True):
        before = None
        for p in parameters or () if __validate_parameters__ else ():
            if before is not None and p.kind < before.kind:
                raise ValueError(f"wrong parameter order: {before.kind.description} parameter before {p.kind.description} parameter")
            before = p
        self.parameters = {p.name: p for p in parameters or ()}
        self.return_annotation = return_annotation

    @classmethod
    def from_callable(cls, obj, **kwargs):
        return signature(obj)

    def _told(self):
        """What two signatures must agree in: parameters that are given by name alone may stand in any order."""
        by_place = [p for p in self.parameters.values() if p.kind != 3]
        return by_place, {p.name: p for p in self.parameters.values() if p.kind == 3}, self.return_annotation

    def __eq__(self, other):
        return self._told() == other._told() if isinstance(other, Signature) else NotImplemented

    def __hash__(self):
        return hash((tuple(self.parameters.values()), self.return_annotation))

    def replace(self, *, parameters=_void, return_annotation=_void):
        return Signature(
            self.parameters.values() if parameters is _void else parameters,
            return_annotation=self.return_annotation if return_annotation is _void else return_annotation,
        )

    def _bind(self, args, kwargs, partial):
        arguments = {}
        args = list(args)
        for name, one in self.parameters.items():
            if one.kind == 2:
                arguments[name] = tuple(args)
                args = []
            elif one.kind in (0, 1) and args:
                if name in kwargs:
                    raise TypeError(f"multiple values for argument {name!r}")
                arguments[name] = args.pop(0)
            elif one.kind == 4:
                pass
            elif name in kwargs:
                arguments[name] = kwargs.pop(name)
            elif one.default is _empty and not partial:
                raise TypeError(f"missing a required argument: {name!r}")
        if args:
            raise TypeError("too many positional arguments")
        rest = [p.name for p in self.parameters.values() if p.kind == 4]
        if rest:
            if kwargs:
                arguments[rest[0]] = kwargs
        elif kwargs:
            raise TypeError(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
        ordered = {n: arguments[n] for n in self.parameters if n in arguments and not (self.parameters[n].kind == 2 and arguments[n] == ())}
        return BoundArguments(self, ordered)

    def bind(self, /, *args, **kwargs):
        return self._bind(args, kwargs, False)

    def bind_partial(self, /, *args, **kwargs):
        return self._bind(args, kwargs, True)

    def __str__(self):
        parts = []
        slash = star = False
        for p in self.parameters.values():
            if slash and p.kind != 0:
                parts.append("/")
            slash = p.kind == 0
            if p.kind == 2:
                star = True
            if p.kind == 3 and not star:
                parts.append("*")
                star = True
            parts.append(str(p))
        if slash:
            parts.append("/")
        text = f"({', '.join(parts)})"
        if self.return_annotation is not _empty:
            text += f" -> {formatannotation(self.return_annotation)}"
        return text

    def __repr__(self):
        return f"<Signature {self}>"


def _field_parameters(record):
    """The parameters of a dataclass, in the order of its fields, keyword-only ones last."""
    import dataclasses

    found = []
    for f in record.__dataclass_fields__.values():
        if f.init and f._kind != "class":
            missing = f.default_factory is dataclasses.MISSING
            default = f.default if f.default is not dataclasses.MISSING else _empty if missing else dataclasses._HAS_DEFAULT_FACTORY
            found.append(Parameter(f.name, _KINDS[3 if f.kw_only else 1], default=default, annotation=f.type))
    return [q for q in found if q.kind != _KINDS[3]] + [q for q in found if q.kind == _KINDS[3]]


def signature(obj, *, follow_wrapped=True, **kwargs):
    if not callable(obj):
        raise TypeError(f"{obj!r} is not a callable object")
    # A method has the attributes of its function, and that may be a wrapper of another one.
    while follow_wrapped and not ismethod(obj) and hasattr(obj, "__wrapped__") and not (isfunction(obj) and hasattr(obj, "__signature__")):
        obj = obj.__wrapped__
    if ismethod(obj):
        whole = signature(obj.__func__, follow_wrapped=follow_wrapped)
        return whole.replace(parameters=list(whole.parameters.values())[1:])
    if hasattr(obj, "__signature__"):
        return obj.__signature__
    if isinstance(obj, type):
        fields = getattr(obj, "__dataclass_fields__", None)
        if fields is not None and "__init__" in obj.__dict__ and not isfunction(obj.__dict__["__init__"]):
            return Signature(_field_parameters(obj), return_annotation=None)
        init = obj.__init__
        if not isfunction(init):
            init = obj.__new__
        if not isfunction(init):
            if obj.__module__ == "builtins" and obj is not type(object()):
                raise ValueError(f"no signature found for builtin type {obj!r}")
            return Signature([])
        whole = signature(init)
        return whole.replace(parameters=list(whole.parameters.values())[1:])
    if isfunction(obj):
        rows = parameters(obj)
        found = [Parameter(n, _KINDS[k], default=d if has else _empty, annotation=a if noted else _empty) for n, k, has, d, noted, a in rows]
        return Signature(found, return_annotation=obj.__annotations__.get("return", _empty))
    if hasattr(obj, "func") and hasattr(obj, "keywords"):
        whole = signature(obj.func)
        left = list(whole.parameters.values())[len(obj.args) :]
        found = []
        by_name = False
        for p in left:
            if p.name in obj.keywords:
                by_name = True
                p = p.replace(kind=_KINDS[3], default=obj.keywords[p.name])
            elif by_name and p.kind == 1:
                p = p.replace(kind=_KINDS[3])
            # Nothing more can be given by its place.
            if not (by_name and p.kind == 2):
                found.append(p)
        return Signature(found, return_annotation=whole.return_annotation)
    record = getattr(obj, "__dataclass_of__", None)
    if record is not None:
        return Signature([Parameter("self", _KINDS[1])] + _field_parameters(record), return_annotation=None)
    if isbuiltin(obj):
        # Which ones have one says no text of ours.
        return unknown("", "the signature of a builtin")
    return signature(type(obj).__call__.__get__(obj, type(obj)))


def isfunction(object):
    return type(object) is FunctionType


def ismethod(object):
    return type(object).__name__ == "method" and not isbuiltin(object.__func__)


def isbuiltin(object):
    return type(object) is BuiltinFunctionType


def isroutine(object):
    return isfunction(object) or ismethod(object) or isbuiltin(object)


def isclass(object):
    return isinstance(object, type)


def ismodule(object):
    return type(object) is ModuleType


def isgenerator(object):
    return type(object) is GeneratorType


def isgeneratorfunction(obj):
    return isfunction(obj) and makes_generator(obj)


def iscoroutinefunction(obj):
    return False


isasyncgenfunction = iscoroutinefunction


def iscoroutine(object):
    return type(object).__name__ == "coroutine"


def isawaitable(object):
    return iscoroutine(object) or hasattr(type(object), "__await__")


def isasyncgen(object):
    return False


def isabstract(object):
    return isinstance(object, type) and any([getattr(getattr(object, n, None), "__isabstractmethod__", False) for c in object.__mro__ for n in c.__dict__])


def isdatadescriptor(object):
    return hasattr(type(object), "__set__") or isinstance(object, property)


def ismethoddescriptor(object):
    return hasattr(type(object), "__get__") and not isdatadescriptor(object)


def getmembers(object, predicate=None):
    names = set(getattr(object, "__dict__", ()))
    for base in type(object).__mro__ if not isinstance(object, type) else object.__mro__:
        names.update(base.__dict__)
    found = [(n, getattr(object, n, _empty)) for n in sorted(names)]
    return [(n, value) for n, value in found if value is not _empty and (predicate is None or predicate(value))]


def getdoc(object):
    return cleandoc(object.__doc__) if getattr(object, "__doc__", None) is not None else None


def cleandoc(doc):
    import textwrap

    first, newline, rest = doc.partition("\n")
    return (first.strip() + newline + textwrap.dedent(rest)).strip()


def unwrap(func, *, stop=None):
    while hasattr(func, "__wrapped__") and not (stop is not None and stop(func)):
        func = func.__wrapped__
    return func


def getmro(cls):
    return cls.__mro__


def getsource(object):
    return unknown("str", "the source of an object")


getfile = getsourcefile = getsource


def _rows(func):
    """Of each parameter, that of the instance among them: name, kind, whether it has a default, which, whether it has an annotation, which."""
    own = []
    if ismethod(func):
        func = func.__func__
    elif isinstance(func, type):
        init = func.__init__ if isfunction(func.__init__) else func.__new__
        if isfunction(init):
            func = init
        else:
            own = [("self", 1, False, None, False, None)]
    # What a function wraps has no part in it.
    if isfunction(func) and getattr(func, "__signature__", None) is None:
        return parameters(func)
    found = signature(func, follow_wrapped=False).parameters.values()
    return own + [(p.name, p.kind, p.default is not _empty, p.default, p.annotation is not _empty, p.annotation) for p in found]


_full_arg_spec = []


def _spec():
    """The class of what `getfullargspec` gives, made when it is first asked for."""
    if not _full_arg_spec:
        from collections import namedtuple

        _full_arg_spec.append(namedtuple("FullArgSpec", "args varargs varkw defaults kwonlyargs kwonlydefaults annotations"))
    return _full_arg_spec[0]


def getfullargspec(func):
    if not callable(func):
        raise TypeError("unsupported callable")
    args, starred, defaults, only, named_defaults, annotations = [], {2: None, 4: None}, [], [], {}, {}
    for name, kind, has, default, noted, annotation in _rows(func):
        if kind in starred:
            starred[kind] = name
        elif kind == 3:
            only.append(name)
            if has:
                named_defaults[name] = default
        else:
            args.append(name)
            if has:
                defaults.append(default)
        if noted:
            annotations[name] = annotation
    returned = getattr(func, "__annotations__", {}).get("return", _empty) if isroutine(func) else _empty
    if returned is not _empty:
        annotations["return"] = returned
    return _spec()(args, starred[2], starred[4], tuple(defaults) or None, only, named_defaults or None, annotations)


def getcallargs(func, /, *positional, **named):
    """The arguments of a call by parameter, defaults included."""
    bound = signature(func).bind(*positional, **named)
    bound.apply_defaults()
    return dict(bound.arguments)


def get_annotations(obj, *, globals=None, locals=None, eval_str=False):
    if isinstance(obj, type):
        return dict(obj.__dict__.get("__annotations__", {}))
    return dict(getattr(obj, "__annotations__", None) or {})


def __getattr__(name):
    if name == "FullArgSpec":
        return _spec()
    raise AttributeError(f"module 'inspect' has no attribute {name!r}")
