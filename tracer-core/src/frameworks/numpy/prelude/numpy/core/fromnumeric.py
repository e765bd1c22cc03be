"""`numpy.core.fromnumeric`: see the package."""
from . import __getattr__
