"""`scipy.signal.windows`: arrays of a length."""

from .. import _arrays
from .._arrays import opaque

__getattr__ = _arrays.unmodelled("scipy.signal.windows")


def _window(name):
    def function(M, *args, **kwargs):
        return opaque((int(M),), "float64")
    function.__name__ = name
    return function


for _name in """barthann bartlett blackman blackmanharris bohman boxcar chebwin cosine exponential flattop gaussian general_gaussian
        general_hamming hamming hann kaiser lanczos nuttall parzen triang tukey""".split():
    globals()[_name] = _window(_name)
