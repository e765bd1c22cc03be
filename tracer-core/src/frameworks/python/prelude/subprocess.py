"""What this module does depends on the world outside, or is of no interest to arrays."""

from _jitlens.python import impure, unknown

# What a call of it does, it does outside.
_OUTSIDE = ("call", "check_call", "check_output", "getoutput", "getstatusoutput", "run")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name in _OUTSIDE:
        def ask(*args, **kwargs):
            impure("process")
            return unknown("", f"`subprocess.{name}` is not called")
        return ask
    return unknown("", f"`subprocess.{name}` is not modelled")
