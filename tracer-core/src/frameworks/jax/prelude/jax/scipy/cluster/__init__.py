"""`jax.scipy.cluster`."""


def __getattr__(name):
    if name == "vq":
        from importlib import import_module
        return import_module(".vq", __name__)
    raise AttributeError(f"module 'jax.scipy.cluster' has no attribute {name!r}")
