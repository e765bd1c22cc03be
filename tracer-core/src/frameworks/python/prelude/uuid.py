"""What this module does depends on the world outside, or is of no interest to arrays."""

from _jitlens.python import impure, unknown


def uuid1(node=None, clock_seq=None):
    impure("random")
    return unknown("", "`uuid.uuid1` differs each time")


def uuid4():
    impure("random")
    return unknown("", "`uuid.uuid4` differs each time")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`uuid.{name}` is not modelled")
