"""Command lines of several commands: which one runs is not known."""

import typing

from _jitlens.python import unknown


def set_accent_color(accent_color):
    return None


def literal_type_from_choices(choices):
    return typing.Literal[tuple(choices)]


def subcommand_type_from_defaults(defaults, descriptions=None, *, prefix_names=True, sort_subcommands=False):
    return typing.Union[tuple([type(one) for one in defaults.values()])]


def overridable_config_cli(configs, *, default=None, args=None, prog=None, description=None, use_underscores=False, console_outputs=True, config=None):
    if len(configs) == 1:
        ((name, (_, only)),) = configs.items()
        return name, only
    return unknown("str", "a command of the command line"), unknown("", "a command of the command line")


def subcommand_cli_from_dict(subcommands, *, prog=None, description=None, args=None, use_underscores=False, console_outputs=True, add_help=True, config=None, sort_subcommands=False):
    return unknown("", "a command of the command line")


class SubcommandApp:
    def command(self, func=None, *, name=None):
        return func if func is not None else lambda given: given

    def cli(self, **kwargs):
        return unknown("", "a command of the command line")
