"""`jax.errors`: the engine's exception classes."""
from _jitlens import core

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()

ConcretizationTypeError = core.ConcretizationTypeError
NonConcreteBooleanIndexError = core.NonConcreteBooleanIndexError
TracerArrayConversionError = core.TracerArrayConversionError
TracerBoolConversionError = core.TracerBoolConversionError
TracerIntegerConversionError = core.TracerIntegerConversionError
UnexpectedTracerError = core.UnexpectedTracerError
JaxprTypeError = core.JaxprTypeError
InconclusiveDimensionOperation = core.InconclusiveDimensionOperation
JAXIndexError = core.JAXIndexError
JAXTypeError = core.JAXTypeError
JaxRuntimeError = core.JaxRuntimeError
KeyReuseError = core.KeyReuseError
