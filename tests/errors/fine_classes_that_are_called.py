import types

import jax.numpy as jnp


class Meta(type):
    @classmethod
    def __instancecheck__(cls, x):
        return x == 3


class Three(metaclass=Meta):
    pass


class Lazy(types.ModuleType):
    def __getattr__(self, name):
        import importlib

        return getattr(importlib.import_module(self.__name__), name)


sizes = Lazy("math")
made = types.ModuleType("made", "Nothing is in it.")
made.size = 3
pairs = zip([1, 2], [3, 4])
flags = [isinstance(pairs, zip), isinstance(pairs, (map, enumerate)), isinstance(b"ab", (bytearray, memoryview)), isinstance(made, types.ModuleType), isinstance(3, Three), isinstance(4, Three)]
x = jnp.zeros((int(sizes.pi), made.size, sum(flags), len(made.__name__)))
