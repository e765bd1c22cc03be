"""`jax.test_util`: numerical checks of derivatives. The derivatives are taken; the numbers are not compared."""
from functools import partial

from _jitlens import core

from ._autodiff import jvp, linearize, vjp

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


_STEP = 1e-4


def check_jvp(f, f_jvp, args, atol=None, rtol=None, eps=_STEP, err_msg=""):
    direction = _drawn(_numbers(), args)
    f_jvp(args, direction)
    f(*args)
    _difference(f, args, direction, eps)


def check_vjp(f, f_vjp, args, atol=None, rtol=None, eps=_STEP, err_msg=""):
    numbers = _numbers()
    out, backward = f_vjp(*args)
    f(*args)
    _difference(f, args, _drawn(numbers, args), eps)
    backward(_drawn(numbers, out))


def _numbers():
    import numpy as np
    return np.random.RandomState(0)


def _drawn(numbers, tree):
    """Random numbers of the same shapes and types: NumPy's arrays, and Python's numbers for such."""
    import numpy as np

    def drawn(x):
        shape, dtype = np.shape(x), core.dtype(x)
        found = np.asarray(numbers.randn(*shape), dtype=dtype)
        if np.issubdtype(dtype, np.complexfloating):
            found = found + np.asarray(1j, dtype) * np.asarray(numbers.randn(*shape), dtype=dtype)
        return found.item() if _is_number(x) else found
    return core.tree_map(drawn, tree)


def _is_number(x):
    import numpy as np
    return isinstance(x, (bool, int, float, complex)) and not isinstance(x, np.generic)


def _difference(f, args, direction, eps):
    """The function on both sides of where it is asked for."""
    import numpy as np
    for step in (eps, -eps):
        def moved(x, towards):
            found = np.array(x + np.multiply(towards, np.array(step, core.dtype(x))), dtype=core.dtype(x))
            return found.item() if _is_number(x) else found
        f(*core.tree_map(moved, args, direction))


def _jvp_of_linear(f, primals, tangents):
    out, linear = linearize(f, *primals)
    return out, linear(*tangents)


def check_grads(f, args, order, modes=("fwd", "rev"), atol=None, rtol=None, eps=None):
    eps = eps or _STEP

    def check(f, args, order):
        if "fwd" in modes:
            check_jvp(f, partial(jvp, f), args, eps=eps)
            if order > 1:
                check(partial(jvp, f), (args, args), order - 1)
        if "rev" in modes:
            check_vjp(f, partial(vjp, f), args, eps=eps)
            if order > 1:
                def backward(*xs):
                    out, f_vjp = vjp(f, *xs)
                    return f_vjp(out)
                check(backward, args, order - 1)
        if "lin" in modes:
            check_jvp(f, partial(_jvp_of_linear, f), args, eps=eps)
            if order > 1:
                check(partial(_jvp_of_linear, f), (args, args), order - 1)

    check(f, tuple(args), order)
