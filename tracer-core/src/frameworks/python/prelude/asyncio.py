"""What this module does depends on the world outside, or is of no interest to arrays."""

from _jitlens.python import awaited, unknown


def run(main, *, debug=None):
    return awaited(main)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`asyncio.{name}` is not modelled")
