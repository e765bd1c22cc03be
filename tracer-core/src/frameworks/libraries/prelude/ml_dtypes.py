"""Types of few bits for NumPy: those that JAX names, too."""

from _jitlens import core
from _jitlens.python import unknown

__version__ = "0.5.4"
bfloat16 = core.scalar_type_class("bfloat16")
float8_e4m3fn = core.scalar_type_class("float8_e4m3fn")
float8_e5m2 = core.scalar_type_class("float8_e5m2")
int4 = core.scalar_type_class("int4")
uint4 = core.scalar_type_class("uint4")


def finfo(dtype):
    return core.finfo(dtype)


def iinfo(int_type):
    return core.iinfo(int_type)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"the type `{name}` of few bits")
