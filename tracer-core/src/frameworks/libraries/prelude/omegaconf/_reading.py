"""Configurations out of texts: YAML as OmegaConf reads it, and interpolations."""
import os
import re

import yaml
from _jitlens.python import is_unknown, unknown, yaml_events

from .errors import InterpolationKeyError, InterpolationResolutionError, UnsupportedInterpolationType

_FLOAT = re.compile(
    r"[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?(?:[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)|\.[0-9_]+(?:[eE][-+][0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)


class _Reading(yaml._Reading):
    def plain_tag(self, text):
        if text and text[0] in "-+.0123456789" and _FLOAT.fullmatch(text):
            return "float"
        tag = yaml._tag_of(text)
        return "str" if tag == "timestamp" else tag


def read(text):
    """What a text of YAML says."""
    events = unknown("", "what is read from YAML") if is_unknown(text) else yaml_events(text)
    if is_unknown(events):
        return events
    try:
        found = _Reading(events, True).documents()
    except (yaml._NotKnown, TypeError, ValueError, AttributeError):
        return unknown("", "what is read from YAML")
    return found[0] if found else None


# Resolvers by name: what makes a value out of arguments.
resolvers = {}


def is_interpolation(value):
    return isinstance(value, str) and not is_unknown(value) and "${" in value


def resolved(text, node, key=None):
    """The value of a text with interpolations; `node` is the container that it stands in."""
    start = text.index("${")
    end = _closing(text, start)
    if end < 0:
        return text
    value = _value_of(text[start + 2:end], node)
    if start == 0 and end == len(text) - 1:
        return value
    rest = text[end + 1:]
    if is_interpolation(rest):
        rest = resolved(rest, node)
    return text[:start] + str(value) + str(rest)


def _closing(text, start):
    depth = 0
    for at in range(start, len(text)):
        if text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at
    return -1


def _value_of(inside, node):
    if is_interpolation(inside) and ":" not in inside[:inside.index("${")]:
        inside = str(resolved(inside, node))
    name, colon, rest = inside.partition(":")
    if colon and re.fullmatch(r"[A-Za-z_][\w.]*", name):
        return _resolver(name, rest, node)
    return _followed(inside.strip(), node)


def _followed(path, node):
    """What a path leads to, from the root or, with dots before it, from the container."""
    whole, up = path, 0
    while path.startswith("."):
        path, up = path[1:], up + 1
    at = node
    for _ in range(up - 1):
        at = at._get_parent()
    if up == 0:
        at = node._get_root()
    for key in keys_of(path):
        found = at._node(key) if hasattr(at, "_node") else None
        if found is None or not found[0]:
            raise InterpolationKeyError(f"Interpolation key '{whole}' not found")
        at = found[1]
    return at


def keys_of(path):
    """`a.b[0]` in parts."""
    return [part for part in path.replace("[", ".").replace("]", "").split(".") if part]


def _arguments(text, node):
    """The arguments of a resolver: what stands between commas, read as YAML reads it."""
    parts, depth, quote, word = [], 0, "", ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "{[(":
            depth += 1
        elif letter in "}])":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(word)
            word = ""
            continue
        word += letter
    if word.strip() or parts:
        parts.append(word)
    return [_argument(part.strip(), node) for part in parts]


def _argument(text, node):
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    if quoted:
        text = text[1:-1]
    if is_interpolation(text):
        return resolved(text, node)
    return text if quoted else read(text)


def _resolver(name, rest, node):
    if name == "oc.env":
        args = _arguments(rest, node)
        value = os.environ.get(args[0])
        if value is None and len(args) < 2:
            raise InterpolationResolutionError(f"Environment variable '{args[0]}' not found")
        return args[1] if value is None else value
    if name == "oc.select":
        args = _arguments(rest, node)
        found = node._get_root()._select(args[0])
        return (args[1] if len(args) > 1 else None) if found is None else found
    if name == "oc.decode":
        value = _arguments(rest, node)[0]
        return read(value) if isinstance(value, str) else value
    if name in ("hydra", "now"):
        return unknown("str" if name == "now" else "", f"`${{{name}:…}}` of a configuration")
    if name not in resolvers:
        raise UnsupportedInterpolationType(f"Unsupported interpolation type {name}")
    return resolvers[name](*_arguments(rest, node))
