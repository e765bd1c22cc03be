"""`jax.test_util`: numerical checks of derivatives. The derivatives are taken; the numbers are not compared."""
from _jitlens import core

from ._autodiff import jvp, vjp

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def check_jvp(f, f_jvp, args, atol=None, rtol=None, eps=1e-4, err_msg=""):
    ones = core.tree_map(_tangent, args)
    f_jvp(args, ones)
    f(*args)


def check_vjp(f, f_vjp, args, atol=None, rtol=None, eps=1e-4, err_msg=""):
    out, f_vjp_of = f_vjp(*args)
    f_vjp_of(core.tree_map(_tangent, out))
    f(*args)


def _tangent(x):
    from . import numpy as jnp
    return jnp.ones(core.shape(x), core.dtype(x))


def check_grads(f, args, order, modes=("fwd", "rev"), atol=None, rtol=None, eps=None):
    args = tuple(args)

    def check(f, args, order):
        if "fwd" in modes:
            check_jvp(f, lambda xs, ts: jvp(f, xs, ts), args)
            if order > 1:
                check(lambda *xs: jvp(f, xs, core.tree_map(_tangent, xs)), args, order - 1)
        if "rev" in modes:
            check_vjp(f, lambda *xs: vjp(f, *xs), args)
            if order > 1:
                def backward(*xs):
                    out, f_vjp = vjp(f, *xs)
                    return f_vjp(core.tree_map(_tangent, out))
                check(backward, args, order - 1)

    check(f, args, order)
