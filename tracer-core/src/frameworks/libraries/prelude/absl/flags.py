"""Flags. The program's own command line is taken to be empty; one that it gives to its flags is taken as it is."""

import sys
from _jitlens.python import is_unknown, left_out, unknown


class Error(Exception):
    pass


class CantOpenFlagFileError(Error):
    pass


class DuplicateFlagError(Error):
    pass


class IllegalFlagValueError(Error):
    pass


class UnrecognizedFlagError(Error):
    def __init__(self, flagname, flagvalue="", suggestions=None):
        self.flagname = flagname
        self.flagvalue = flagvalue
        super().__init__(f"Unknown command line flag '{flagname}'")


class UnparsedFlagAccessError(Error):
    pass


class ValidationError(Error):
    pass


class Flag:
    def __init__(self, name, default, convert=str, is_multi=False, boolean=False, short_name=None, help=None, join=str):
        self.name = name
        self.short_name = short_name
        self.help = help
        self.boolean = boolean
        self.present = 0
        self.using_default_value = True
        self.allow_override = False
        self._convert = convert
        self._is_multi = is_multi
        self._join = join
        self.default = self.default_unparsed = self._initial(default)
        self.value = self.default

    def _initial(self, default):
        if default is None or is_unknown(default):
            return default
        if self._is_multi:
            return [self._converted(v) for v in (default if isinstance(default, (list, tuple)) else [default])]
        return self._converted(default)

    def _converted(self, value):
        try:
            return self._convert(value)
        except (TypeError, ValueError) as error:
            raise IllegalFlagValueError(f"flag --{self.name}={value}: {error}")

    def parse(self, argument):
        value = self._converted(argument)
        if self._is_multi:
            self.value = [*self.value, value] if self.present else [value]
        else:
            self.value = value
        self.present += 1
        self.using_default_value = False

    def unparse(self):
        self.value = self.default
        self.using_default_value = True
        self.present = 0

    def serialize(self):
        return unknown("str", "a text of a flag")


class FlagHolder:
    def __init__(self, flag_values, flag):
        self._flags = flag_values
        self._flag = flag

    @property
    def name(self):
        return self._flag.name

    @property
    def value(self):
        return self._flag.value

    @property
    def default(self):
        return self._flag.default

    @property
    def present(self):
        return bool(self._flag.present)

    def serialize(self):
        return self._flag.serialize()


class FlagValues:
    def __init__(self):
        object.__setattr__(self, "_flags", {})
        object.__setattr__(self, "_is_mixed", True)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        flags = object.__getattribute__(self, "_flags")
        if name not in flags:
            # Modules that are not read define flags, too.
            return unknown("", f"the flag `{name}`")
        return flags[name].value

    def __setattr__(self, name, value):
        flag = self._flags.get(name)
        if flag is None:
            self._flags[name] = Flag(name, value, lambda v: v)
        else:
            flag.value = value
            flag.using_default_value = False

    def __delattr__(self, name):
        self._flags.pop(name, None)

    def __getitem__(self, name):
        if name not in self._flags:
            return unknown("", f"the flag `{name}`")
        return self._flags[name]

    def __setitem__(self, name, flag):
        self._flags[name] = flag
        if flag.short_name is not None:
            self._flags[flag.short_name] = flag

    def __contains__(self, name):
        return name in self._flags

    def __iter__(self):
        return iter(sorted(self._flags))

    def __len__(self):
        return len(self._flags)

    def __dir__(self):
        return sorted(self._flags)

    def __call__(self, argv, known_only=False):
        if isinstance(argv, (str, bytes)):
            raise TypeError("argv should be a tuple/list of strings, not bytes or string.")
        if is_unknown(argv):
            return argv
        words = list(argv)
        if not words:
            raise ValueError("argv cannot be an empty list, and must contain the program name as the first element.")
        is_own = isinstance(argv, type(sys.argv))
        rest, unread, at = [words[0]], [], 1
        while at < len(words):
            word = words[at]
            at += 1
            if not word.startswith("-") or word == "-":
                rest += [word] if self._is_mixed else words[at - 1 :]
                if self._is_mixed:
                    continue
                break
            if word == "--":
                rest += words[at:]
                break
            name, eq, value = word.lstrip("-").partition("=")
            flag = self._flags.get(name)
            if flag is None and name.startswith("no") and name[2:] in self._flags and self._flags[name[2:]].boolean and not eq:
                self._flags[name[2:]].parse("false")
                continue
            if flag is None:
                unread.append((name, word))
                if known_only:
                    rest.append(word)
                continue
            if not eq:
                if flag.boolean:
                    value = "true"
                elif at < len(words):
                    value = words[at]
                    at += 1
                else:
                    raise Error(f"Missing value for flag {word}")
            flag.parse(value)
        if unread and not known_only and not is_own:
            # Modules that are not read may define them.
            return unknown("", f"what is left of a command line with the flag `{unread[0][0]}`")
        return rest

    def define(self, flag):
        if flag.name in self._flags:
            flag.value = flag.default
        self[flag.name] = flag
        return FlagHolder(self, flag)

    def flag_values_dict(self):
        return {name: flag.value for name, flag in self._flags.items()}

    def flags_by_module_dict(self):
        return unknown("", "the modules that define flags")

    key_flags_by_module_dict = flags_into_string = get_help = flags_by_module_dict

    def is_parsed(self):
        return True

    def mark_as_parsed(self):
        return None

    def unparse_flags(self):
        for flag in self._flags.values():
            flag.unparse()

    def set_default(self, name, value):
        if name not in self._flags:
            return
        flag = self._flags[name]
        flag.default = flag._initial(value)
        if flag.using_default_value:
            flag.value = flag.default

    def set_gnu_getopt(self, gnu_getopt=True):
        object.__setattr__(self, "_is_mixed", gnu_getopt)

    def is_gnu_getopt(self):
        return self._is_mixed

    def remove_flag_values(self, flag_values):
        for name in list(flag_values):
            self._flags.pop(name, None)

    def append_flag_values(self, flag_values):
        for name in flag_values:
            self._flags[name] = flag_values[name]


FLAGS = FlagValues()


def _define(name, default, convert, flag_values=None, required=False, short_name=None, boolean=False, is_multi=False, **others):
    if default is None and not required:
        left_out(name)
    flag = Flag(name, default, convert, is_multi, boolean, short_name)
    if required:
        flag.value = unknown("", "a flag that has to be given")
    values = FLAGS if flag_values is None else flag_values
    return values.define(flag)


def _integer(value):
    if isinstance(value, str):
        base = 16 if value[:2] == "0x" else 8 if value[:2] == "0o" else 10
        return int(value, base)
    if is_unknown(value) or isinstance(value, int):
        return value
    raise TypeError(f"Expect argument to be a string or int, found {type(value)}")


def _float(value):
    if is_unknown(value) or isinstance(value, (int, float, str)):
        return float(value)
    raise TypeError(f"Expect argument to be a string, int, or float, found {type(value)}")


def _boolean(value):
    if isinstance(value, str):
        if value.lower() in ("true", "t", "1"):
            return True
        if value.lower() in ("false", "f", "0"):
            return False
        raise ValueError("Non-boolean argument to boolean flag", value)
    if isinstance(value, int):
        return bool(value)
    if is_unknown(value):
        return value
    raise TypeError("Non-boolean argument to boolean flag", value)


def _plain(value):
    return value


def _within(convert, lower_bound, upper_bound):
    def checked(value):
        value = convert(value)
        if not is_unknown(value) and (lower_bound is not None and value < lower_bound or upper_bound is not None and value > upper_bound):
            raise ValueError(f"{value} is not within its bounds")
        return value

    return checked


def _choice(enum_values, case_sensitive=True):
    values = list(enum_values)

    def chosen(value):
        if is_unknown(value):
            return value
        for one in values:
            if one == value or not case_sensitive and one.lower() == value.lower():
                return one
        raise ValueError(f"value should be one of <{'|'.join(values)}>")

    return chosen


def _member(enum_class, case_sensitive=False):
    def chosen(value):
        if is_unknown(value) or isinstance(value, enum_class):
            return value
        for name, one in enum_class.__members__.items():
            if name == value or not case_sensitive and name.lower() == value.lower():
                return one
        raise ValueError(f"value should be one of <{'|'.join([n.lower() for n in enum_class.__members__])}>")

    return chosen


def _separated(separator):
    def split(value):
        if isinstance(value, str):
            parts = value.split(separator)
            return [part.strip() for part in parts if part.strip() or separator is not None] if value else []
        return list(value) if isinstance(value, (list, tuple)) else value

    return split


def DEFINE(parser, name, default, help, flag_values=FLAGS, serializer=None, module_name=None, required=False, **args):
    return _define(name, default, lambda v: parser.parse(v), flag_values, required, **args)


def DEFINE_flag(flag, flag_values=FLAGS, module_name=None, required=False):
    return flag_values.define(flag)


def DEFINE_integer(name, default, help=None, lower_bound=None, upper_bound=None, flag_values=FLAGS, required=False, **args):
    return _define(name, default, _within(_integer, lower_bound, upper_bound), flag_values, required, **args)


def DEFINE_float(name, default, help=None, lower_bound=None, upper_bound=None, flag_values=FLAGS, required=False, **args):
    return _define(name, default, _within(_float, lower_bound, upper_bound), flag_values, required, **args)


def DEFINE_string(name, default, help=None, flag_values=FLAGS, required=False, **args):
    return _define(name, default, _plain, flag_values, required, **args)


def DEFINE_bool(name, default, help=None, flag_values=FLAGS, module_name=None, required=False, **args):
    return _define(name, default, _boolean, flag_values, required, boolean=True, **args)


DEFINE_boolean = DEFINE_bool


def DEFINE_enum(name, default, enum_values, help=None, flag_values=FLAGS, module_name=None, required=False, *, case_sensitive=True, **args):
    return _define(name, default, _choice(enum_values, case_sensitive), flag_values, required, **args)


def DEFINE_enum_class(
    name, default, enum_class, help=None, flag_values=FLAGS, module_name=None, case_sensitive=False, required=False, **args
):
    return _define(name, default, _member(enum_class, case_sensitive), flag_values, required, **args)


def DEFINE_list(name, default, help=None, flag_values=FLAGS, required=False, **args):
    return _define(name, default, _separated(","), flag_values, required, **args)


def DEFINE_spaceseplist(name, default, help=None, comma_compat=False, flag_values=FLAGS, required=False, **args):
    return _define(name, default, _separated(None), flag_values, required, **args)


def DEFINE_multi_string(name, default, help=None, flag_values=FLAGS, required=False, **args):
    return _define(name, default, _plain, flag_values, required, is_multi=True, **args)


def DEFINE_multi_integer(name, default, help=None, lower_bound=None, upper_bound=None, flag_values=FLAGS, required=False, **args):
    return _define(name, default, _within(_integer, lower_bound, upper_bound), flag_values, required, is_multi=True, **args)


def DEFINE_multi_float(name, default, help=None, lower_bound=None, upper_bound=None, flag_values=FLAGS, required=False, **args):
    return _define(name, default, _within(_float, lower_bound, upper_bound), flag_values, required, is_multi=True, **args)


def DEFINE_multi_enum(name, default, enum_values, help=None, flag_values=FLAGS, case_sensitive=True, required=False, **args):
    return _define(name, default, _choice(enum_values, case_sensitive), flag_values, required, is_multi=True, **args)


def DEFINE_multi_enum_class(
    name, default, enum_class, help=None, flag_values=FLAGS, module_name=None, case_sensitive=False, required=False, **args
):
    return _define(name, default, _member(enum_class, case_sensitive), flag_values, required, is_multi=True, **args)


def DEFINE_alias(name, original_name, flag_values=FLAGS, module_name=None):
    flag = flag_values[original_name]
    if is_unknown(flag):
        return _define(name, flag, _plain, flag_values)
    flag_values._flags[name] = flag
    return FlagHolder(flag_values, flag)


def _named(flag):
    return flag.name if isinstance(flag, FlagHolder) else flag


def mark_flag_as_required(flag_name, flag_values=FLAGS):
    flag = flag_values._flags.get(_named(flag_name))
    if flag is not None and flag.value is None:
        flag.value = unknown("", "a flag that has to be given")


def mark_flags_as_required(flag_names, flag_values=FLAGS):
    for name in flag_names:
        mark_flag_as_required(name, flag_values)


def mark_flags_as_mutual_exclusive(*args, **kwargs):
    return None


mark_bool_flags_as_mutual_exclusive = register_multi_flags_validator = mark_flags_as_mutual_exclusive


def register_validator(*args, **kwargs):
    return None


def validator(*args, **kwargs):
    return lambda function: function


multi_flags_validator = validator


def set_default(flag_holder, value):
    flag_holder._flags.set_default(flag_holder.name, value)


def override_value(flag_holder, value):
    flag_holder._flag.value = flag_holder._flag._converted(value)


def adopt_module_key_flags(module, flag_values=None):
    return None


declare_key_flag = disclaim_key_flags = adopt_module_key_flags
