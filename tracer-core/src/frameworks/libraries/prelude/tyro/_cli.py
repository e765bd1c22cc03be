"""The value that a signature has without a command line, or with the words of one that the program gives itself."""

import dataclasses
import enum
import inspect
import pathlib
import types
import typing

from _jitlens.python import unknown


class _Missing:
    def __repr__(self):
        return "tyro.MISSING"


MISSING = _Missing()

_KINDS = {int: "int", float: "float", str: "str", bool: "bool"}
_WHY = "an argument of the command line"


class _NotUnderstood(Exception):
    pass


class _Words:
    """The words of a command line by what they name; a flag has none."""

    def __init__(self, args):
        self.found = {}
        name = None
        for word in args:
            if word.startswith("--"):
                name, eq, value = word[2:].partition("=")
                name = name.replace("-", "_")
                self.found[name] = [value] if eq else []
            elif name is None:
                raise _NotUnderstood(word)
            else:
                self.found[name].append(word)

    def under(self, path):
        return any([name == path or name.startswith(path + ".") or name == _negated(path) for name in self.found])

    def take(self, path):
        return self.found.pop(path, None)


def _negated(path):
    before, dot, last = path.rpartition(".")
    return f"{before}{dot}no_{last}"


def _plain(kind):
    """The type inside of `Annotated` and the like, and what makes it where a note says so."""
    made_by = None
    while True:
        if typing.get_origin(kind) is typing.Annotated:
            for note in kind.__metadata__:
                made_by = getattr(note, "constructor", None) or made_by
            kind = typing.get_args(kind)[0]
        elif typing.get_origin(kind) in (typing.Final, typing.ClassVar):
            kind = typing.get_args(kind)[0]
        elif hasattr(kind, "__supertype__"):
            kind = kind.__supertype__
        else:
            return kind, made_by


def _hints(of):
    try:
        return typing.get_type_hints(of, include_extras=True)
    except Exception:
        return {}


def _is_structure(kind):
    if not isinstance(kind, type) or kind in _KINDS or issubclass(kind, enum.Enum):
        return False
    return dataclasses.is_dataclass(kind) or hasattr(kind, "_fields") or hasattr(kind, "__attrs_attrs__")


def _from_words(kind, words):
    kind, made_by = _plain(kind)
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if made_by is not None:
        raise _NotUnderstood(kind)
    if origin in (typing.Union, types.UnionType):
        for one in inner:
            if one is type(None):
                if words == ["None"]:
                    return None
                continue
            try:
                return _from_words(one, words)
            except _NotUnderstood:
                pass
    elif origin in (list, tuple, set, frozenset):
        if origin is tuple and Ellipsis not in inner:
            if len(inner) == len(words):
                return tuple([_from_words(one, [word]) for one, word in zip(inner, words)])
        elif inner:
            return origin([_from_words(inner[0], [word]) for word in words])
    elif len(words) == 1:
        (word,) = words
        if origin is typing.Literal:
            for one in inner:
                if str(one) == word:
                    return one
        elif kind is bool:
            if word in ("True", "False"):
                return word == "True"
        elif kind in (int, float, str, pathlib.Path):
            try:
                return kind(word)
            except ValueError:
                pass
        elif isinstance(kind, type) and issubclass(kind, enum.Enum) and word in kind.__members__:
            return kind[word]
    raise _NotUnderstood(kind)


def _given(kind, path, words):
    """What words name for this path; MISSING where none do."""
    found = words.take(path)
    if found is None:
        return MISSING if words.take(_negated(path)) is None else False
    if not found and _plain(kind)[0] is bool:
        return True
    return _from_words(kind, found)


def _wanted(kind, path, words):
    """What has no default."""
    kind, made_by = _plain(kind)
    if made_by is not None:
        return _called(made_by, path, words)
    given = _given(kind, path, words)
    if given is not MISSING:
        return given
    if _is_structure(kind):
        return _called(kind, path, words)
    inner = typing.get_args(kind)
    if typing.get_origin(kind) is tuple and inner and Ellipsis not in inner:
        return tuple([_wanted(one, f"{path}.{i}", words) for i, one in enumerate(inner)])
    return unknown(_KINDS.get(kind, "") if isinstance(kind, type) else "", _WHY)


def _changed(default, path, words):
    """A default structure with the fields that words name."""
    names = [field.name for field in dataclasses.fields(default) if field.init]
    hints = _hints(type(default))
    changes = {}
    for name in names:
        there = f"{path}.{name}" if path else name
        value = getattr(default, name)
        if value is MISSING:
            changes[name] = _wanted(hints.get(name), there, words)
        elif words.under(there):
            changes[name] = _one(hints.get(name, type(value)), value, there, words)
    return dataclasses.replace(default, **changes) if changes else default


def _one(kind, default, path, words):
    if default is MISSING or default is inspect.Parameter.empty:
        return _wanted(kind, path, words)
    if dataclasses.is_dataclass(default) and not isinstance(default, type):
        return _changed(default, path, words)
    given = _given(kind, path, words)
    return default if given is MISSING else given


def _parameters(of):
    """Names, types and defaults of what a call takes."""
    if isinstance(of, type) and dataclasses.is_dataclass(of):
        hints = _hints(of)
        for field in dataclasses.fields(of):
            if field.init:
                default = field.default
                if field.default_factory is not dataclasses.MISSING:
                    default = field.default_factory()
                elif default is dataclasses.MISSING:
                    default = MISSING
                yield field.name, hints.get(field.name, field.type), default, False
        return
    hints = _hints(of.__init__ if isinstance(of, type) and not hasattr(of, "_fields") else of)
    for name, parameter in inspect.signature(of).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        default = MISSING if parameter.default is parameter.empty else parameter.default
        kind = hints.get(name, parameter.annotation)
        yield name, kind, default, parameter.kind is parameter.POSITIONAL_ONLY


def _arguments(of, path, words):
    positional, named = [], {}
    for name, kind, default, is_positional in _parameters(of):
        there = f"{path}.{name}" if path else name
        # What keeps its default is left to the call, which makes it as it would.
        kept = default is not MISSING and not words.under(there) and not _lacks(default)
        if is_positional:
            positional.append(default if kept else _one(kind, default, there, words))
        elif not kept:
            named[name] = _one(kind, default, there, words)
    return positional, named


def _called(of, path, words):
    positional, named = _arguments(of, path, words)
    return of(*positional, **named)


def _lacks(default):
    """Whether a field of a default has still to be given."""
    if default is MISSING:
        return True
    if not dataclasses.is_dataclass(default) or isinstance(default, type):
        return False
    return any([_lacks(getattr(default, field.name)) for field in dataclasses.fields(default) if field.init])


def cli(
    f,
    *,
    prog=None,
    description=None,
    args=None,
    default=MISSING,
    return_unknown_args=False,
    use_underscores=False,
    console_outputs=True,
    add_help=True,
    compact_help=False,
    config=None,
    registry=None,
):
    result = _answer(f, args, default)
    return (result, []) if return_unknown_args else result


def _answer(f, args, default):
    kind, made_by = _plain(f)
    kind = kind if made_by is None else made_by
    try:
        words = _Words(() if args is None else args)
        if default is not MISSING:
            if not dataclasses.is_dataclass(default) or isinstance(default, type):
                return unknown("", "a command line") if words.found else default
            result = _changed(default, "", words)
            return unknown("", "a command line") if words.found else result
        if isinstance(kind, type) and (kind in _KINDS or issubclass(kind, enum.Enum)):
            return unknown(_KINDS.get(kind, ""), _WHY)
        if typing.get_origin(kind) is not None:
            return unknown("", _WHY)
        positional, named = _arguments(kind, "", words)
    except _NotUnderstood:
        return unknown("", "a command line")
    if words.found:
        return unknown("", "a command line")
    return kind(*positional, **named)
