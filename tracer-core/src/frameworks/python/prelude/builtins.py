"""Builtin names."""

from _jitlens.builtins import *
