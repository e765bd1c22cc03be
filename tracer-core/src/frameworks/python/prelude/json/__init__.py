"""JSON: written exactly where everything is known, and read the same."""

from _jitlens.python import is_unknown, json as _json, unknown


class JSONDecodeError(ValueError):
    def __init__(self, msg, doc="", pos=0):
        line, column = doc.count("\n", 0, pos) + 1, pos - doc.rfind("\n", 0, pos)
        super().__init__(f"{msg}: line {line} column {column} (char {pos})")
        self.msg, self.doc, self.pos, self.lineno, self.colno = msg, doc, pos, line, column


class JSONEncoder:
    item_separator, key_separator = ", ", ": "

    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, sort_keys=False, indent=None,
                 separators=None, default=None):
        self.skipkeys, self.ensure_ascii, self.check_circular, self.allow_nan = skipkeys, ensure_ascii, check_circular, allow_nan
        self.sort_keys, self.indent = sort_keys, indent
        if separators is not None:
            self.item_separator, self.key_separator = separators
        elif indent is not None:
            self.item_separator = ","
        if default is not None:
            self.default = default

    def default(self, o):
        raise TypeError(f"Object of type {type(o).__name__} is not JSON serializable")

    def encode(self, o):
        if is_unknown(o):
            return unknown("str", "the text of an unknown value")
        indent = " " * self.indent if isinstance(self.indent, int) else self.indent
        options = (self.ensure_ascii, indent, self.item_separator, self.key_separator, self.sort_keys, self.default, self.skipkeys,
                   self.allow_nan, [] if self.check_circular else None)
        return _write(o, options, 0)

    def iterencode(self, o, _one_shot=False):
        # In how many parts it comes is not told apart.
        return iter([self.encode(o)])


class JSONDecoder:
    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, strict=True, object_pairs_hook=None):
        self.object_hook, self.parse_float, self.parse_int, self.strict = object_hook, parse_float, parse_int, strict
        self.parse_constant, self.object_pairs_hook = parse_constant, object_pairs_hook

    def _hooks(self):
        return {"object_hook": self.object_hook, "parse_float": self.parse_float, "parse_int": self.parse_int,
                "parse_constant": self.parse_constant, "object_pairs_hook": self.object_pairs_hook}

    def decode(self, s):
        return loads(s, **self._hooks())

    def raw_decode(self, s, idx=0):
        if is_unknown(s):
            return unknown("", "an unknown text")
        if _skip(s, idx) != idx:
            raise JSONDecodeError("Expecting value", s, idx)
        return _value(s, idx, self._hooks())


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def _quoted(text, ascii):
    out = []
    for c in text:
        if c in _ESCAPES:
            out.append(_ESCAPES[c])
        elif ord(c) < 32 or (ascii and 126 < ord(c) < 65536):
            out.append(f"\\u{ord(c):04x}")
        elif ascii and ord(c) > 126:
            n = ord(c) - 65536
            out.append(f"\\u{0xD800 | n >> 10:04x}\\u{0xDC00 | n & 1023:04x}")
        else:
            out.append(c)
    return '"' + "".join(out) + '"'


def _number(value):
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return float.__repr__(value)


def _scalar(o, nan=True):
    if o is None:
        return "null"
    if o is True:
        return "true"
    if o is False:
        return "false"
    if isinstance(o, int):
        return int.__repr__(o)
    if isinstance(o, float):
        if not nan and (o != o or o in (float("inf"), float("-inf"))):
            raise ValueError("Out of range float values are not JSON compliant")
        return _number(o)
    return None


def _write(o, options, depth):
    if is_unknown(o):
        return unknown("str", "the text of an unknown value")
    if isinstance(o, str):
        return _quoted(o, options[0])
    text = _scalar(o, options[7])
    if text is not None:
        return text
    # What is being written: it must not be within itself.
    above = options[8]
    if above is None:
        return _write_whole(o, options, depth)
    if any([one is o for one in above]):
        raise ValueError("Circular reference detected")
    above.append(o)
    text = _write_whole(o, options, depth)
    above.pop()
    return text


def _write_whole(o, options, depth):
    indent, comma, colon = options[1], options[2], options[3]
    if isinstance(o, (list, tuple)):
        parts, ends = [_write(v, options, depth + 1) for v in o], "[]"
    elif isinstance(o, dict):
        pairs = sorted(o.items()) if options[4] else o.items()
        parts, ends = [], "{}"
        for k, v in pairs:
            if not is_unknown(k) and not isinstance(k, str):
                key = _scalar(k, options[7])
                if key is None:
                    if options[6]:
                        continue
                    raise TypeError(f"keys must be str, int, float, bool or None, not {type(k).__name__}")
                k = key
            key = unknown("str", "an unknown key") if is_unknown(k) else _quoted(k, options[0])
            parts.append(key + colon + _write(v, options, depth + 1))
    else:
        return _write(options[5](o), options, depth)
    if not parts:
        return ends
    if indent is None:
        return ends[0] + comma.join(parts) + ends[1]
    inner = "\n" + indent * (depth + 1)
    return ends[0] + inner + (comma.rstrip() + inner).join(parts) + "\n" + indent * depth + ends[1]


def dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None, indent=None, separators=None, default=None, sort_keys=False, **kw):
    if is_unknown(obj):
        return unknown("str", "the text of an unknown value")
    encoder = (cls or JSONEncoder)(skipkeys=skipkeys, ensure_ascii=ensure_ascii, check_circular=check_circular, allow_nan=allow_nan,
                                   indent=indent, separators=separators, default=default, sort_keys=sort_keys, **kw)
    return encoder.encode(obj)


def dump(obj, fp, **kw):
    if is_unknown(fp):
        dumps(obj, **kw)
        return
    fp.write(dumps(obj, **kw))


def load(fp, **kw):
    return loads(fp.read(), **kw)


_SPACE = " \t\n\r"


def _skip(s, i):
    while i < len(s) and s[i] in _SPACE:
        i += 1
    return i


def _string(s, i):
    out = []
    begin, is_whole = i - 1, True
    while True:
        if i >= len(s):
            raise JSONDecodeError("Unterminated string starting at", s, begin)
        c = s[i]
        i += 1
        if c == '"':
            return "".join(out) if is_whole else unknown("str", "a text with half a character"), i
        if c == "\\":
            c = s[i]
            i += 1
            if c == "u":
                code = int(s[i : i + 4], 16)
                i += 4
                if 0xD800 <= code < 0xDC00 and s[i : i + 2] == "\\u" and 0xDC00 <= int(s[i + 2 : i + 6], 16) < 0xE000:
                    code = 0x10000 + (code - 0xD800 << 10) + int(s[i + 2 : i + 6], 16) - 0xDC00
                    i += 6
                if 0xD800 <= code < 0xE000:
                    is_whole = False
                else:
                    out.append(chr(code))
            else:
                out.append({"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}.get(c, c))
        else:
            out.append(c)


def _value(s, i, hooks):
    i = _skip(s, i)
    if i >= len(s):
        raise JSONDecodeError("Expecting value", s, i)
    c = s[i]
    if c == '"':
        return _string(s, i + 1)
    if c == "{":
        found = []
        i = _skip(s, i + 1)
        if s[i : i + 1] == "}":
            return _made(found, hooks), i + 1
        while True:
            i = _skip(s, i)
            if s[i : i + 1] != '"':
                raise JSONDecodeError("Expecting property name enclosed in double quotes", s, i)
            key, i = _string(s, i + 1)
            i = _skip(s, i)
            if s[i : i + 1] != ":":
                raise JSONDecodeError("Expecting ':' delimiter", s, i)
            value, i = _value(s, i + 1, hooks)
            found.append((key, value))
            i = _skip(s, i)
            if s[i : i + 1] == "}":
                return _made(found, hooks), i + 1
            if s[i : i + 1] != ",":
                raise JSONDecodeError("Expecting ',' delimiter", s, i)
            i += 1
    if c == "[":
        items = []
        i = _skip(s, i + 1)
        if s[i : i + 1] == "]":
            return items, i + 1
        while True:
            item, i = _value(s, i, hooks)
            items.append(item)
            i = _skip(s, i)
            if s[i : i + 1] == "]":
                return items, i + 1
            if s[i : i + 1] != ",":
                raise JSONDecodeError("Expecting ',' delimiter", s, i)
            i += 1
    for text, value in (("true", True), ("false", False), ("null", None), ("NaN", float("nan")), ("Infinity", float("inf")), ("-Infinity", float("-inf"))):
        if s.startswith(text, i):
            constant = hooks.get("parse_constant")
            return value if constant is None or text[0] in "tfn" else constant(text), i + len(text)
    end = i
    while end < len(s) and s[end] in "+-0123456789.eE":
        end += 1
    if end == i:
        raise JSONDecodeError("Expecting value", s, i)
    text = s[i:end]
    name, kind = ("parse_float", float) if any([c in text for c in ".eE"]) else ("parse_int", int)
    return (hooks.get(name) or kind)(text), end


def _made(pairs, hooks):
    """The dictionary of an object, or what the program makes of it."""
    if hooks.get("object_pairs_hook") is not None:
        return hooks["object_pairs_hook"](pairs)
    made = dict(pairs)
    return made if hooks.get("object_hook") is None else hooks["object_hook"](made)


def loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, **kw):
    if is_unknown(s):
        return unknown("", "an unknown text")
    if isinstance(s, (bytes, bytearray)):
        s = s.decode()
    elif not isinstance(s, str):
        raise TypeError(f"the JSON object must be str, bytes or bytearray, not {type(s).__name__}")
    hooks = {"object_hook": object_hook, "parse_float": parse_float, "parse_int": parse_int, "parse_constant": parse_constant,
             "object_pairs_hook": object_pairs_hook}
    if cls is not None:
        return cls(**{name: hook for name, hook in hooks.items() if hook is not None}, **kw).decode(s)
    if kw:
        JSONDecoder(**kw)
    if s.startswith("\ufeff"):
        raise JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", s, 0)
    if isinstance(s, str) and all([hook is None for hook in hooks.values()]):
        found = _json(s)
        if found is not None:
            return found[0]
    # Hooks, what is not in order, and what only Python itself takes.
    value, end = _value(s, 0, hooks)
    end = _skip(s, end)
    if end != len(s):
        raise JSONDecodeError("Extra data", s, end)
    return value
