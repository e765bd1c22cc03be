"""What this module does depends on the world outside, or is of no interest to arrays."""

from _jitlens.python import impure, unknown


class _Unmodelled(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown("", f"`datetime.{cls.__name__}.{name}` is not modelled")


class date(metaclass=_Unmodelled):
    def __new__(cls, *args, **kwargs):
        return unknown("", f"`datetime.{cls.__name__}` is not modelled")

    @classmethod
    def today(cls):
        impure("date")
        return unknown("", "the date")


class datetime(date):
    @classmethod
    def now(cls, tz=None):
        impure("date")
        return unknown("", "the time")

    @classmethod
    def utcnow(cls):
        impure("date")
        return unknown("", "the time")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`datetime.{name}` is not modelled")
