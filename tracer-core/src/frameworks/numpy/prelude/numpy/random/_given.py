"""The streams that libraries are given as `random_state`, `seed` or `rng`, and what becomes of them where nobody follows what is drawn."""
from _jitlens import core
from _jitlens.python import is_unknown
from numpy import random

from ._generator import Generator, default_rng
from ._legacy import RandomState, global_state


def stream_of(random_state):
    """The stream that a `random_state` stands for: NumPy's own for None, a new one for a seed."""
    if random_state is None or random_state is random:
        return global_state
    if isinstance(random_state, (RandomState, Generator)):
        return random_state
    if is_unknown(random_state):
        return RandomState()
    if core.is_static_integer(random_state) and core.ndim(random_state) == 0:
        return RandomState(random_state)
    raise ValueError(f"{random_state!r} cannot be used to seed a numpy.random.RandomState instance")


def lose(random_state):
    """A draw that is not followed: what the stream gives behind it is not known."""
    stream = stream_of(random_state)
    nowhere = default_rng() if isinstance(stream, Generator) else RandomState()
    core.random_set_position(stream._stream, nowhere._stream)
