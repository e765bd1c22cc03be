"""`jax.extend.linear_util`: functions on their way through transformations."""
from .. import _unmodelled


class WrappedFun:
    __module__ = "jax._src.linear_util"

    def __init__(self, f, params, debug_info):
        self.f, self.params, self.debug_info = f, params, debug_info

    @property
    def __name__(self):
        return getattr(self.f, "__name__", "<unnamed wrapped function>")

    def call_wrapped(self, *args, **kwargs):
        return self.f(*args, **self.params, **kwargs)


def wrap_init(f, params=None, *, debug_info=None):
    return WrappedFun(f, params or {}, debug_info)


def wrapped(f, around):
    """`f`, which calls the wrapped function `around`."""
    return WrappedFun(f, {}, around.debug_info)


__getattr__ = _unmodelled.names("jax.extend.linear_util", """
    StoreException cache merge_linear_aux transformation transformation2 transformation_with_aux transformation_with_aux2
    """)
