"""`jax.experimental.xla_metadata`: annotations that change nothing."""

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


class _Metadata:
    def __enter__(self):
        pass

    def __exit__(self, *error):
        return False

    def __call__(self, f):
        return f


def set_xla_metadata(x=None, **kwargs):
    return _Metadata() if x is None else x
