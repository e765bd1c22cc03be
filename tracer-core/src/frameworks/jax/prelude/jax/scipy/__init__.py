"""`jax.scipy`: submodules are loaded when first asked for."""
_SUBMODULES = frozenset("cluster fft integrate interpolate linalg ndimage signal sparse special stats".split())

# `optimize` and `spatial` are there once somebody has imported them: a library may have done it for itself, which may be put off here.
_BROUGHT = {"optimize": "numpyro", "spatial": ""}


def __getattr__(name):
    if name in _SUBMODULES or name in _BROUGHT and _is_brought(name):
        from importlib import import_module
        return import_module("." + name, __name__)
    raise AttributeError(f"module 'jax.scipy' has no attribute {name!r}")


def _is_brought(name):
    from _jitlens.python import modules
    return any([library in modules() for library in _BROUGHT[name].split()])
