"""Flags, with their defaults."""

from _jitlens.python import left_out, unknown


class Error(Exception):
    pass


class IllegalFlagValueError(Error):
    pass


class FlagHolder:
    def __init__(self, name):
        self.name = name

    @property
    def value(self):
        return FLAGS._values[self.name]

    @property
    def default(self):
        return FLAGS._values[self.name]


class FlagValues:
    def __init__(self):
        self.__dict__["_values"] = {}
        object.__setattr__(self, "_values", {})

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        values = object.__getattribute__(self, "_values")
        if name not in values:
            # Modules that are not read define flags, too.
            return unknown("", f"the flag `{name}`")
        return values[name]

    def __setattr__(self, name, value):
        self._values[name] = value

    def __getitem__(self, name):
        return self._values[name]

    def __contains__(self, name):
        return name in self._values

    def __iter__(self):
        return iter(self._values)

    def __call__(self, argv=None, known_only=False):
        return argv

    def flag_values_dict(self):
        return dict(self._values)

    def is_parsed(self):
        return True

    def mark_as_parsed(self):
        return None

    def set_default(self, name, value):
        self._values[name] = value


FLAGS = FlagValues()


def _define(name, default, kind):
    if default is None:
        left_out()
    FLAGS._values[name] = default
    return FlagHolder(name)


def DEFINE_integer(name, default, help=None, *args, **kwargs):
    return _define(name, int(default) if isinstance(default, str) else default, "int")


def DEFINE_float(name, default, help=None, *args, **kwargs):
    return _define(name, float(default) if isinstance(default, (int, str)) else default, "float")


def DEFINE_string(name, default, help=None, *args, **kwargs):
    return _define(name, default, "str")


def DEFINE_bool(name, default, help=None, *args, **kwargs):
    return _define(name, default, "bool")


DEFINE_boolean = DEFINE_bool


def DEFINE_enum(name, default, enum_values, help=None, *args, **kwargs):
    return _define(name, default, "str")


def DEFINE_enum_class(name, default, enum_class, help=None, *args, **kwargs):
    return _define(name, enum_class[default] if isinstance(default, str) else default, "")


def DEFINE_list(name, default, help=None, *args, **kwargs):
    if isinstance(default, str):
        default = [part.strip() for part in default.split(",")] if default else []
    return _define(name, default, "")


DEFINE_spaceseplist = DEFINE_list


def DEFINE_multi_string(name, default, help=None, *args, **kwargs):
    return _define(name, [default] if isinstance(default, str) else default, "")


DEFINE_multi_integer = DEFINE_multi_float = DEFINE_multi_enum = DEFINE_multi_string


def DEFINE_alias(name, original_name, *args, **kwargs):
    return _define(name, FLAGS._values.get(original_name), "")


def mark_flag_as_required(flag_name, flag_values=None):
    name = flag_name.name if isinstance(flag_name, FlagHolder) else flag_name
    if FLAGS._values.get(name) is None:
        FLAGS._values[name] = unknown("", "a flag that has to be given")


def mark_flags_as_required(flag_names, flag_values=None):
    for name in flag_names:
        mark_flag_as_required(name)


def register_validator(*args, **kwargs):
    return None


def validator(*args, **kwargs):
    return lambda function: function


def set_default(flag_holder, value):
    FLAGS._values[flag_holder.name] = value


def adopt_module_key_flags(module, flag_values=None):
    return None


declare_key_flag = adopt_module_key_flags
