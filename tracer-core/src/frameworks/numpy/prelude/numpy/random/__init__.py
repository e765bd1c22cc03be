"""`numpy.random`: seeded streams give NumPy's own numbers (`core.random_draw`), others numbers that are not known."""
from _jitlens import core

from .. import _names

from ._generator import Generator, default_rng
from ._legacy import RandomState, global_state
from ._streams import MT19937, PCG64, PCG64DXSM, SFC64, BitGenerator, Philox, SeedSequence

_global = global_state


def get_bit_generator():
    return core.unmodelled("numpy.random.get_bit_generator")


def set_bit_generator(bitgen):
    _global._stream = core.random_again(bitgen._stream, True)


def __getattr__(name):
    if name in ("bit_generator", "mtrand"):
        return core.unmodelled("numpy.random." + name)
    if name in ("ranf", "sample"):
        name = "random_sample"
    if not name.startswith("_"):
        found = getattr(_global, name, None)
        if found is not None:
            return found
    return _names.missing("numpy.random", name)
