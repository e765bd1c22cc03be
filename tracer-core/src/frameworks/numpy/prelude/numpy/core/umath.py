"""`numpy.core.umath`: see the package."""
from . import __getattr__
