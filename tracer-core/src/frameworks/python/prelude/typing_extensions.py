"""Names for annotations, those of newer Pythons included."""

import typing

from _jitlens.python import unknown as _unknown

from typing import *
from typing import Any, Generic, NamedTuple, Protocol, TypedDict, TypeVar


def __getattr__(name):
    if name.startswith("_") or hasattr(typing, name):
        return getattr(typing, name)
    # What it has depends on its version.
    return _unknown("", f"`typing_extensions.{name}` is not modelled")


class deprecated:
    def __init__(self, message, /, *, category=None, stacklevel=1):
        self.message = message

    def __call__(self, arg, /):
        return arg


def Doc(text, /):
    return text
