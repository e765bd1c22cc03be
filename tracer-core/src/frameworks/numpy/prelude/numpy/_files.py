"""Files: written ones are none of ours, read ones are not known."""
from _jitlens import core


def _written(name):
    def function(*args, **kwargs):
        pass
    function.__name__ = name
    return function


save, savez, savez_compressed, savetxt = map(_written, "save savez savez_compressed savetxt".split())
