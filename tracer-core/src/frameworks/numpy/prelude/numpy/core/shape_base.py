"""`numpy.core.shape_base`: see the package."""
from . import __getattr__
