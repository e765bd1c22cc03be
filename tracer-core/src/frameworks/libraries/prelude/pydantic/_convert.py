"""What a value becomes in a field of a type."""
import enum
import pathlib
import types
import typing

from _jitlens.python import is_unknown, unknown


class Problem(Exception):
    pass


def converted(value, annotation):
    """The value as the annotation has it.

    Raises `Problem` for one that is none of such."""
    if is_unknown(value) or is_unknown(annotation) or annotation is typing.Any:
        return value
    if isinstance(annotation, type):
        return _of_class(value, annotation)
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return converted(value, args[0])
    if origin is typing.Union or origin is types.UnionType:
        return _of_any(value, args)
    if origin is typing.Literal:
        if value not in args:
            shown = [repr(one) for one in args]
            wanted = shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1]
            raise Problem(f"Input should be {wanted}")
        return value
    if origin in (list, set, frozenset) and args and isinstance(value, (list, tuple, set, frozenset)):
        return origin([converted(one, args[0]) for one in value])
    if origin is tuple and args and isinstance(value, (list, tuple)):
        if len(args) == 2 and args[1] is ...:
            return tuple([converted(one, args[0]) for one in value])
        if len(args) != len(value):
            raise Problem("Field required" if len(value) < len(args) else f"Tuple should have at most {len(args)} items after validation")
        return tuple([converted(one, kind) for one, kind in zip(value, args)])
    if origin is dict and isinstance(value, dict):
        return {converted(key, args[0]): converted(one, args[1]) for key, one in value.items()}
    if origin in (list, set, frozenset, tuple, dict):
        raise Problem(f"Input should be a valid {_SHOWN[origin]}")
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
    if issubclass(kind, pathlib.PurePath):
        return kind(value) if isinstance(value, str) else value
    return value


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
        if value != int(value):
            raise Problem("Input should be a valid integer, got a number with a fractional part")
        return int(value)
    if value is None or isinstance(value, (list, tuple, dict, set)):
        raise Problem(f"Input should be a valid {shown}")
    # A number of a framework's.
    return unknown(kind.__name__, "a field made of a value that is no number of Python's")


def _of_any(value, kinds):
    """The first that has the value as it is; the first that takes it otherwise."""
    for kind in kinds:
        if isinstance(kind, type) and type(value) is kind:
            return value
    for kind in kinds:
        try:
            return converted(value, kind)
        except Problem:
            pass
    raise Problem("Input should be one of several types")
