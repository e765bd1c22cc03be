"""Command lines: every argument has its default, and what has to be given is not known."""

from _jitlens.python import left_out, unknown

SUPPRESS = "==SUPPRESS=="
OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE, REMAINDER, PARSER = "?", "*", "+", "...", "A..."


class ArgumentTypeError(Exception):
    pass


class ArgumentError(Exception):
    pass


class HelpFormatter:
    def __init__(self, *args, **kwargs):
        pass


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    pass


class RawDescriptionHelpFormatter(HelpFormatter):
    pass


class RawTextHelpFormatter(HelpFormatter):
    pass


class MetavarTypeHelpFormatter(HelpFormatter):
    pass


class FileType:
    def __init__(self, mode="r", *args, **kwargs):
        pass

    def __call__(self, name):
        return unknown("", "a file")


class Namespace:
    def __init__(self, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __eq__(self, other):
        return isinstance(other, Namespace) and vars(self) == vars(other)

    def __contains__(self, key):
        return key in self.__dict__

    def __repr__(self):
        return f"Namespace({', '.join([f'{k}={v!r}' for k, v in self.__dict__.items()])})"


class Action:
    def __init__(self, option_strings=(), dest=None, nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None, metavar=None, **kwargs):
        self.option_strings = list(option_strings)
        self.dest = dest
        self.nargs = nargs
        self.const = const
        self.default = default
        self.type = type
        self.choices = choices
        self.required = required
        self.help = help
        self.metavar = metavar


class BooleanOptionalAction(Action):
    pass


_KINDS = {int: "int", float: "float", str: "str", None: "str", bool: "bool"}


class _Container:
    def __init__(self, owner=None):
        self._owner = owner or self

    def add_argument(self, *names, **options):
        parser = self._owner
        if not names or not names[0].startswith("-"):
            dest = options.get("dest", names[0] if names else None)
            required = options.get("nargs") not in ("?", "*")
        else:
            long = [n for n in names if n.startswith("--")] or list(names)
            dest = options.get("dest") or long[0].lstrip("-").replace("-", "_")
            required = options.get("required", False)
        action = options.get("action", "store")
        default = options.get("default")
        if "default" not in options:
            if action in ("store_true", "store_false"):
                default = action == "store_false"
            default = parser._defaults.get(dest, default)
        made = Action(
            names, dest, options.get("nargs"), options.get("const"), default, options.get("type"), options.get("choices"),
            required, options.get("help"), options.get("metavar"),
        )
        made.action = action
        made.is_named = bool(names) and names[0].startswith("-")
        if action not in ("help", "version"):
            parser._actions.append(made)
        return made

    def add_argument_group(self, *args, **kwargs):
        return _Container(self._owner)

    def add_mutually_exclusive_group(self, **kwargs):
        return _Container(self._owner)

    def set_defaults(self, **kwargs):
        self._owner._defaults.update(kwargs)
        for action in self._owner._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]


class _SubParsers:
    def __init__(self):
        self.choices = {}

    def add_parser(self, name, **kwargs):
        self.choices[name] = ArgumentParser(**kwargs)
        return self.choices[name]


class ArgumentParser(_Container):
    def __init__(
        self, prog=None, usage=None, description=None, epilog=None, parents=(), formatter_class=None, prefix_chars="-",
        fromfile_prefix_chars=None, argument_default=None, conflict_handler="error", add_help=True, allow_abbrev=True,
        exit_on_error=True, **kwargs,
    ):
        super().__init__()
        self.prog = prog
        self.description = description
        self._actions = []
        self._defaults = {}
        self._subparsers = None
        for parent in parents:
            self._actions += parent._actions
            self._defaults.update(parent._defaults)

    def add_subparsers(self, *, dest=None, required=False, **kwargs):
        self._subparsers = _SubParsers()
        self._sub_dest = dest
        self._sub_required = required
        return self._subparsers

    def parse_args(self, args=None, namespace=None):
        return self.parse_known_args(args, namespace)[0]

    def parse_known_args(self, args=None, namespace=None):
        namespace = Namespace() if namespace is None else namespace
        given = [] if args is None else list(args)
        seen = set()
        rest = []
        at = 0
        positional = [a for a in self._actions if not a.is_named]
        while at < len(given):
            word = given[at]
            at += 1
            name, eq, attached = word.partition("=") if word.startswith("--") else (word, "", "")
            found = [a for a in self._actions if name in a.option_strings]
            if not found and word.startswith("--no-"):
                found = [a for a in self._actions if "--" + word[5:] in a.option_strings and a.action is BooleanOptionalAction]
                if found:
                    setattr(namespace, found[0].dest, False)
                    seen.add(found[0].dest)
                    continue
            if found:
                one = found[0]
                seen.add(one.dest)
                if one.action == "store_true":
                    value = True
                elif one.action == "store_false":
                    value = False
                elif one.action is BooleanOptionalAction:
                    value = True
                elif one.action == "store_const":
                    value = one.const
                elif one.action == "count":
                    value = (getattr(namespace, one.dest, None) or one.default or 0) + 1
                else:
                    if eq:
                        words = [attached]
                    elif one.nargs is None:
                        words = given[at : at + 1]
                        at += 1
                    elif isinstance(one.nargs, int):
                        words = given[at : at + one.nargs]
                        at += one.nargs
                    else:
                        words = []
                        while at < len(given) and not given[at].startswith("--"):
                            words.append(given[at])
                            at += 1
                    values = self._values(one, words)
                    if one.nargs is None:
                        value = values[0] if values else None
                    elif one.nargs == "?":
                        value = values[0] if values else one.const
                    else:
                        value = values
                    if one.action == "append":
                        value = (getattr(namespace, one.dest, None) or []) + [value]
                setattr(namespace, one.dest, value)
            elif positional and not word.startswith("-"):
                one = positional.pop(0)
                words = [word]
                if one.nargs in ("*", "+"):
                    while at < len(given) and not given[at].startswith("-"):
                        words.append(given[at])
                        at += 1
                values = self._values(one, words)
                setattr(namespace, one.dest, values if one.nargs in ("*", "+") else values[0])
                seen.add(one.dest)
            elif self._subparsers is not None and word in self._subparsers.choices:
                if self._sub_dest is not None:
                    setattr(namespace, self._sub_dest, word)
                    seen.add(self._sub_dest)
                self._subparsers.choices[word].parse_args(given[at:], namespace)
                at = len(given)
            else:
                rest.append(word)
        for one in self._actions:
            if one.dest in seen or one.dest is None or one.default == SUPPRESS:
                continue
            value = one.default
            if one.required:
                value = unknown(_KINDS.get(one.type, "") if one.nargs is None else "", "an argument of the command line")
            elif isinstance(value, str) and one.type is not None:
                value = one.type(value)
            elif value is None and one.nargs == "*" and not one.is_named:
                value = []
            if value is None:
                left_out()
            setattr(namespace, one.dest, value)
        for name, value in self._defaults.items():
            if not hasattr(namespace, name):
                setattr(namespace, name, value)
        if self._subparsers is not None and self._sub_dest is not None and self._sub_dest not in seen:
            setattr(namespace, self._sub_dest, unknown("str", "an argument of the command line") if self._sub_required else None)
        return namespace, rest

    parse_intermixed_args = parse_args

    def get_default(self, dest):
        for action in self._actions:
            if action.dest == dest:
                return action.default
        return self._defaults.get(dest)

    def _values(self, action, words):
        values = []
        for word in words:
            try:
                value = word if action.type is None else action.type(word)
            except (ValueError, TypeError, ArgumentTypeError):
                self.error(f"argument {action.dest}: invalid value: {word!r}")
            if action.choices is not None and value not in action.choices:
                self.error(f"argument {action.dest}: invalid choice: {value!r}")
            values.append(value)
        return values

    def print_help(self, file=None):
        return None

    print_usage = print_help

    def format_help(self):
        return unknown("str", "a help text")

    format_usage = format_help

    def error(self, message):
        raise SystemExit(2)

    def exit(self, status=0, message=None):
        raise SystemExit(status)
