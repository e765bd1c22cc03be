"""`jax.scipy.spatial`."""


def __getattr__(name):
    if name == "transform":
        from importlib import import_module
        return import_module(".transform", __name__)
    raise AttributeError(f"module 'jax.scipy.spatial' has no attribute {name!r}")
