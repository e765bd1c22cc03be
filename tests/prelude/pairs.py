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


def expressions(C, letter, ours, real, arrays, texts, scope=None, **options):
    """Checks each expression text, in which `letter` stands for our module and for the real one; the names of `arrays` that
    occur in it are traced arguments. A text may end in `  # eager` to skip the eager run."""
    import re

    import jax.numpy as jnp
    import numpy as np
    for text in texts:
        text = text.strip()
        if not text or not C.wants(text):
            continue
        code = compile(text, text, "eval")
        names = [n for n in re.findall(r"\b[a-zA-Z_]\w*\b", text) if n in arrays]
        names = sorted(set(names))

        def call(module):
            names = dict(scope or {}, jax=jax, jnp=jnp, np=np)
            names[letter] = module

            def go(**given):
                return eval(code, {**names, **given})
            return go
        settings = dict(options)
        if "# eager" in text:
            settings["values"] = False
        C.call(text, call(ours), call(real), **{n: arrays[n] for n in names}, **settings)
