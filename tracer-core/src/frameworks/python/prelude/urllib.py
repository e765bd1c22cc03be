"""What this module does depends on the world outside, or is of no interest to arrays."""

from _jitlens.python import impure, unknown


def _urlopen(url, *args, **kwargs):
    impure("network")
    return unknown("", "`urllib.request.urlopen` is not called")


def _urlretrieve(url, *args, **kwargs):
    impure("network")
    return unknown("", "`urllib.request.urlretrieve` is not called")


class _Request:
    urlopen = staticmethod(_urlopen)
    urlretrieve = staticmethod(_urlretrieve)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown("", f"`urllib.request.{name}` is not modelled")


request = _Request()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`urllib.{name}` is not modelled")
