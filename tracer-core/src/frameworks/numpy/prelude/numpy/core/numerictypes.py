"""`numpy.core.numerictypes`: see the package."""
from . import __getattr__
