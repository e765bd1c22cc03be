"""`jax.scipy.sparse`."""


def __getattr__(name):
    if name == "linalg":
        from importlib import import_module
        return import_module(".linalg", __name__)
    raise AttributeError(f"module 'jax.scipy.sparse' has no attribute {name!r}")
