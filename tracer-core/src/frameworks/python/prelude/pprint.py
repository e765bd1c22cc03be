"""Printing: only its failures matter."""

from _jitlens.python import unknown


def pprint(object, *args, **kwargs):
    print(object)


pp = pprint


def pformat(object, *args, **kwargs):
    text = repr(object)
    return text if len(text) < 80 else unknown("str", "text laid out over lines")


class PrettyPrinter:
    def __init__(self, *args, **kwargs):
        pass

    def pprint(self, object):
        pprint(object)

    def pformat(self, object):
        return pformat(object)
