"""Notes on how arguments are written; none changes a default."""

import typing


class _Marker:
    def __init__(self, name):
        self.name = name

    def __getitem__(self, kind):
        return typing.Annotated[kind, self]

    def __repr__(self):
        return self.name


AvoidSubcommands = _Marker("AvoidSubcommands")
CascadeSubcommandArgs = _Marker("CascadeSubcommandArgs")
ConsolidateSubcommandArgs = _Marker("ConsolidateSubcommandArgs")
DisallowNone = _Marker("DisallowNone")
EnumChoicesFromValues = _Marker("EnumChoicesFromValues")
Fixed = _Marker("Fixed")
FlagConversionOff = _Marker("FlagConversionOff")
FlagCreatePairsOff = _Marker("FlagCreatePairsOff")
HelptextFromCommentsOff = _Marker("HelptextFromCommentsOff")
OmitArgPrefixes = _Marker("OmitArgPrefixes")
OmitSubcommandPrefixes = _Marker("OmitSubcommandPrefixes")
Positional = _Marker("Positional")
PositionalRequiredArgs = _Marker("PositionalRequiredArgs")
Suppress = _Marker("Suppress")
SuppressFixed = _Marker("SuppressFixed")
UseAppendAction = _Marker("UseAppendAction")
UseCounterAction = _Marker("UseCounterAction")


class _Note:
    def __init__(self, constructor=None):
        self.constructor = constructor


def arg(*, name=None, metavar=None, help=None, help_behavior_hint=None, aliases=None, prefix_name=None, constructor=None, constructor_factory=None, default=None):
    return _Note(constructor if constructor_factory is None else constructor_factory())


def subcommand(name=None, *, default=None, description=None, prefix_name=True, constructor=None, constructor_factory=None):
    return _Note(constructor if constructor_factory is None else constructor_factory())


def configure(*markers):
    return lambda of: of
