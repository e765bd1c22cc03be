"""Whether there is a configuration that is searched."""
from .. import _composing


class GlobalHydra:
    _it = []

    @staticmethod
    def instance(*args, **kwargs):
        if not GlobalHydra._it:
            GlobalHydra._it.append(GlobalHydra())
        return GlobalHydra._it[0]

    def is_initialized(self):
        return _composing._folder[0] is not None

    def clear(self):
        _composing.restore(None)
