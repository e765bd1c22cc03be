"""`jax.experimental.xla_metadata`: annotations that change nothing."""


class _Metadata:
    def __enter__(self):
        pass

    def __exit__(self, *error):
        return False

    def __call__(self, f):
        return f


def set_xla_metadata(x=None, **kwargs):
    return _Metadata() if x is None else x
