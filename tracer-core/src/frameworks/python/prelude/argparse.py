"""Command lines. Where the program's own is parsed, every argument has its default, and what has to be given is not known."""

import sys
from _jitlens.python import is_unknown, left_out, unknown

SUPPRESS = "==SUPPRESS=="
OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE, REMAINDER, PARSER = "?", "*", "+", "...", "A..."
_EXTRAS = "_unrecognized_args"


class ArgumentTypeError(Exception):
    pass


class ArgumentError(Exception):
    def __init__(self, argument, message):
        self.argument_name = _shown(argument)
        self.message = message

    def __str__(self):
        return self.message if self.argument_name is None else f"argument {self.argument_name}: {self.message}"


def _shown(action):
    """How messages call an argument."""
    if action is None:
        return None
    if action.option_strings:
        return "/".join(action.option_strings)
    if action.metavar not in (None, SUPPRESS):
        return action.metavar
    if action.dest not in (None, SUPPRESS):
        return action.dest
    return "{" + ",".join(action.choices) + "}" if action.choices else None


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
    def __init__(
        self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None, metavar=None
    ):
        self.option_strings = option_strings
        self.dest = dest
        self.nargs = nargs
        self.const = const
        self.default = default
        self.type = type
        self.choices = choices
        self.required = required
        self.help = help
        self.metavar = metavar

    def format_usage(self):
        return self.option_strings[0]

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError(".__call__() not defined")


class _StoreAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, **options):
        if nargs == 0:
            raise ValueError(
                "nargs for store actions must be != 0; if you have nothing to store, actions such as store true or store const may be more appropriate"
            )
        if const is not None and nargs != OPTIONAL:
            raise ValueError(f"nargs must be {OPTIONAL!r} to supply const")
        super().__init__(option_strings, dest, nargs, const, **options)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _StoreConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None, **others):
        _refuse("_StoreConstAction", others)
        super().__init__(option_strings, dest, 0, const, default, required=required, help=help, metavar=metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrueAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=False, required=False, help=None, **others):
        _refuse("_StoreTrueAction", others)
        super().__init__(option_strings, dest, True, default, required, help)


class _StoreFalseAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=True, required=False, help=None, **others):
        _refuse("_StoreFalseAction", others)
        super().__init__(option_strings, dest, False, default, required, help)


class _AppendAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, **options):
        if nargs == 0:
            raise ValueError(
                "nargs for append actions must be != 0; if arg strings are not supplying the value to append, the append const action may be more appropriate"
            )
        if const is not None and nargs != OPTIONAL:
            raise ValueError(f"nargs must be {OPTIONAL!r} to supply const")
        super().__init__(option_strings, dest, nargs, const, **options)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _so_far(namespace, self.dest) + [values])


class _AppendConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None):
        super().__init__(option_strings, dest, 0, const, default, required=required, help=help, metavar=metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _so_far(namespace, self.dest) + [self.const])


class _ExtendAction(_AppendAction):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _so_far(namespace, self.dest) + list(values))


class _CountAction(Action):
    def __init__(self, option_strings, dest, default=None, required=False, help=None, **others):
        _refuse("_CountAction", others)
        super().__init__(option_strings, dest, 0, default=default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (getattr(namespace, self.dest, None) or 0) + 1)


class _HelpAction(Action):
    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, help=None):
        super().__init__(option_strings, dest, 0, default=default, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        parser.print_help()
        parser.exit()


class _VersionAction(Action):
    def __init__(self, option_strings, version=None, dest=SUPPRESS, default=SUPPRESS, help=None):
        super().__init__(option_strings, dest, 0, default=default, help=help)
        self.version = version

    def __call__(self, parser, namespace, values, option_string=None):
        parser.exit()


class BooleanOptionalAction(Action):
    def __init__(self, option_strings, dest, default=None, type=None, choices=None, required=False, help=None, metavar=None):
        spelled = []
        for name in option_strings:
            spelled.append(name)
            if name.startswith("--"):
                spelled.append("--no-" + name[2:])
        super().__init__(spelled, dest, 0, None, default, type, choices, required, help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string in self.option_strings:
            setattr(namespace, self.dest, not option_string.startswith("--no-"))

    def format_usage(self):
        return " | ".join(self.option_strings)


class _SubParsersAction(Action):
    def __init__(self, option_strings, prog, parser_class, dest=SUPPRESS, required=False, help=None, metavar=None):
        super().__init__(option_strings, dest, PARSER, choices={}, required=required, help=help, metavar=metavar)
        self._prog = prog
        self._parser_class = parser_class
        self._name_parser_map = self.choices

    def add_parser(self, name, *, aliases=(), help=None, **options):
        for one in (name, *aliases):
            if one in self.choices and sys.version_info >= (3, 11):
                raise ArgumentError(self, f"conflicting subparser{' alias' if one != name else ''}: {one}")
        made = self._parser_class(**options)
        for one in (name, *aliases):
            self.choices[one] = made
        return made

    def __call__(self, parser, namespace, values, option_string=None):
        name = values[0]
        if self.dest is not SUPPRESS:
            setattr(namespace, self.dest, name)
        if name not in self.choices:
            raise ArgumentError(self, f"unknown parser {name!r} (choices: {', '.join(self.choices)})")
        inner, rest = self.choices[name].parse_known_args(values[1:], None)
        for key, value in vars(inner).items():
            setattr(namespace, key, value)
        if rest:
            setattr(namespace, _EXTRAS, getattr(namespace, _EXTRAS, []) + rest)


def _refuse(name, options):
    """What an action takes no value for is a mistake of who adds the argument."""
    for option in options:
        if option != "deprecated":
            raise TypeError(f"{name}.__init__() got an unexpected keyword argument {option!r}")


def _so_far(namespace, dest):
    items = getattr(namespace, dest, None)
    return [] if items is None else list(items)


_ACTIONS = {
    None: _StoreAction,
    "store": _StoreAction,
    "store_const": _StoreConstAction,
    "store_true": _StoreTrueAction,
    "store_false": _StoreFalseAction,
    "append": _AppendAction,
    "append_const": _AppendConstAction,
    "extend": _ExtendAction,
    "count": _CountAction,
    "help": _HelpAction,
    "version": _VersionAction,
    "parsers": _SubParsersAction,
}
_KINDS = {int: "int", float: "float", str: "str", None: "str", bool: "bool"}


def _is_number(word):
    """Whether this begins like an option and is a negative number."""
    if not word.startswith("-"):
        return False
    whole, point, part = word[1:].partition(".")
    return part.isdigit() and (not whole or whole.isdigit()) if point else whole.isdigit()


class _ActionsContainer:
    def __init__(self, owner=None):
        self._owner = owner or self

    def register(self, registry_name, value, object):
        self._owner._registries.setdefault(registry_name, {})[value] = object

    def set_defaults(self, **kwargs):
        self._owner._defaults.update(kwargs)
        for action in self._owner._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]

    def get_default(self, dest):
        for action in self._owner._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._owner._defaults.get(dest)

    def add_argument(self, *args, **kwargs):
        owner = self._owner
        chars = owner.prefix_chars
        if not args or len(args) == 1 and args[0][0] not in chars:
            if args and "dest" in kwargs:
                raise ValueError("dest supplied twice for positional argument")
            options = self._positional(*args, **kwargs)
        else:
            options = self._optional(*args, **kwargs)
        if "default" not in options:
            if options["dest"] in owner._defaults:
                options["default"] = owner._defaults[options["dest"]]
            elif owner.argument_default is not None:
                options["default"] = owner.argument_default
        if callable(options.get("type")) is False and options.get("type") is not None:
            raise ValueError(f"{options['type']!r} is not callable")
        kind = options.pop("action", None)
        if isinstance(kind, str) or kind is None:
            registered = owner._registries["action"]
            if kind not in registered:
                raise ValueError(f'unknown action "{kind}"')
            kind = registered[kind]
        return self._add_action(kind(**options))

    def _positional(self, dest, **kwargs):
        if "required" in kwargs:
            raise TypeError("'required' is an invalid argument for positionals")
        if kwargs.get("nargs") not in (OPTIONAL, ZERO_OR_MORE, REMAINDER, SUPPRESS, 0):
            kwargs["required"] = True
        return dict(kwargs, dest=dest, option_strings=[])

    def _optional(self, *args, **kwargs):
        chars = self._owner.prefix_chars
        for name in args:
            if name[0] not in chars:
                raise ValueError(f"invalid option string {name!r}: must start with a character {chars!r}")
        dest = kwargs.pop("dest", None)
        if dest is None:
            long = [name for name in args if len(name) > 1 and name[1] in chars]
            dest = (long or list(args))[0].lstrip(chars)
            if not dest:
                raise ValueError(f"dest= is required for options like {args[0]!r}")
            dest = dest.replace("-", "_")
        return dict(kwargs, dest=dest, option_strings=list(args))

    def _add_action(self, action):
        owner = self._owner
        taken = [(name, owner._option_string_actions[name]) for name in action.option_strings if name in owner._option_string_actions]
        if taken and owner.conflict_handler != "resolve":
            names = ", ".join([name for name, _ in taken])
            raise ArgumentError(action, f"conflicting option string{'s' if len(taken) > 1 else ''}: {names}")
        for name, other in taken:
            other.option_strings.remove(name)
            if not other.option_strings:
                owner._actions.remove(other)
                for group in owner._action_groups:
                    if other in group._group_actions:
                        group._group_actions.remove(other)
        owner._actions.append(action)
        for name in action.option_strings:
            owner._option_string_actions[name] = action
        action.container = self
        self._listed_in(action)._group_actions.append(action)
        return action

    def _listed_in(self, action):
        """The group of the help that an action stands in."""
        return self._optionals if action.option_strings else self._positionals

    def add_argument_group(self, title=None, description=None, **kwargs):
        group = _ArgumentGroup(self._owner, title, description)
        self._owner._action_groups.append(group)
        return group

    def add_mutually_exclusive_group(self, *, required=False):
        group = _MutuallyExclusiveGroup(self, required)
        self._owner._mutually_exclusive_groups.append(group)
        return group


class _ArgumentGroup(_ActionsContainer):
    def __init__(self, owner, title=None, description=None):
        super().__init__(owner)
        self.title = title
        self.description = description
        self._group_actions = []

    def _listed_in(self, action):
        return self


class _MutuallyExclusiveGroup(_ArgumentGroup):
    def __init__(self, container, required):
        super().__init__(container._owner)
        self.required = required
        self._container = container

    def _add_action(self, action):
        if action.required:
            raise ValueError("mutually exclusive arguments must be optional")
        super()._add_action(action)
        # It has them beside the group that it was made in.
        self._container._listed_in(action)._group_actions.append(action)
        return action


class _Line:
    """Words of a command line while they are taken."""

    def __init__(self, words, pattern):
        self.words = words
        self.pattern = pattern
        self.rest = []
        self.seen = []
        self.chosen = []


class ArgumentParser(_ActionsContainer):
    def __init__(
        self, prog=None, usage=None, description=None, epilog=None, parents=[], formatter_class=HelpFormatter, prefix_chars="-",
        fromfile_prefix_chars=None, argument_default=None, conflict_handler="error", add_help=True, allow_abbrev=True,
        exit_on_error=True, *, suggest_on_error=False, color=True,
    ):
        super().__init__()
        self.prog = unknown("str", "the name of the program") if prog is None else prog
        self.usage = usage
        self.description = description
        self.epilog = epilog
        self.formatter_class = formatter_class
        self.prefix_chars = prefix_chars
        self.fromfile_prefix_chars = fromfile_prefix_chars
        self.argument_default = argument_default
        self.conflict_handler = conflict_handler
        self.add_help = add_help
        self.allow_abbrev = allow_abbrev
        self.exit_on_error = exit_on_error
        self._actions = []
        self._option_string_actions = {}
        self._mutually_exclusive_groups = []
        self._action_groups = []
        self._positionals = self.add_argument_group("positional arguments")
        self._optionals = self.add_argument_group("options")
        self._defaults = {}
        self._registries = {"action": dict(_ACTIONS), "type": {}}
        self._subparsers = None
        if add_help:
            dash = "-" if "-" in prefix_chars else prefix_chars[0]
            self.add_argument(dash + "h", dash * 2 + "help", action="help", default=SUPPRESS, help="show this help message and exit")
        titles = {}
        for parent in parents:
            for action in parent._actions:
                # What handles conflicts takes names away from an action: the parent keeps its own.
                container = action.container
                # Its own groups stand where those of this one do, and the others beside them.
                is_exclusive = isinstance(action.container, _MutuallyExclusiveGroup)
                listed = [] if is_exclusive else [group for group in parent._action_groups[2:] if action in group._group_actions]
                if listed:
                    if listed[0].title not in titles:
                        titles[listed[0].title] = self.add_argument_group(listed[0].title, listed[0].description)
                    titles[listed[0].title]._add_action(action)
                else:
                    self._add_action(action)
                action.container = container
            self._mutually_exclusive_groups += parent._mutually_exclusive_groups
            self._defaults.update(parent._defaults)

    def add_subparsers(self, *, title=None, description=None, prog=None, parser_class=None, action=None, dest=SUPPRESS, **options):
        if self._subparsers is not None:
            raise ArgumentError(None, "cannot have multiple subparser arguments")
        kind = action if isinstance(action, type) else self._registries["action"]["parsers" if action is None else action]
        made = kind(option_strings=[], prog=prog, parser_class=parser_class or type(self), dest=dest, **options)
        self._subparsers = self._add_action(made)
        return made

    def parse_args(self, args=None, namespace=None):
        return self._whole(self.parse_known_args(args, namespace))

    def parse_intermixed_args(self, args=None, namespace=None):
        return self._whole(self.parse_known_intermixed_args(args, namespace))

    def _whole(self, parsed):
        namespace, rest = parsed
        if rest:
            self._fail(ArgumentError(None, "unrecognized arguments: " + " ".join(rest)))
        return namespace

    def parse_known_args(self, args=None, namespace=None):
        return self._parse(args, namespace, False)

    def parse_known_intermixed_args(self, args=None, namespace=None):
        return self._parse(args, namespace, True)

    def _parse(self, args, namespace, is_mixed):
        # The program's own command line is not known, and taken to be empty.
        is_own = args is None or is_unknown(args) or isinstance(args, type(sys.argv))
        words = list(args) if args is not None and not is_unknown(args) else []
        namespace = Namespace() if namespace is None else namespace
        for action in self._actions:
            if action.dest is not SUPPRESS and action.default is not SUPPRESS and not hasattr(namespace, action.dest):
                setattr(namespace, action.dest, action.default)
        for name, value in self._defaults.items():
            if not hasattr(namespace, name):
                setattr(namespace, name, value)
        if self.fromfile_prefix_chars is not None and any([w and w[0] in self.fromfile_prefix_chars for w in words]):
            for action in self._actions:
                if action.dest is not SUPPRESS:
                    setattr(namespace, action.dest, unknown("", "an argument from a file"))
            return namespace, []
        try:
            rest = self._take(words, namespace, is_mixed, is_own)
        except ArgumentError as error:
            if not self.exit_on_error:
                raise
            self.error(str(error))
        if hasattr(namespace, _EXTRAS):
            rest += getattr(namespace, _EXTRAS)
            delattr(namespace, _EXTRAS)
        return namespace, rest

    def _take(self, words, namespace, is_mixed, is_own):
        options, pattern, is_over = {}, "", False
        for at, word in enumerate(words):
            if word == "--" and not is_over:
                pattern += "-"
                is_over = True
                continue
            option = None if is_over else self._option(word)
            if option is not None:
                options[at] = option
            pattern += "A" if option is None else "O"
        line = _Line(words, pattern)
        positionals = [a for a in self._actions if not a.option_strings]
        waiting = [] if is_mixed else positionals
        at = 0
        last = max(options, default=-1)
        while at <= last:
            until = min([i for i in options if i >= at])
            if at != until:
                after = self._take_positionals(line, waiting, namespace, at)
                if after > at:
                    at = after
                    continue
            if at not in options:
                line.rest += words[at:until]
                at = until
            at = self._take_option(line, options[at], namespace, at)
        if is_mixed:
            line = _Line(line.rest + words[at:], "A" * (len(line.rest) + len(words) - at))
            waiting, at = positionals, 0
        end = self._take_positionals(line, waiting, namespace, at)
        line.rest += line.words[end:]
        self._finish(line, namespace, is_own)
        return line.rest

    def _finish(self, line, namespace, is_own):
        missing = []
        for action in self._actions:
            if action in line.seen or action.dest is SUPPRESS and action is not self._subparsers:
                continue
            if action.required:
                if is_own:
                    kind = _KINDS.get(action.type, "") if action.nargs is None and type(action) is _StoreAction else ""
                    kind = "str" if action is self._subparsers else kind
                    if action.dest is not SUPPRESS:
                        setattr(namespace, action.dest, unknown(kind, "an argument of the command line"))
                else:
                    missing.append(_shown(action) or "?")
                continue
            if action.default is None and is_own:
                left_out(action.dest)
            if isinstance(action.default, str) and getattr(namespace, action.dest, None) is action.default:
                setattr(namespace, action.dest, self._get_value(action, action.default))
            elif action.default is None and action.nargs == ZERO_OR_MORE and not action.option_strings:
                setattr(namespace, action.dest, [])
        if missing:
            raise ArgumentError(None, "the following arguments are required: " + ", ".join(missing))
        for group in self._mutually_exclusive_groups:
            if group.required and not any([a in line.chosen for a in group._group_actions]):
                if not is_own:
                    names = " ".join([_shown(a) for a in group._group_actions if a.help is not SUPPRESS])
                    raise ArgumentError(None, f"one of the arguments {names} is required")
                for action in group._group_actions:
                    if action.dest is not SUPPRESS:
                        kind = "bool" if isinstance(action, (_StoreTrueAction, _StoreFalseAction)) else ""
                        setattr(namespace, action.dest, unknown(kind, "one of several arguments of the command line"))
        if is_own and self._subparsers is not None and not line.words:
            # Which of them is asked for is not known, and with it what it adds.
            for parser in self._subparsers.choices.values():
                for name in [a.dest for a in parser._actions] + list(parser._defaults):
                    if name is not SUPPRESS and not hasattr(namespace, name):
                        setattr(namespace, name, unknown("", "an argument of the command line"))

    def _option(self, word):
        """The action, its name and what is attached to it, of a word that is an option."""
        if not word or word[0] not in self.prefix_chars:
            return None
        if word in self._option_string_actions:
            return self._option_string_actions[word], word, None
        if len(word) == 1:
            return None
        if "=" in word:
            name, _, value = word.partition("=")
            if name in self._option_string_actions:
                return self._option_string_actions[name], name, value
        found = self._abbreviated(word)
        if len(found) > 1:
            names = ", ".join([name for _, name, _ in found])
            raise ArgumentError(None, f"ambiguous option: {word} could match {names}")
        if found:
            return found[0]
        if _is_number(word) and not any([_is_number(name) for name in self._option_string_actions]):
            return None
        return None if " " in word else (None, word, None)

    def _abbreviated(self, word):
        found = []
        if word[1] in self.prefix_chars:
            if self.allow_abbrev:
                start, eq, value = word.partition("=")
                for name, action in self._option_string_actions.items():
                    if name.startswith(start):
                        found.append((action, name, value if eq else None))
            return found
        for name, action in self._option_string_actions.items():
            if name == word[:2]:
                found.append((action, name, word[2:]))
            elif name.startswith(word):
                found.append((action, name, None))
        return found

    def _take_option(self, line, option, namespace, at):
        action, name, attached = option
        taken = []
        while True:
            if action is None:
                line.rest.append(line.words[at])
                return at + 1
            if attached is None:
                count = self._count(action, line.pattern[at + 1 :])
                taken.append((action, line.words[at + 1 : at + 1 + count], name))
                at += 1 + count
                break
            count = self._count(action, "A")
            if count == 1:
                taken.append((action, [attached], name))
                at += 1
                break
            # Several of one letter each.
            following = name[0] + attached[:1]
            if count or name[1] in self.prefix_chars or not attached or following not in self._option_string_actions:
                raise ArgumentError(action, f"ignored explicit argument {attached!r}")
            taken.append((action, [], name))
            action, name, attached = self._option_string_actions[following], following, attached[1:] or None
            if attached is not None and attached[0] == "=":
                attached = attached[1:]
        for action, words, name in taken:
            self._act(line, action, words, namespace, name)
        return at

    def _take_positionals(self, line, waiting, namespace, at):
        counts = self._match(waiting, line.pattern[at:])
        for action, count in zip(waiting[: len(counts)], counts):
            words = line.words[at : at + count]
            if action.nargs not in (PARSER, REMAINDER) and "-" in line.pattern[at : at + count]:
                words.remove("--")
            at += count
            self._act(line, action, words, namespace, None)
        del waiting[: len(counts)]
        return at

    def _match(self, actions, pattern):
        import re

        shapes = {
            None: "(-*A-*)", OPTIONAL: "(-*A?-*)", ZERO_OR_MORE: "(-*[A-]*)", ONE_OR_MORE: "(-*A[A-]*)", REMAINDER: "([-AO]*)",
            PARSER: "(-*A[-AO]*)", SUPPRESS: "(-*-*)",
        }
        for many in range(len(actions), 0, -1):
            texts = [f"(-*{'-*'.join(['A'] * a.nargs)}-*)" if isinstance(a.nargs, int) else shapes[a.nargs] for a in actions[:many]]
            found = re.match("".join(texts), pattern)
            if found is not None:
                counts = [len(text) for text in found.groups()]
                if pattern[found.end() : found.end() + 1] == "O":
                    while counts and not counts[-1]:
                        counts.pop()
                return counts
        return []

    def _count(self, action, pattern):
        """How many of the words that follow an option are its own."""
        nargs = action.nargs
        there = len(pattern) - len(pattern.lstrip("A"))
        if nargs is None:
            if not there:
                raise ArgumentError(action, "expected one argument")
            return 1
        if nargs == OPTIONAL:
            return min(there, 1)
        if nargs == ZERO_OR_MORE:
            return there
        if nargs == REMAINDER:
            return len(pattern)
        if nargs in (ONE_OR_MORE, PARSER):
            if not there:
                raise ArgumentError(action, "expected at least one argument")
            return there if nargs == ONE_OR_MORE else len(pattern)
        if there < nargs:
            raise ArgumentError(action, f"expected {nargs} argument{'s' if nargs != 1 else ''}")
        return nargs

    def _act(self, line, action, words, namespace, name):
        values = self._get_values(action, words)
        line.seen.append(action)
        if values is not action.default:
            line.chosen.append(action)
            for group in self._mutually_exclusive_groups:
                if action in group._group_actions:
                    for other in group._group_actions:
                        if other is not action and other in line.chosen:
                            raise ArgumentError(action, f"not allowed with argument {_shown(other)}")
        action(self, namespace, values, name)

    def _get_values(self, action, words):
        nargs = action.nargs
        if nargs == OPTIONAL and not words:
            value = action.const if action.option_strings else action.default
            return self._get_value(action, value) if isinstance(value, str) else value
        if nargs == ZERO_OR_MORE and not words and not action.option_strings:
            return [] if action.default is None else action.default
        if nargs in (None, OPTIONAL) and len(words) == 1:
            return self._checked(action, self._get_value(action, words[0]))
        values = [self._get_value(action, word) for word in words]
        if nargs == PARSER:
            self._checked(action, values[0])
        elif nargs != REMAINDER:
            for value in values:
                self._checked(action, value)
        return values

    def _get_value(self, action, word):
        convert = self._registries["type"].get(action.type, action.type)
        if convert is None:
            return word
        try:
            return convert(word)
        except ArgumentTypeError as error:
            raise ArgumentError(action, str(error))
        except (TypeError, ValueError):
            raise ArgumentError(action, f"invalid {getattr(action.type, '__name__', repr(action.type))} value: {word!r}")

    def _checked(self, action, value):
        if action.choices is not None and value not in action.choices:
            raise ArgumentError(action, f"invalid choice: {value!r} (choose from {', '.join([repr(c) for c in action.choices])})")
        return value

    def _fail(self, error):
        if not self.exit_on_error:
            raise error
        self.error(str(error))

    def print_help(self, file=None):
        self._tell(self.format_help(), sys.stdout if file is None else file)

    print_usage = print_help

    def format_help(self):
        return unknown("str", "a help text")

    format_usage = format_help

    def error(self, message):
        self._tell(unknown("str", "how a program is used"), None)
        self.exit(2, f"{self.prog}: error: {message}\n")

    def exit(self, status=0, message=None):
        if is_unknown(message) or message:
            self._tell(message, None)
        sys.exit(status)

    def _tell(self, text, file):
        """Writes a text to where the program keeps what it would print; what goes to the terminal is not shown."""
        file = sys.stderr if file is None else file
        if is_unknown(file) or type(file).__module__ != "sys":
            file.write(text)
