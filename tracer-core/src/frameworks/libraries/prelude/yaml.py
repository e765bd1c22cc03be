"""YAML, as PyYAML reads it. What is written, and what a program's own constructors make, is not known."""
import datetime as _datetime
import re as _re

from _jitlens.python import is_unknown, unknown, yaml_events

_CORE = "tag:yaml.org,2002:"

_FLOAT = _re.compile(
    r"[-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?|\.[0-9][0-9_]*([eE][-+][0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_INT = _re.compile(
    r"[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+"
)
_TIME = _re.compile(
    r"([0-9]{4})-([0-9][0-9]?)-([0-9][0-9]?)"
    r"((?:[Tt]|[ \t]+)[0-9][0-9]?:[0-9][0-9]:[0-9][0-9](?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9][0-9]?(?::[0-9][0-9])?))?)?"
)
_BOOLS = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}


class YAMLError(Exception):
    pass


class MarkedYAMLError(YAMLError):
    pass


class BaseLoader:
    _changed = False
    _resolves = False

    @classmethod
    def _change(cls, *args, **kwargs):
        cls._changed = True

    add_constructor = add_multi_constructor = add_implicit_resolver = add_path_resolver = _change


class SafeLoader(BaseLoader):
    _resolves = True


class FullLoader(SafeLoader):
    pass


class UnsafeLoader(SafeLoader):
    pass


class Loader(SafeLoader):
    pass


class CBaseLoader(BaseLoader):
    pass


class CSafeLoader(SafeLoader):
    pass


class CFullLoader(FullLoader):
    pass


class CUnsafeLoader(UnsafeLoader):
    pass


class CLoader(Loader):
    pass


_OURS = (BaseLoader, SafeLoader, FullLoader, UnsafeLoader, Loader, CBaseLoader, CSafeLoader, CFullLoader, CUnsafeLoader, CLoader)


class _NotKnown(Exception):
    """What stands in the text is not read here."""


def _tag_of(text):
    """What a scalar without quotes is."""
    if text in ("~", "null", "Null", "NULL", ""):
        return "null"
    if text in ("=", "<<"):
        return "special"
    if text.lower() in _BOOLS and text in (text.lower(), text.upper(), text.capitalize()):
        return "bool"
    if text[0] in "-+.0123456789":
        if _INT.fullmatch(text):
            return "int"
        if _FLOAT.fullmatch(text):
            return "float"
        match = _TIME.fullmatch(text)
        if match and (match[4] or len(text) == 10):
            return "timestamp"
    return "str"


def _sixty(text, number):
    total = 0
    for part in text.split(":"):
        total = total * 60 + number(part)
    return total


def _int(text):
    text = text.replace("_", "")
    sign = -1 if text[0] == "-" else 1
    text = text.lstrip("+-")
    if text == "0":
        return 0
    if text.startswith("0b"):
        return sign * int(text[2:], 2)
    if text.startswith("0x"):
        return sign * int(text[2:], 16)
    if text[0] == "0":
        return sign * int(text, 8)
    return sign * (_sixty(text, int) if ":" in text else int(text))


def _float(text):
    text = text.replace("_", "").lower()
    sign = -1.0 if text[0] == "-" else 1.0
    text = text.lstrip("+-")
    if text == ".inf":
        return sign * float("inf")
    if text == ".nan":
        return float("nan")
    return sign * (_sixty(text, float) if ":" in text else float(text))


def _scalar(text, tag):
    if tag == "str":
        return text
    if tag == "null":
        return None
    if tag == "bool":
        return _BOOLS[text.lower()]
    if tag == "int":
        return _int(text)
    if tag == "float":
        return _float(text)
    if tag == "timestamp":
        match = _TIME.fullmatch(text)
        if match and match[4] is None:
            return _datetime.date(int(match[1]), int(match[2]), int(match[3]))
        return unknown("", "a time in a file")
    raise _NotKnown(tag)


class _Reading:
    """One walk through the events of a text."""

    def __init__(self, events, resolves):
        self.events, self.at, self.resolves = events, 0, resolves
        self.anchors = {}

    def next(self):
        event = self.events[self.at]
        self.at += 1
        return event

    def documents(self):
        found = []
        while self.at < len(self.events):
            kind = self.next()[0]
            if kind == "document":
                self.anchors = {}
                found.append(self.node(self.next()))
        return found

    def plain_tag(self, text):
        return _tag_of(text)

    def tag(self, given, usual):
        if not self.resolves:
            return usual if usual in ("seq", "map") else "str"
        if given is None:
            return usual
        if given == "!":
            return usual if usual in ("seq", "map") else "str"
        if given.startswith(_CORE):
            return given[len(_CORE) :]
        raise _NotKnown(given)

    def node(self, event):
        kind = event[0]
        if kind == "alias":
            return self.anchors[event[1]]
        if kind == "scalar":
            _, anchor, tag, text, plain = event
            value = _scalar(text, self.tag(tag, self.plain_tag(text) if plain and self.resolves else "str"))
            self.anchors[anchor] = value
            return value
        if kind == "sequence":
            _, anchor, tag = event
            tag = self.tag(tag, "seq")
            items = []
            self.anchors[anchor] = items
            event = self.next()
            while event[0] != "end":
                items.append(self.node(event))
                event = self.next()
            if tag == "python/tuple":
                items = tuple(items)
                self.anchors[anchor] = items
            elif tag != "seq":
                raise _NotKnown(tag)
            return items
        _, anchor, tag = event
        if self.tag(tag, "map") != "map":
            raise _NotKnown(tag)
        made = {}
        self.anchors[anchor] = made
        merged, own = [], []
        event = self.next()
        while event[0] != "end":
            is_merge = self.resolves and event[0] == "scalar" and event[2] is None and event[3] == "<<" and event[4]
            key = None if is_merge else self.node(event)
            value = self.node(self.next())
            if not is_merge:
                own.append((key, value))
            elif isinstance(value, dict):
                merged.extend(value.items())
            else:
                for part in reversed(value):
                    merged.extend(part.items())
            event = self.next()
        for key, value in merged + own:
            made[key] = value
        return made


def _read(stream, loader):
    """The documents of a text or of what has one, or `None` if that is not known."""
    if loader not in _OURS or any([kind._changed for kind in _OURS]):
        return None
    text = stream if isinstance(stream, (str, bytes)) or is_unknown(stream) else stream.read()
    if is_unknown(text):
        return None
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    events = yaml_events(text)
    if is_unknown(events):
        return None
    try:
        return _Reading(events, loader._resolves).documents()
    except (_NotKnown, TypeError, ValueError, AttributeError):
        return None


def load(stream, Loader):
    found = _read(stream, Loader)
    if found is None or len(found) > 1:
        return unknown("", "what is read from YAML")
    return found[0] if found else None


def load_all(stream, Loader):
    found = _read(stream, Loader)
    return unknown("", "what is read from YAML") if found is None else iter(found)


def safe_load(stream):
    return load(stream, SafeLoader)


def safe_load_all(stream):
    return load_all(stream, SafeLoader)


def full_load(stream):
    return load(stream, FullLoader)


def full_load_all(stream):
    return load_all(stream, FullLoader)


def unsafe_load(stream):
    return load(stream, UnsafeLoader)


def unsafe_load_all(stream):
    return load_all(stream, UnsafeLoader)


def _change(*args, **kwargs):
    """Constructors of the program's own are for any loader."""
    BaseLoader._changed = True


add_constructor = add_multi_constructor = add_implicit_resolver = add_path_resolver = _change


def dump(data, stream=None, Dumper=None, **options):
    text = unknown("str", "a text of YAML")
    if stream is None:
        return text
    stream.write(text)


def dump_all(documents, stream=None, Dumper=None, **options):
    return dump(None, stream)


def safe_dump(data, stream=None, **options):
    return dump(data, stream)


def safe_dump_all(documents, stream=None, **options):
    return dump(None, stream)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`yaml.{name}` is not modelled")
