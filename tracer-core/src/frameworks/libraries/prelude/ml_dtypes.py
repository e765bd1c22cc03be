"""Types of few bits for NumPy: those that JAX names, too."""

from _jitlens import core
from _jitlens.python import unknown

__version__ = "0.5.4"
bfloat16 = core.scalar_type_class("bfloat16")
float4_e2m1fn = core.scalar_type_class("float4_e2m1fn")
float8_e3m4 = core.scalar_type_class("float8_e3m4")
float8_e4m3 = core.scalar_type_class("float8_e4m3")
float8_e4m3b11fnuz = core.scalar_type_class("float8_e4m3b11fnuz")
float8_e4m3fn = core.scalar_type_class("float8_e4m3fn")
float8_e4m3fnuz = core.scalar_type_class("float8_e4m3fnuz")
float8_e5m2 = core.scalar_type_class("float8_e5m2")
float8_e5m2fnuz = core.scalar_type_class("float8_e5m2fnuz")
float8_e8m0fnu = core.scalar_type_class("float8_e8m0fnu")
int2 = core.scalar_type_class("int2")
int4 = core.scalar_type_class("int4")
uint2 = core.scalar_type_class("uint2")
uint4 = core.scalar_type_class("uint4")


def finfo(dtype):
    return core.finfo(dtype)


def iinfo(int_type):
    return core.iinfo(int_type)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"the type `{name}` of few bits")
