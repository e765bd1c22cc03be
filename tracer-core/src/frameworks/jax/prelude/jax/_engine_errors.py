"""Exceptions that JAX raises, as the engine names them."""
from _jitlens import core


class JAXTypeError(TypeError):
    __module__ = "jax.errors"


class JAXIndexError(IndexError):
    __module__ = "jax.errors"


class ConcretizationTypeError(JAXTypeError):
    __module__ = "jax.errors"

    def __init__(self, tracer, context=""):
        if isinstance(tracer, str):
            super().__init__(tracer)
        else:
            super().__init__("Abstract tracer value encountered where concrete value is expected: "
                             f"traced array with shape {core.type_name(tracer)}\n{context}")


class TracerBoolConversionError(ConcretizationTypeError):
    __module__ = "jax.errors"


class TracerArrayConversionError(JAXTypeError):
    __module__ = "jax.errors"


class TracerIntegerConversionError(JAXTypeError):
    __module__ = "jax.errors"


class NonConcreteBooleanIndexError(JAXIndexError):
    __module__ = "jax.errors"

    def __init__(self, tracer):
        super().__init__(f"Array boolean indices must be concrete; got {tracer}\n")


class UnexpectedTracerError(JAXTypeError):
    __module__ = "jax.errors"


class KeyReuseError(RuntimeError):
    __module__ = "jax.errors"


class JaxRuntimeError(RuntimeError):
    __module__ = "jax.errors"


class JaxprTypeError(TypeError):
    __module__ = "jax.errors"


class TypePromotionError(ValueError):
    __module__ = "jax.errors"


class InconclusiveDimensionOperation(Exception):
    __module__ = "jax.errors"


class InvalidInputException(TypeError):
    __module__ = "jax._src.dtypes"
