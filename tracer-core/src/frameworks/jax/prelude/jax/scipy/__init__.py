"""`jax.scipy`: submodules are loaded when first asked for."""
_SUBMODULES = frozenset("cluster fft integrate interpolate linalg ndimage optimize signal sparse spatial special stats".split())


def __getattr__(name):
    if name in _SUBMODULES:
        from importlib import import_module
        return import_module("." + name, __name__)
    raise AttributeError(f"module 'jax.scipy' has no attribute {name!r}")
