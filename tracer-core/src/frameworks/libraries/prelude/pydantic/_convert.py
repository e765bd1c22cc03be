"""What a value becomes in a field of a type."""
import enum
import pathlib
import sys
import types
import typing

from _jitlens.python import is_unknown, unknown

from ._fields import FieldInfo


class Problem(Exception):
    pass


def converted(value, annotation, owner=None):
    """The value as the annotation has it; names in it are those of the owner's module.

    Raises `Problem` for one that is none of such."""
    if is_unknown(annotation):
        return _unclear()
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        annotation = _named(annotation, owner)
    if is_unknown(value) or annotation is typing.Any:
        return value
    if is_unknown(annotation):
        return _unclear()
    if isinstance(annotation, type):
        return _of_class(value, annotation)
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return limited(converted(value, args[0], owner), annotation.__metadata__)
    if origin is typing.Union or origin is types.UnionType:
        return _of_any(value, args, owner)
    if origin is typing.Literal:
        if value not in args:
            shown = [repr(one) for one in args]
            wanted = shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1]
            raise Problem(f"Input should be {wanted}")
        return value
    if origin in (list, set, frozenset) and args and isinstance(value, (list, tuple, set, frozenset)):
        return origin([converted(one, args[0], owner) for one in value])
    if origin is tuple and args and isinstance(value, (list, tuple)):
        if len(args) == 2 and args[1] is ...:
            return tuple([converted(one, args[0], owner) for one in value])
        if len(args) != len(value):
            raise Problem("Field required" if len(value) < len(args) else f"Tuple should have at most {len(args)} items after validation")
        return tuple([converted(one, kind, owner) for one, kind in zip(value, args)])
    if origin is dict and isinstance(value, dict):
        return {converted(key, args[0], owner): converted(one, args[1], owner) for key, one in value.items()}
    if origin in (list, set, frozenset, tuple, dict):
        raise Problem(f"Input should be a valid {_SHOWN[origin]}")
    return _unclear()


def _unclear():
    return unknown("object", "what a model's field is made of")


def _named(name, owner):
    """What a name in an annotation of a model stands for."""
    if owner is None:
        return _unclear()
    if name == owner.__name__:
        return owner
    found = getattr(sys.modules.get(owner.__module__), name, None) if name.isidentifier() else None
    return _unclear() if found is None else found


def limited(value, limits):
    """The value, if it keeps within what fields, or what annotates a type, say."""
    for one in limits:
        if is_unknown(one) or not isinstance(one, (FieldInfo, str)):
            return _unclear()
        if isinstance(one, FieldInfo):
            value = within(value, one.options)
    return value


_COMPARED = (("gt", "greater than", lambda a, b: a > b), ("ge", "greater than or equal to", lambda a, b: a >= b),
             ("lt", "less than", lambda a, b: a < b), ("le", "less than or equal to", lambda a, b: a <= b))
# What other options may change of a value, or refuse.
_OTHERS = ("multiple_of", "pattern", "regex", "strict", "allow_inf_nan", "max_digits", "decimal_places", "discriminator", "strip_whitespace",
           "to_lower", "to_upper", "union_mode", "unique_items", "const")


def within(value, options):
    if is_unknown(value) or value is None:
        return value
    for name, words, holds in _COMPARED:
        limit = options.get(name)
        if limit is not None and not holds(value, limit):
            raise Problem(f"Input should be {words} {limit}")
    least, most = options.get("min_length", options.get("min_items")), options.get("max_length", options.get("max_items"))
    if least is not None and len(value) < least or most is not None and len(value) > most:
        raise Problem("The length is out of bounds")
    if any([options.get(name) is not None for name in _OTHERS]):
        return _unclear()
    return value


_SHOWN = {list: "list", set: "set", frozenset: "frozenset", tuple: "tuple", dict: "dictionary", int: "integer", float: "number", str: "string",
          bool: "boolean"}
_TRUTHS = {"true": True, "yes": True, "on": True, "1": True, "t": True, "y": True,
           "false": False, "no": False, "off": False, "0": False, "f": False, "n": False}


def _of_class(value, kind):
    from ._model import BaseModel
    if kind is type(None):
        if value is not None:
            raise Problem("Input should be None")
        return value
    if kind is bool:
        return _truth(value)
    if kind is int and not isinstance(value, bool) and isinstance(value, int) or kind is float and isinstance(value, float):
        return value
    if kind in (int, float):
        return _number(value, kind)
    if kind is str:
        if not isinstance(value, str):
            raise Problem("Input should be a valid string")
        return value
    if kind in (list, tuple, set, frozenset, dict):
        if isinstance(value, kind):
            return kind(value)
        if kind is dict or not isinstance(value, (list, tuple, set, frozenset)):
            raise Problem(f"Input should be a valid {_SHOWN[kind]}")
        return kind(value)
    if issubclass(kind, BaseModel):
        if isinstance(value, dict):
            return kind(**value)
        if not isinstance(value, kind):
            raise Problem(f"Input should be a valid dictionary or instance of {kind.__name__}")
        return value
    if issubclass(kind, enum.Enum):
        if isinstance(value, kind):
            return value
        try:
            return kind(value)
        except ValueError:
            raise Problem(f"Input should be {' or '.join([repr(one.value) for one in kind])}") from None
    if issubclass(kind, pathlib.PurePath) and isinstance(value, str):
        return kind(value)
    # Dates, bytes and others are made of texts and numbers in ways of their own.
    return value if isinstance(value, kind) else _unclear()


def _truth(value):
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)) and value in (0, 1):
        return bool(value)
    if isinstance(value, str) and value.lower() in _TRUTHS:
        return _TRUTHS[value.lower()]
    raise Problem("Input should be a valid boolean")


def _number(value, kind):
    shown = "integer" if kind is int else "number"
    if isinstance(value, str):
        try:
            return kind(value)
        except ValueError:
            raise Problem(f"Input should be a valid {shown}, unable to parse string as {'an' if kind is int else 'a'} {shown}") from None
    if isinstance(value, (bool, int)):
        return kind(value)
    if isinstance(value, float):
        if value != value or value - value != 0:
            raise Problem("Input should be a finite number")
        if value != int(value):
            raise Problem("Input should be a valid integer, got a number with a fractional part")
        return int(value)
    if value is None or isinstance(value, (list, tuple, dict, set)):
        raise Problem(f"Input should be a valid {shown}")
    # A number of a framework's.
    return unknown(kind.__name__, "a field made of a value that is no number of Python's")


def _of_any(value, kinds, owner):
    """The first that has the value as it is; the one that takes it otherwise, where there is one."""
    for kind in kinds:
        if isinstance(kind, type) and type(value) is kind:
            return value
    found = []
    for kind in kinds:
        try:
            found.append(converted(value, kind, owner))
        except Problem:
            pass
    if not found:
        raise Problem("Input should be one of several types")
    return found[0] if len(found) == 1 else _unclear()
