"""Functions to be called at the end are not."""


def register(func, /, *args, **kwargs):
    return func


def unregister(func, /):
    return None
