"""`numpy.fft`: the functions of `jax.numpy.fft` on NumPy's arrays."""
from _jitlens import core

from . import _names


def __getattr__(name):
    import jax.numpy as jnp
    inner = None if name.startswith("_") or name not in _names.of("numpy.fft") else getattr(jnp.fft, name, None)
    if inner is None:
        return _names.missing("numpy.fft", name)

    shift, frequencies = name in ("fftshift", "ifftshift"), name in ("fftfreq", "rfftfreq")

    def function(*args, **kwargs):
        first = "n" if frequencies else "x" if shift else "a"
        if not args and first in kwargs:
            args = (kwargs.pop(first),)
        half = not frequencies and args and core.numpy_array(args[0]).dtype.name == "float16"
        if half and not shift:
            made = function(core.numpy_array(args[0]).astype("float32"), *args[1:], **kwargs)
            return made.astype("float16") if name in ("irfft", "irfft2", "irfftn", "hfft") else made
        if args and frequencies:
            _check_count(name, args[0])
            d = kwargs.get("d", args[1] if len(args) > 1 else 1.0)
            if core.is_array(d):
                # What is multiplied by a number of JAX is JAX's.
                return core.numpy_call(inner, name, (args[0], 1.0 / args[0]), {}).astype("int64") * (1.0 / (args[0] * d))
        elif args:
            a = core.numpy_array(args[0])
            if a.ndim == 0 and shift:
                raise ValueError("axes don't match array")
            if a.ndim == 0 and name in ("fftn", "ifftn"):
                return a
            if not shift:
                if not name.endswith(("2", "n")):
                    _check_length(name, a, *args[1:3], **{key: value for key, value in kwargs.items() if key in ("n", "axis")})
                if name.endswith("n") and kwargs.get("s") is not None and "axes" not in kwargs and core.ndim(kwargs["s"]) and len(kwargs["s"]) > a.ndim:
                    from numpy.exceptions import AxisError
                    raise AxisError(f"axes exceeds dimensionality of input: axis {-len(kwargs['s'])} is out of bounds for array of dimension {a.ndim}")
                _check(name, a)
                a = a.astype("float32") if a.dtype.name == "bfloat16" else a.astype("float64") if a.dtype.kind in "bui" else a
            args = (a,) + args[1:]
        return core.numpy_call(inner, name, args, kwargs)
    function.__name__ = name
    globals()[name] = function
    return function


def _check(name, a):
    """What transforms refuse: too few axes, and complex numbers where they are for real ones."""
    least = 0 if name in ("fftn", "ifftn") else 2 if name.endswith("2") else 1
    if a.ndim < least:
        raise IndexError("tuple index out of range")
    if name in ("rfft", "rfft2", "rfftn", "ihfft") and a.dtype.kind == "c":
        raise TypeError(f"ufunc '{name}_n_even' did not contain a loop with signature matching types")


def _check_length(name, a, n=None, axis=-1):
    """Without a length the axis is looked up in the shape; with one, it is looked at after the length."""
    if n is None:
        n = a.shape[axis]
        n = (n - 1) * 2 if name in ("irfft", "hfft") else n
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    from ._shapes import _axis
    _axis(axis, a.ndim)


def _check_count(name, n):
    if not (core.is_unknown(n) or core.is_static_integer(n) or isinstance(n, bool)):
        raise ValueError("n should be an integer")
    if n == 0:
        raise ZeroDivisionError("float division by zero")
    if n < 0 and name == "fftfreq":
        raise ValueError("negative dimensions are not allowed")
