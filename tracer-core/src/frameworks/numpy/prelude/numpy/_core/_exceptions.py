"""Exceptions of ufuncs."""


class UFuncTypeError(TypeError):
    """No loop, or no cast."""


class _UFuncNoLoopError(UFuncTypeError):
    """No loop for these types."""


class _UFuncCastingError(UFuncTypeError):
    """No cast."""


class _UFuncInputCastingError(_UFuncCastingError):
    """No cast of an input."""


class _UFuncOutputCastingError(_UFuncCastingError):
    """No cast of the result."""


class _UFuncBinaryResolutionError(_UFuncNoLoopError):
    """No types for a loop."""
