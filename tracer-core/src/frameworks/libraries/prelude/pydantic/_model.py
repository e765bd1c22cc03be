"""Models."""
import json
import typing

from _jitlens.python import is_unknown, unknown

from ._convert import Problem, converted, within
from ._fields import UNDEFINED, Check, Computed, FieldInfo, PrivateAttr, ValidationError, Writer, copied


def _own(cls):
    """The fields of a class, those of its bases first, by their names; the types of all."""
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except NameError:
        # One that comes later.
        return None
    found = {}
    for base in reversed(cls.__mro__):
        for name in base.__dict__.get("__annotations__", {}):
            if name.startswith("_") or name == "model_config" or _is_of_class(hints.get(name)):
                continue
            default = base.__dict__.get("__field_defaults__", {}).get(name, UNDEFINED)
            field = default if isinstance(default, FieldInfo) else FieldInfo(default)
            field.annotation = hints.get(name, typing.Any)
            found[name] = field
    return found


def _is_of_class(kind):
    if is_unknown(kind):
        return False
    if isinstance(kind, str):
        return "ClassVar" in kind
    return kind is typing.ClassVar or typing.get_origin(kind) is typing.ClassVar


class _Fields:
    """`model_fields`: of the class, made when somebody asks."""

    def __get__(self, instance, owner):
        kept = owner.__dict__.get("__fields_kept__")
        if kept is None:
            kept = _own(owner)
            if kept is None:
                return unknown("dict", "the fields of a model that names a type which comes later")
            owner.__fields_kept__ = kept
        return kept


class BaseModel:
    model_config = {}
    model_fields = __fields__ = _Fields()
    __checks__ = ()

    def __init_subclass__(cls, **settings):
        super().__init_subclass__()
        config = {}
        for base in reversed(cls.__mro__):
            config.update(base.__dict__.get("model_config", {}))
            config.update(base.__dict__.get("__class_settings__", {}))
        cls.__class_settings__ = settings
        old = cls.__dict__.get("Config")
        if isinstance(old, type):
            config.update({name: value for name, value in old.__dict__.items() if not name.startswith("__")})
        config.update(settings)
        cls.model_config = config
        defaults = {}
        for name, kind in cls.__dict__.get("__annotations__", {}).items():
            if name in cls.__dict__ and name != "model_config" and not _is_of_class(kind):
                defaults[name] = cls.__dict__[name]
        cls.__field_defaults__ = defaults
        # Defaults are no attributes of the class.
        for name in defaults:
            delattr(cls, name)
        own = [value for value in cls.__dict__.values() if not is_unknown(value) and isinstance(value, Check)]
        cls.__checks__ = tuple([check for check in cls.__checks__]) + tuple(own)

    def __class_getitem__(cls, parameters):
        return cls

    def __init__(self, /, **data):
        cls = type(self)
        config = cls.model_config
        for check in cls.__checks__:
            if check.names is None and check.mode == "before":
                data = check.__get__(None, cls)(data)
        problems, values, given = [], {}, set()
        fields = cls.model_fields
        by_name = config.get("populate_by_name", config.get("validate_by_name", False))
        for name, field in fields.items():
            names = field.names()
            found = [one for one in names + ([name] if by_name or not names else []) if one in data]
            if found:
                value = data[found[0]]
                given.add(name)
                try:
                    values[name] = self._taken(name, field, value)
                except Problem as problem:
                    problems.append((name, problem.args[0]))
            elif field.is_required():
                problems.append(((names or [name])[0], "Field required"))
            else:
                values[name] = field.made()
                if config.get("validate_default"):
                    values[name] = self._taken(name, field, values[name])
        known = {one for name, field in fields.items() for one in [name] + field.names()}
        extra = {name: value for name, value in data.items() if name not in known}
        if extra and config.get("extra") == "forbid":
            problems += [(name, "Extra inputs are not permitted") for name in extra]
        if problems:
            raise ValidationError(cls.__name__, problems)
        if config.get("extra") == "allow":
            values.update(extra)
        for check in cls.__checks__:
            if check.names is None and check.mode == "values":
                values = check.__get__(None, cls)(values)
        for name, value in values.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "__given__", given)
        for base in reversed(cls.__mro__):
            for name, default in base.__dict__.get("__field_defaults__", {}).items():
                if name.startswith("_"):
                    private = default if isinstance(default, PrivateAttr) else FieldInfo(default)
                    if not private.is_required():
                        object.__setattr__(self, name, private.made())
        self.model_post_init(None)
        try:
            for check in cls.__checks__:
                if check.names is None and check.mode == "after":
                    check.__get__(self, cls)()
        except (ValueError, AssertionError) as error:
            if isinstance(error, ValidationError):
                raise
            kind = "Assertion failed" if isinstance(error, AssertionError) else "Value error"
            raise ValidationError(cls.__name__, [("", f"{kind}, {error}")]) from None

    def _taken(self, name, field, value):
        cls = type(self)
        checks = [check for check in cls.__checks__ if check.names is not None and (name in check.names or "*" in check.names)]
        try:
            for check in checks:
                if check.mode == "before":
                    value = _asked(check, cls, value)
            if not any([check.mode == "plain" for check in checks]):
                value = within(converted(value, field.annotation, cls), field.options)
            for check in checks:
                if check.mode in ("after", "plain"):
                    value = _asked(check, cls, value)
                elif check.mode == "wrap":
                    value = unknown("object", "a field with a check around it")
        except ValidationError as error:
            raise Problem(error.problems[0][1]) from None
        except (ValueError, AssertionError) as error:
            kind = "Assertion failed" if isinstance(error, AssertionError) else "Value error"
            raise Problem(f"{kind}, {error}") from None
        return value

    def model_post_init(self, context, /):
        pass

    def __setattr__(self, name, value):
        cls = type(self)
        if name.startswith("_"):
            object.__setattr__(self, name, value)
            return
        config = cls.model_config
        fields = cls.model_fields
        if name not in fields and config.get("extra") != "allow" and not isinstance(getattr(cls, name, None), property):
            raise ValueError(f'"{cls.__name__}" object has no field "{name}"')
        if config.get("frozen") or name in fields and fields[name].options.get("frozen"):
            raise ValidationError(cls.__name__, [(name, "Instance is frozen")])
        if config.get("validate_assignment") and name in fields:
            try:
                value = self._taken(name, fields[name], value)
            except Problem as problem:
                raise ValidationError(cls.__name__, [(name, problem.args[0])]) from None
        object.__setattr__(self, name, value)
        self.__given__.add(name)

    def _values(self):
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    def _written(self):
        values = self._values()
        for base in reversed(type(self).__mro__):
            for name, member in base.__dict__.items():
                if not is_unknown(member) and isinstance(member, Computed):
                    values[name] = getattr(self, name)
        return values

    @property
    def model_fields_set(self):
        return self.__given__

    def model_dump(self, *, mode="python", include=None, exclude=None, by_alias=False, exclude_unset=False, exclude_none=False, **options):
        values = self._written()
        has_own = any([isinstance(member, Writer) for base in type(self).__mro__ for member in base.__dict__.values() if not is_unknown(member)])
        if has_own or by_alias or options.get("exclude_defaults"):
            return unknown("dict", "a model written with options")
        return {name: _dumped(value) for name, value in values.items()
                if (include is None or name in include) and (exclude is None or name not in exclude)
                and (not exclude_unset or name in self.__given__) and (not exclude_none or value is not None)}

    def dict(self, **options):
        return self.model_dump(**options)

    def model_dump_json(self, *, indent=None, **options):
        separators = (",", ":") if indent is None else (",", ": ")
        return json.dumps(self.model_dump(**options), indent=indent, separators=separators, ensure_ascii=False, default=_of_json)

    def json(self, **options):
        return self.model_dump_json(**options)

    @classmethod
    def model_validate(cls, obj, **options):
        if isinstance(obj, cls):
            return obj
        if isinstance(obj, dict):
            return cls(**obj)
        return unknown("object", "a model made of an object's attributes")

    @classmethod
    def parse_obj(cls, obj):
        return cls.model_validate(obj)

    @classmethod
    def model_validate_json(cls, json_data, **options):
        return cls(**json.loads(json_data))

    @classmethod
    def parse_raw(cls, b, **options):
        return cls.model_validate_json(b)

    @classmethod
    def model_construct(cls, _fields_set=None, **values):
        made = cls.__new__(cls)
        for name, field in cls.model_fields.items():
            if name in values or not field.is_required():
                object.__setattr__(made, name, values[name] if name in values else field.made())
        object.__setattr__(made, "__given__", set(values))
        return made

    @classmethod
    def model_rebuild(cls, **options):
        return None

    @classmethod
    def model_json_schema(cls, **options):
        return unknown("dict", "the schema of a model")

    def model_copy(self, *, update=None, deep=False):
        import copy
        made = type(self).__new__(type(self))
        for name, value in self.__dict__.items():
            object.__setattr__(made, name, copy.deepcopy(value) if deep else value)
        for name, value in (update or {}).items():
            object.__setattr__(made, name, value)
        return made

    def copy(self, *, update=None, deep=False, **options):
        return self.model_copy(update=update, deep=deep)

    def __iter__(self):
        return iter(self._values().items())

    def __eq__(self, other):
        if not isinstance(other, BaseModel):
            return NotImplemented
        return type(self) is type(other) and self._values() == other._values()

    def __hash__(self):
        if not type(self).model_config.get("frozen"):
            raise TypeError(f"unhashable type: '{type(self).__name__}'")
        return hash(tuple(self._values().values()))

    def __repr_args__(self):
        return [(name, value) for name, value in self._written().items()
                if name not in type(self).model_fields or type(self).model_fields[name].options.get("repr", True)]

    def __repr__(self):
        return f"{type(self).__name__}({', '.join([f'{name}={value!r}' for name, value in self.__repr_args__()])})"

    def __str__(self):
        return " ".join([f"{name}={value!r}" for name, value in self.__repr_args__()])


def _asked(check, cls, value):
    function = check.__get__(None, cls)
    import inspect
    if len(inspect.signature(function).parameters) > 1:
        return unknown("object", "a field whose check asks for the others")
    return function(value)


def _of_json(value):
    if isinstance(value, (set, frozenset)):
        return list(value)
    return str(value)


def _dumped(value):
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, dict):
        return {key: _dumped(one) for key, one in value.items()}
    if type(value) in (list, tuple, set):
        return type(value)([_dumped(one) for one in value])
    return copied(value)


class RootModel(BaseModel):
    root: typing.Any

    def __init__(self, /, root=UNDEFINED, **data):
        super().__init__(**(data if root is UNDEFINED else {"root": root}))


class TypeAdapter:
    def __init__(self, type, **options):
        self._type = type

    def validate_python(self, value, **options):
        try:
            return converted(value, self._type)
        except Problem as problem:
            raise ValidationError(getattr(self._type, "__name__", str(self._type)), [("", problem.args[0])]) from None


def create_model(model_name, /, *, __base__=None, **fields):
    body = {"__annotations__": {}}
    for name, given in fields.items():
        kind, default = given if isinstance(given, tuple) else (type(given), given)
        body["__annotations__"][name] = kind
        if default is not ...:
            body[name] = default
    return type(model_name, (__base__ or BaseModel,), body)
