"""TOML, as the older library reads it. What is written is not known."""
import tomllib as _tomllib

from _jitlens.python import unknown


class TomlDecodeError(ValueError):
    pass


def loads(s):
    return _tomllib.loads(s)


def load(f):
    if hasattr(f, "read"):
        return loads(f.read())
    with open(f) as stream:
        return loads(stream.read())


def dumps(o):
    return unknown("str", "a text of TOML")


def dump(o, f):
    text = dumps(o)
    f.write(text)
    return text


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`toml.{name}` is not modelled")
