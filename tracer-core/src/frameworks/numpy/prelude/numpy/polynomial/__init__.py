"""`numpy.polynomial`: series in six bases. What is said of printing them, and their companion matrices, are not modelled."""
_CLASSES = {"Polynomial": "polynomial", "Chebyshev": "chebyshev", "Legendre": "legendre", "Hermite": "hermite",
            "HermiteE": "hermite_e", "Laguerre": "laguerre"}


def __getattr__(name):
    import importlib
    if name in _CLASSES:
        return getattr(importlib.import_module(f"{__name__}.{_CLASSES[name]}"), name)
    if name == "polyutils" or name in _CLASSES.values():
        return importlib.import_module(f"{__name__}.{name}")
    from .. import _names
    return _names.missing("numpy.polynomial", name)
