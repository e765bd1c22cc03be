"""Short texts of objects."""

from _jitlens.python import unknown


def recursive_repr(fillvalue="..."):
    def decorate(function):
        running = set()

        def wrapper(self):
            key = id(self)
            if key in running:
                return fillvalue
            running.add(key)
            try:
                return function(self)
            finally:
                running.discard(key)
        return wrapper
    return decorate


def repr(x):
    return unknown("str", "a shortened text")


class Repr:
    def repr(self, x):
        return repr(x)
