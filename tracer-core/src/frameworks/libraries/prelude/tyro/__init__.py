"""Command lines out of signatures: what has a default has it, and what has to be given is not known."""

from . import conf, extras
from ._cli import MISSING, cli

__all__ = ["MISSING", "cli", "conf", "extras"]
