"""What this module does depends on the world outside, or is of no interest to arrays."""

from _jitlens.python import impure, unknown

# What a call of it does, it does outside.
_OUTSIDE = ("create_connection", "getaddrinfo", "gethostbyname")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name in _OUTSIDE:
        def ask(*args, **kwargs):
            impure("network")
            return unknown("", f"`socket.{name}` is not called")
        return ask
    return unknown("", f"`socket.{name}` is not modelled")
