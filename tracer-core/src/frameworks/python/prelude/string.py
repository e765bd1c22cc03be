"""Characters by kind, formats and templates."""

from _jitlens.python import is_unknown, unknown

whitespace = " \t\n\r\v\f"
ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdef" + "ABCDEF"
octdigits = "01234567"
punctuation = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"""
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (sep or " ").join([word.capitalize() for word in s.split(sep)])


def _pieces(text):
    """The parts of a format: what stands before a field, its name, its specification and its conversion."""
    literal, at = "", 0
    while at < len(text):
        mark = text[at]
        if mark not in "{}":
            literal += mark
            at += 1
        elif text[at + 1 : at + 2] == mark:
            yield literal + mark, None, None, None
            literal, at = "", at + 2
        elif mark == "}":
            raise ValueError("Single '}' encountered in format string")
        else:
            end, depth = at + 1, 1
            while end < len(text) and depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            if depth:
                raise ValueError("Single '{' encountered in format string" if at + 1 == len(text) else "expected '}' before end of string")
            yield literal, *_field(text[at + 1 : end - 1])
            literal, at = "", end
    if literal:
        yield literal, None, None, None


def _field(inside):
    end, is_key = 0, False
    while end < len(inside) and (is_key or inside[end] not in "!:"):
        is_key = inside[end] == "[" or is_key and inside[end] != "]"
        end += 1
    name, rest = inside[:end], inside[end:]
    if rest[:1] == "!":
        if rest[2:3] not in ("", ":"):
            raise ValueError("expected ':' after conversion specifier")
        return name, rest[3:], rest[1:2]
    return name, rest[1:], None


def _steps(name):
    """What a field's name begins with, and which attributes and items follow."""
    end = 0
    while end < len(name) and name[end] not in ".[":
        end += 1
    first, steps = name[:end], []
    while end < len(name):
        if name[end] == ".":
            start = end = end + 1
            while end < len(name) and name[end] not in ".[":
                end += 1
            steps.append((True, name[start:end]))
        elif name[end] == "[" and "]" in name[end:]:
            close = name.index("]", end)
            key = name[end + 1 : close]
            steps.append((False, int(key) if key.isdigit() else key))
            end = close + 1
        else:
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
    return int(first) if first.isdigit() else first, steps


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        if type(self) is Formatter:
            return format_string.format(*args, **kwargs)
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        used = set()
        text, _ = self._vformat(format_string, args, kwargs, used, 2)
        self.check_unused_args(used, args, kwargs)
        return text

    def _vformat(self, format_string, args, kwargs, used_args, recursion_depth, auto_arg_index=0):
        if recursion_depth < 0:
            raise ValueError("Max string recursion exceeded")
        out = []
        for literal, name, spec, conversion in self.parse(format_string):
            if literal:
                out.append(literal)
            if name is None:
                continue
            if name == "":
                if auto_arg_index is False:
                    raise ValueError("cannot switch from manual field specification to automatic field numbering")
                name = str(auto_arg_index)
                auto_arg_index += 1
            elif name.isdigit():
                if auto_arg_index:
                    raise ValueError("cannot switch from manual field specification to automatic field numbering")
                auto_arg_index = False
            value, used = self.get_field(name, args, kwargs)
            used_args.add(used)
            value = self.convert_field(value, conversion)
            spec, auto_arg_index = self._vformat(spec, args, kwargs, used_args, recursion_depth - 1, auto_arg_index)
            out.append(self.format_field(value, spec))
        return "".join(out), auto_arg_index

    def get_value(self, key, args, kwargs):
        return args[key] if isinstance(key, int) else kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        pass

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        if conversion not in ("s", "r", "a"):
            raise ValueError(f"Unknown conversion specifier {conversion!s}")
        return {"s": str, "r": repr, "a": ascii}[conversion](value)

    def parse(self, format_string):
        return _pieces(format_string)

    def get_field(self, field_name, args, kwargs):
        first, steps = _steps(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in steps:
            value = getattr(value, key) if is_attribute else value[key]
        return value, first


class Template:
    delimiter = "$"
    idpattern = r"(?a:[_a-z][_a-z0-9]*)"
    braceidpattern = None
    pattern = None

    def __init__(self, template):
        self.template = template

    def _fill(self, mapping, safe):
        cls, mark = type(self), self.delimiter
        if cls.pattern is not None or cls.braceidpattern is not None or cls.idpattern != Template.idpattern or len(mark) != 1:
            return unknown("str", "what a template's own pattern finds")
        text, out, at = self.template, [], 0
        while at < len(text):
            if text[at] != mark:
                out.append(text[at])
                at += 1
                continue
            at += 1
            if text[at : at + 1] == mark:
                out.append(mark)
                at += 1
                continue
            braced = text[at : at + 1] == "{"
            start = at + 1 if braced else at
            end = start
            while end < len(text) and (text[end].isalnum() or text[end] == "_"):
                end += 1
            name = text[start:end]
            if not name or name[0].isdigit() or braced and text[end : end + 1] != "}":
                if not safe:
                    before = text[: at - 1]
                    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
                    raise ValueError(f"Invalid placeholder in string: line {line}, col {column}")
                out.append(mark)
                continue
            if safe and name not in mapping:
                out.append(mark + text[at : end + braced])
            else:
                out.append(str(mapping[name]))
            at = end + braced
        return "".join(out)

    def get_identifiers(self):
        found = []

        class _Asked(dict):
            def __missing__(self, name):
                if name not in found:
                    found.append(name)
                return ""

        text = self._fill(_Asked(), False)
        return unknown("", "what a template's own pattern finds") if is_unknown(text) else found

    def is_valid(self):
        try:
            return self.get_identifiers() is not None
        except ValueError:
            return False

    def substitute(self, mapping={}, /, **kws):
        return self._fill({**mapping, **kws}, False)

    def safe_substitute(self, mapping={}, /, **kws):
        return self._fill({**mapping, **kws}, True)
