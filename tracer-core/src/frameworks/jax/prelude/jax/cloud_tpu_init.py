"""`jax.cloud_tpu_init`: nothing is left in it."""


def __getattr__(name):
    from . import _removed
    raise AttributeError(_removed.missing("jax.cloud_tpu_init", name))
