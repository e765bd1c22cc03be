"""`jax.experimental.checkify`: checks inside of traced functions."""
from _jitlens import core

from .._autodiff import wraps

JaxRuntimeError = core.JaxRuntimeError


class ErrorCategory(Exception):
    pass


class FailedCheckError(ErrorCategory):
    pass


class NaNError(ErrorCategory):
    pass


class DivisionByZeroError(ErrorCategory):
    pass


class OOBError(ErrorCategory):
    pass


user_checks = frozenset({FailedCheckError})
nan_checks = frozenset({NaNError})
div_checks = frozenset({DivisionByZeroError})
index_checks = frozenset({OOBError})
float_checks = nan_checks | div_checks
automatic_checks = float_checks | index_checks
all_checks = automatic_checks | user_checks


class Error:
    """Whether a check failed (an array, or None where there was none) and, while that is known, what it says."""

    def __init__(self, failed=None, describe=None):
        self._failed, self._describe = failed, describe

    def get(self):
        if self._failed is None or not core.concrete_bool(self._failed.any(), "checkify.Error.get"):
            return None
        return core.unmodelled("jax.experimental.checkify.Error.get") if self._describe is None else self._describe()

    def get_exception(self):
        message = self.get()
        return None if message is None else JaxRuntimeError(message)

    def throw(self):
        if self._failed is not None:
            check_error(self)


core.register_pytree_node(Error, lambda e: (() if e._failed is None else (e._failed,), None), lambda aux, leaves: Error(*leaves))
init_error = Error()


def check(pred, msg, *fmt_args, debug=False, **fmt_kwargs):
    if not (core.is_arraylike(pred) and core.shape(pred) == () and core.dtype(pred) == bool):
        raise TypeError(f"check takes a scalar pred as argument, got {pred}")
    for arg in core.tree_leaves((fmt_args, fmt_kwargs)):
        if not (core.is_array(arg) or core.is_numpy_array(arg)):
            raise TypeError(f"Formatting arguments to checkify.check need to be PyTrees of arrays, but got {arg!r} of type {type(arg)}.")
    # In a traced function it counts where the function is checkified, or fails when it is compiled.
    if core.trace_state_clean() and not debug and not core.is_tracer(pred) and not core.concrete_bool(pred):
        raise JaxRuntimeError(_described(msg, fmt_args, fmt_kwargs))


def _described(msg, fmt_args, fmt_kwargs):
    return msg.format(*fmt_args, **fmt_kwargs) + " (`check` failed)"


def debug_check(pred, msg, *fmt_args, **fmt_kwargs):
    check(pred, msg, *fmt_args, debug=True, **fmt_kwargs)


def check_error(error):
    if not isinstance(error, Error):
        raise TypeError(f"check_error takes an Error as argument, got type {type(error)} instead.")
    failed = error._failed
    if failed is None:
        return
    if core.is_tracer(failed):
        return
    if core.concrete_bool(failed.any()):
        raise JaxRuntimeError(error.get())


def checkify(f, errors=user_checks):
    names = frozenset([e.__name__ for e in errors])

    @wraps(f)
    def checked_fun(*args, **kwargs):
        leaves, in_tree = core.tree_flatten((args, kwargs))
        failed, describe, out_tree, outs = core.checkify_call(f, in_tree, leaves, names)
        return Error(failed, describe), out_tree.unflatten(outs)
    return checked_fun
