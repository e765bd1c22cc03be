"""`numpy.core.function_base`: see the package."""
from . import __getattr__
