"""`numpy.core.numeric`: see the package."""
from . import __getattr__
