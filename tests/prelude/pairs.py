"""Helpers of the case files that check functions which take functions.

`pairs(C, ours)` gives `run(name, make, *args)`: `make(J)` builds the function to call from a namespace that is ours or
real JAX, so that a case is written once."""
import types

import jax


def pairs(C, ours, real=jax):
    def run(name, make, *args, **options):
        if C.wants(name):
            C.call(name, lambda *xs: make(ours)(*xs), lambda *xs: make(real)(*xs), *args, **options)
    return run


def namespace(*modules, **names):
    """One namespace out of the names of several modules."""
    found = types.SimpleNamespace(**names)
    for module in modules:
        for key, value in vars(module).items():
            if not key.startswith("__"):
                setattr(found, key, value)
    return found
