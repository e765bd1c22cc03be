"""Settings in sections, as texts."""

from collections.abc import MutableMapping
import re as _re

from _jitlens.python import is_unknown, unknown

DEFAULTSECT = "DEFAULT"
MAX_INTERPOLATION_DEPTH = 10


class Error(Exception):
    def __init__(self, msg=""):
        self.message = msg
        Exception.__init__(self, msg)

    def __repr__(self):
        return self.message

    __str__ = __repr__


class NoSectionError(Error):
    def __init__(self, section):
        Error.__init__(self, f"No section: {section!r}")
        self.section = section
        self.args = (section,)


class NoOptionError(Error):
    def __init__(self, option, section):
        Error.__init__(self, f"No option {option!r} in section: {section!r}")
        self.option, self.section = option, section
        self.args = (option, section)


class DuplicateSectionError(Error):
    pass


class DuplicateOptionError(Error):
    pass


class InterpolationError(Error):
    pass


class InterpolationMissingOptionError(InterpolationError):
    pass


class InterpolationSyntaxError(InterpolationError):
    pass


class InterpolationDepthError(InterpolationError):
    pass


class ParsingError(Error):
    pass


class MissingSectionHeaderError(ParsingError):
    pass


class Interpolation:
    pass


class BasicInterpolation(Interpolation):
    pass


class ExtendedInterpolation(Interpolation):
    pass


_UNSET = object()
_SECTION = _re.compile(r"\[(.+)\]")
_BOOLEANS = {"1": True, "yes": True, "true": True, "on": True, "0": False, "no": False, "false": False, "off": False}


class RawConfigParser(MutableMapping):
    BOOLEAN_STATES = _BOOLEANS
    # How what a value names is filled in: `%(name)s`, `${section:name}`, or not at all.
    _interpolates = None

    def __init__(self, defaults=None, dict_type=dict, allow_no_value=False, *, delimiters=("=", ":"), comment_prefixes=("#", ";"),
                 inline_comment_prefixes=None, strict=True, empty_lines_in_values=True, default_section=DEFAULTSECT,
                 interpolation=_UNSET, converters=_UNSET):
        self.default_section = default_section
        self._defaults, self._sections = {}, {}
        self._no_value, self._delimiters = allow_no_value, tuple(delimiters)
        self._comments, self._inline = tuple(comment_prefixes or ()), tuple(inline_comment_prefixes or ())
        self._strict, self._empty = strict, empty_lines_in_values
        # Why nothing is known of it any more.
        self._lost = None
        if interpolation is None:
            self._interpolates = None
        elif interpolation is not _UNSET and not is_unknown(interpolation):
            if not isinstance(interpolation, Interpolation):
                raise TypeError(
                    f"interpolation= must be None or an instance of Interpolation; got an object of type {type(interpolation)}")
            self._interpolates = {BasicInterpolation: "%", ExtendedInterpolation: "$"}.get(type(interpolation))
            if type(interpolation) not in (BasicInterpolation, ExtendedInterpolation, Interpolation):
                self._lose("an interpolation of the program's own")
        if is_unknown(interpolation) or is_unknown(converters):
            self._lose("options of a parser of settings")
        elif converters is not _UNSET:
            self.converters = dict(converters or {})
            for name, convert in self.converters.items():
                setattr(self, "get" + name, self._getter(convert))
        for name, value in (defaults or {}).items():
            self._defaults[self.optionxform(name)] = value

    def _getter(self, convert):
        def get(section, option, *, raw=False, vars=None, fallback=_UNSET, **kwargs):
            return self._converted(section, option, convert, raw, vars, fallback)

        return get

    def _lose(self, why):
        self._lost = self._lost or why

    def optionxform(self, optionstr):
        return optionstr.lower()

    def defaults(self):
        return self._defaults

    def sections(self):
        return self._not_known() if self._lost else list(self._sections)

    def _not_known(self):
        return unknown("", self._lost)

    def add_section(self, section):
        if section == self.default_section:
            raise ValueError(f"Invalid section name: {section!r}")
        if section in self._sections:
            raise DuplicateSectionError(f"Section {section!r} already exists")
        self._sections[section] = {}

    def has_section(self, section):
        return self._not_known() if self._lost else section in self._sections

    def options(self, section):
        found = self._all(section)
        return found if is_unknown(found) else list({**self._sections.get(section, {}), **found})

    def _all(self, section):
        """All options that a section has, by its own and by default."""
        if self._lost:
            return self._not_known()
        if section not in self._sections and section != self.default_section:
            raise NoSectionError(section)
        return {**self._defaults, **self._sections.get(section, {})}

    def has_option(self, section, option):
        if self._lost:
            return self._not_known()
        if section and section != self.default_section and section not in self._sections:
            return False
        return self.optionxform(option) in self._all(section or self.default_section)

    def read(self, filenames, encoding=None):
        if isinstance(filenames, (str, bytes)) or hasattr(filenames, "__fspath__"):
            filenames = [filenames]
        if is_unknown(filenames):
            self._lose("an unknown file of settings")
            return unknown("", "an unknown file of settings")
        found = []
        for name in filenames:
            # It may not be there, or say anything: then the rest of this does not run.
            before, self._lost = self._lost, self._lost or "the contents of a file"
            with open(name, encoding=encoding) as stream:
                text = stream.read()
            if is_unknown(text):
                return unknown("", "the contents of a file")
            self._lost = before
            self.read_string(text)
            found.append(name)
        return found

    def read_file(self, f, source=None):
        before, self._lost = self._lost, self._lost or "the contents of a file"
        text = f.read() if hasattr(f, "read") else "".join(f)
        if not is_unknown(text):
            self._lost = before
            self.read_string(text)

    def read_string(self, string, source="<string>"):
        if is_unknown(string):
            return self._lose("an unknown text of settings")
        section, option, seen = None, None, set()
        indent = 0
        for number, line in enumerate(string.splitlines(), 1):
            text = line
            for prefix in self._inline:
                at = text.find(prefix)
                while at >= 0 and at > 0 and not text[at - 1].isspace():
                    at = text.find(prefix, at + 1)
                if at >= 0:
                    text = text[:at]
            is_comment = text.strip().startswith(self._comments) if self._comments else False
            value = "" if is_comment else text.strip()
            if not value:
                if self._empty and not is_comment and section is not None and option is not None and section[option] is not None:
                    section[option].append("")
                elif not self._empty:
                    indent = 1 << 30
                continue
            here = len(text) - len(text.lstrip())
            if section is not None and option is not None and here > indent:
                if section[option] is None:
                    raise ParsingError(f"Source contains parsing errors: {source!r}")
                section[option].append(value)
                continue
            indent = here
            match = _SECTION.match(value)
            if match:
                name = match[1]
                if name == self.default_section:
                    section = self._defaults
                else:
                    if self._strict and ("section", name) in seen:
                        raise DuplicateSectionError(f"While reading from {source!r} [line {number:2d}]: section {name!r} already exists")
                    section = self._sections.setdefault(name, {})
                seen.add(("section", name))
                current, option = name, None
                continue
            if section is None:
                raise MissingSectionHeaderError(f"File contains no section headers.\nfile: {source!r}, line: {number}\n{line!r}")
            at = min([value.find(d) for d in self._delimiters if d in value], default=-1)
            if at < 0 and not self._no_value or at == 0:
                raise ParsingError(f"Source contains parsing errors: {source!r}\n\t[line {number:2d}]: {line!r}")
            option = self.optionxform((value if at < 0 else value[:at]).rstrip())
            if self._strict and (current, option) in seen:
                raise DuplicateOptionError(
                    f"While reading from {source!r} [line {number:2d}]: option {option!r} in section {current!r} already exists")
            seen.add((current, option))
            section[option] = None if at < 0 else [value[at + 1 :].strip()]
        for options in [self._defaults, *self._sections.values()]:
            for name, lines in options.items():
                if isinstance(lines, list):
                    options[name] = "\n".join(lines).rstrip()

    def read_dict(self, dictionary, source="<dict>"):
        for section, options in dictionary.items():
            if section != self.default_section:
                self._sections.setdefault(section, {})
            for name, value in options.items():
                self.set(section, name, None if value is None else str(value))

    def get(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        if self._lost:
            return self._not_known()
        try:
            options = self._all(section)
        except NoSectionError:
            if fallback is _UNSET:
                raise
            return fallback
        for name, value in (vars or {}).items():
            options[self.optionxform(name)] = value
        name = self.optionxform(option)
        if name not in options:
            if fallback is _UNSET:
                raise NoOptionError(name, section)
            return fallback
        value = options[name]
        if raw or not self._interpolates or value is None or is_unknown(value):
            return value
        fill = self._filled if self._interpolates == "%" else self._extended
        return fill(value, name, section, options, 1)

    def _extended(self, text, name, section, options, depth):
        """A text with the options that it names in braces, each perhaps with a section before a colon."""
        if depth > MAX_INTERPOLATION_DEPTH:
            raise InterpolationDepthError(f"Recursion limit exceeded in value substitution: option {name!r} in section {section!r}")
        out, at = [], 0
        while (start := text.find("$", at)) >= 0:
            out.append(text[at:start])
            if text[start + 1 : start + 2] == "$":
                out.append("$")
                at = start + 2
                continue
            end = text.find("}", start)
            if text[start + 1 : start + 2] != "{":
                raise InterpolationSyntaxError(f"'$' must be followed by '$' or '{{', found: {text[start:]!r}")
            if end < 0:
                raise InterpolationSyntaxError(f"bad interpolation variable reference {text[start:]!r}")
            path = text[start + 2 : end].split(":")
            if len(path) > 2:
                raise InterpolationSyntaxError(f"More than one ':' found: {text[start:]!r}")
            inner = self.optionxform(path[-1])
            place = section if len(path) == 1 else path[0]
            try:
                found = options if len(path) == 1 else self._all(place)
                value = found[inner]
            except (KeyError, NoSectionError):
                raise InterpolationMissingOptionError(
                    f"Bad value substitution: option {name!r} in section {section!r} contains an interpolation key "
                    f"{':'.join(path)!r} which is not a valid option name. Raw value: {text!r}")
            out.append(self._extended(value, inner, place, found, depth + 1) if "$" in value else value)
            at = end + 1
        return "".join(out) + text[at:]

    def _filled(self, text, name, section, options, depth):
        """A text with the options that it names."""
        if depth > MAX_INTERPOLATION_DEPTH:
            raise InterpolationDepthError(f"Recursion limit exceeded in value substitution: option {name!r} in section {section!r}")
        out, at = [], 0
        while at < len(text):
            start = text.find("%", at)
            if start < 0:
                break
            out.append(text[at:start])
            if text[start + 1 : start + 2] == "%":
                out.append("%")
                at = start + 2
                continue
            end = text.find(")s", start)
            if text[start + 1 : start + 2] != "(" or end < 0:
                raise InterpolationSyntaxError(f"'%' must be followed by '%' or '(', found: {text[start:]!r}")
            inner = self.optionxform(text[start + 2 : end])
            if inner not in options:
                raise InterpolationMissingOptionError(
                    f"Bad value substitution: option {name!r} in section {section!r} contains an interpolation key "
                    f"{inner!r} which is not a valid option name. Raw value: {text!r}")
            out.append(self._filled(options[inner], name, section, options, depth + 1))
            at = end + 2
        return "".join(out) + text[at:]

    def _converted(self, section, option, convert, raw, vars, fallback):
        value = self.get(section, option, raw=raw, vars=vars, fallback=_UNSET if fallback is _UNSET else _Fallback)
        return fallback if value is _Fallback else convert(value)

    def getint(self, section, option, *, raw=False, vars=None, fallback=_UNSET, **kwargs):
        return self._converted(section, option, int, raw, vars, fallback)

    def getfloat(self, section, option, *, raw=False, vars=None, fallback=_UNSET, **kwargs):
        return self._converted(section, option, float, raw, vars, fallback)

    def getboolean(self, section, option, *, raw=False, vars=None, fallback=_UNSET, **kwargs):
        return self._converted(section, option, self._convert_to_boolean, raw, vars, fallback)

    def _convert_to_boolean(self, value):
        if is_unknown(value):
            return unknown("bool", "an unknown setting")
        if value.lower() not in self.BOOLEAN_STATES:
            raise ValueError(f"Not a boolean: {value}")
        return self.BOOLEAN_STATES[value.lower()]

    def items(self, section=_UNSET, raw=False, vars=None):
        if self._lost:
            return self._not_known()
        if section is _UNSET:
            return MutableMapping.items(self)
        found = [(name, self.get(section, name, raw=raw, vars=vars)) for name in {**self._all(section), **(vars or {})}]
        return [(name, "" if value is None and self._interpolates and not raw else value) for name, value in found]

    def set(self, section, option, value=None):
        if section and section != self.default_section and section not in self._sections:
            raise NoSectionError(section)
        options = self._sections[section] if section and section != self.default_section else self._defaults
        options[self.optionxform(option)] = value

    def remove_option(self, section, option):
        if section and section != self.default_section and section not in self._sections:
            raise NoSectionError(section)
        options = self._sections[section] if section and section != self.default_section else self._defaults
        return options.pop(self.optionxform(option), _UNSET) is not _UNSET

    def remove_section(self, section):
        return self._sections.pop(section, None) is not None

    def write(self, fp, space_around_delimiters=True):
        if self._lost:
            fp.write(unknown("str", "a text of settings"))
            return
        delimiter = f" {self._delimiters[0]} " if space_around_delimiters else self._delimiters[0]
        named = [(self.default_section, self._defaults)] if self._defaults else []
        for name, options in [*named, *self._sections.items()]:
            fp.write(f"[{name}]\n")
            for option, value in options.items():
                text = "" if value is None and self._no_value else delimiter + str(value).replace("\n", "\n\t")
                fp.write(f"{option}{text}\n")
            fp.write("\n")

    def __getitem__(self, key):
        if self._lost:
            return self._not_known()
        if key != self.default_section and key not in self._sections:
            raise KeyError(key)
        return SectionProxy(self, key)

    def __setitem__(self, key, value):
        if key == self.default_section:
            self._defaults.clear()
        else:
            self._sections[key] = {}
        self.read_dict({key: value})

    def __delitem__(self, key):
        if key == self.default_section:
            raise ValueError("Cannot remove the default section.")
        if not self.remove_section(key):
            raise KeyError(key)

    def popitem(self):
        for key in self._sections:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError

    def clear(self):
        self._sections.clear()
        self._defaults.clear()

    def __contains__(self, key):
        return self._not_known() if self._lost else key == self.default_section or key in self._sections

    def __iter__(self):
        return iter(self._not_known() if self._lost else [self.default_section, *self._sections])

    def __len__(self):
        return self._not_known() if self._lost else len(self._sections) + 1

    def __eq__(self, other):
        return MutableMapping.__eq__(self, other)

    __hash__ = None


class _Fallback:
    pass


class ConfigParser(RawConfigParser):
    _interpolates = "%"

    def set(self, section, option, value=None):
        if not isinstance(option, str) and not is_unknown(option):
            raise TypeError("option keys must be strings")
        if not isinstance(value, str) and not is_unknown(value) and (value is not None or not self._no_value):
            raise TypeError("option values must be strings")
        if self._interpolates and not is_unknown(value) and isinstance(value, str) and self._interpolates in value:
            sign = self._interpolates
            opening = r"%\([^)]+\)s" if sign == "%" else r"\$\{[^}]+\}"
            rest = _re.sub(opening, "", value.replace(sign * 2, ""))
            if sign in rest:
                raise ValueError(f"invalid interpolation syntax in {value!r} at position {rest.find(sign)}")
        RawConfigParser.set(self, section, option, value)

    def add_section(self, section):
        if not isinstance(section, str) and not is_unknown(section):
            raise TypeError("section names must be strings")
        RawConfigParser.add_section(self, section)


SafeConfigParser = ConfigParser


class SectionProxy(MutableMapping):
    def __init__(self, parser, name):
        self._parser, self._name = parser, name

    def __repr__(self):
        return f"<Section: {self._name}>"

    @property
    def parser(self):
        return self._parser

    @property
    def name(self):
        return self._name

    def __getitem__(self, key):
        if not self._parser.has_option(self._name, key):
            raise KeyError(key)
        return self._parser.get(self._name, key)

    def __setitem__(self, key, value):
        self._parser.set(self._name, key, value)

    def __delitem__(self, key):
        if not self._parser.remove_option(self._name, key):
            raise KeyError(key)

    def __contains__(self, key):
        return self._parser.has_option(self._name, key)

    def __iter__(self):
        return iter(self._parser.options(self._name))

    def __len__(self):
        return len(self._parser.options(self._name))

    def __getattr__(self, name):
        convert = getattr(self._parser, "converters", {}).get(name[3:]) if name[:3] == "get" else None
        if convert is None:
            raise AttributeError(f"'SectionProxy' object has no attribute {name!r}")
        return lambda option, fallback=None, **kwargs: getattr(self._parser, name)(self._name, option, fallback=fallback, **kwargs)

    def get(self, option, fallback=None, *, raw=False, vars=None, _impl=None, **kwargs):
        if _impl is not None:
            return _impl(self._name, option, raw=raw, vars=vars, fallback=fallback, **kwargs)
        return self._parser.get(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def getint(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.getint(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def getfloat(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.getfloat(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def getboolean(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.getboolean(self._name, option, raw=raw, vars=vars, fallback=fallback)
