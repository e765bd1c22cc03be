"""`scipy.sparse.csgraph`: graphs are not looked at."""
from scipy._arrays import unmodelled

__getattr__ = unmodelled("scipy.sparse.csgraph")
