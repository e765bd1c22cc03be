"""Names for annotations, those of newer Pythons included."""

import typing

from typing import *
from typing import Any, Generic, NamedTuple, Protocol, TypedDict, TypeVar


def __getattr__(name):
    return getattr(typing, name)


class deprecated:
    def __init__(self, message, /, *, category=None, stacklevel=1):
        self.message = message

    def __call__(self, arg, /):
        return arg


def Doc(text, /):
    return text
