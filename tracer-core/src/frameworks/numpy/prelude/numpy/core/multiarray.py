"""`numpy.core.multiarray`: see the package."""
from . import __getattr__
