"""What says how a field of a model is filled."""
import dataclasses
import types


class _Undefined:
    def __repr__(self):
        return "PydanticUndefined"


UNDEFINED = _Undefined()


class FieldInfo:
    def __init__(self, default=UNDEFINED, default_factory=None, alias=None, annotation=None, options=None):
        options = options or {}
        self.default = UNDEFINED if default is ... else default
        self.default_factory = default_factory
        self.alias = alias
        self.annotation = annotation
        self.description = options.get("description")
        self.title = options.get("title")
        self.options = options

    def is_required(self):
        return self.default is UNDEFINED and self.default_factory is None

    def names(self):
        """The names by which the field is given, the field's own left out."""
        other = self.options.get("validation_alias")
        others = other.choices if isinstance(other, AliasChoices) else (other,)
        return [name for name in (*others, self.alias) if isinstance(name, str)]

    def made(self):
        """The default of one more model: containers are copied."""
        if self.default_factory is not None:
            return self.default_factory()
        return copied(self.default)

    def of_dataclass(self):
        if self.default_factory is not None:
            return dataclasses.field(default_factory=self.default_factory)
        return dataclasses.MISSING if self.default is UNDEFINED else dataclasses.field(default=self.default)


def copied(value):
    if type(value) in (list, dict, set):
        import copy
        return copy.deepcopy(value)
    return value


def Field(default=UNDEFINED, *, default_factory=None, alias=None, **options):
    return FieldInfo(default, default_factory, alias, None, options)


class PrivateAttr(FieldInfo):
    def __init__(self, default=UNDEFINED, *, default_factory=None, init=False):
        FieldInfo.__init__(self, default, default_factory)


def ConfigDict(**settings):
    return settings


class AliasChoices:
    def __init__(self, *choices):
        self.choices = choices


class ValidationError(ValueError):
    def __init__(self, title, problems):
        self.title = title
        self.problems = problems
        count = len(problems)
        lines = [f"{count} validation error{'' if count == 1 else 's'} for {title}"]
        for name, text in problems:
            lines += [name, "  " + text]
        ValueError.__init__(self, "\n".join(lines))

    def error_count(self):
        return len(self.problems)

    def errors(self, **options):
        return [{"loc": (name,), "msg": text} for name, text in self.problems]


class Check:
    """A function of a model's that looks at fields, or at the whole, before or after they are converted."""

    def __init__(self, function, names, mode):
        self.function = function
        self.names = names
        self.mode = mode

    def __get__(self, instance, owner):
        if isinstance(self.function, classmethod):
            return types.MethodType(self.function.__func__, owner)
        return self.function if instance is None else types.MethodType(self.function, instance)


def field_validator(*names, mode="after", check_fields=None, json_schema_input_type=None):
    def made(function):
        return Check(function if isinstance(function, classmethod) else classmethod(function), names, mode)
    return made


def validator(*names, pre=False, always=False, **options):
    return field_validator(*names, mode="before" if pre else "after")


def model_validator(*, mode):
    def made(function):
        is_method = mode == "after" or isinstance(function, classmethod)
        return Check(function if is_method else classmethod(function), None, mode)
    return made


def root_validator(*args, pre=False, skip_on_failure=False, allow_reuse=False):
    def made(function):
        return Check(classmethod(function), None, "before" if pre else "values")
    return made(args[0]) if args else made


class Writer:
    """A function of a model's that says how it is written."""

    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner):
        return self.function if instance is None else types.MethodType(self.function, instance)


def field_serializer(*names, **options):
    return Writer


def model_serializer(function=None, **options):
    return Writer if function is None else Writer(function)


class Computed(property):
    """A property that is written with the fields."""


def computed_field(function=None, **options):
    def made(function):
        return Computed(function.fget if isinstance(function, property) else function)
    return made if function is None else made(function)
