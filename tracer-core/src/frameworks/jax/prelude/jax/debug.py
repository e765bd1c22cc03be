"""`jax.debug`."""
from ._callbacks import debug_callback as callback
from ._callbacks import debug_log as log
from ._callbacks import debug_print as print

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


class DebugEffect:
    def __str__(self):
        return "Debug"


class OrderedDebugEffect:
    def __str__(self):
        return "OrderedDebug"


def breakpoint(*, backend=None, filter_frames=True, num_frames=None, ordered=False, token=None, **kwargs):
    return token


def inspect_array_sharding(value, *, callback):
    sharding = getattr(value, "sharding", None)
    if sharding is not None:
        callback(sharding)


def visualize_sharding(shape, sharding, *, use_color=True, scale=1.0, min_width=9, max_width=80, color_map=None):
    if len(shape) > 2 or len(shape) < 1:
        raise ValueError("`visualize_sharding` only works for shapes with 1 and 2 dimensions.")


def visualize_array_sharding(arr, **kwargs):
    visualize_sharding(arr.shape, getattr(arr, "sharding", None), **kwargs)
