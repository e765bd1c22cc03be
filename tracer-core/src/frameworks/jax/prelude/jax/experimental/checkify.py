"""`jax.experimental.checkify`: checks inside of traced functions."""
from _jitlens import core

from .._autodiff import wraps

JaxRuntimeError = core.JaxRuntimeError


class _ErrorCategory(Exception):
    pass


class _FailedCheckError(_ErrorCategory):
    pass


class _NaNError(_ErrorCategory):
    pass


class _DivisionByZeroError(_ErrorCategory):
    pass


class _OOBError(_ErrorCategory):
    pass


user_checks = frozenset({_FailedCheckError})
nan_checks = frozenset({_NaNError})
div_checks = frozenset({_DivisionByZeroError})
index_checks = frozenset({_OOBError})
float_checks = nan_checks | div_checks
automatic_checks = float_checks | index_checks
all_checks = automatic_checks | user_checks


class Error:
    """Whether a check failed (an array, or None where there was none), and what it says of the arrays in `details`."""

    def __init__(self, failed=None, details=(), describe=None):
        self._failed, self._details, self._describe = failed, tuple(details), describe

    def get(self):
        if self._failed is None or not self._failed.any():
            return None
        if not core.ndim(self._failed):
            return self._describe(self._details)
        rows = [i for i in range(self._failed.shape[0]) if self._failed[i].any()]
        parts = [Error(self._failed[i], [x[i] for x in self._details], self._describe).get() for i in rows]
        return "\n".join([f"at mapped index {i}: {part}" for i, part in zip(rows, parts)])

    def get_exception(self):
        message = self.get()
        return None if message is None else JaxRuntimeError(message)

    def throw(self):
        if self._failed is not None:
            check_error(self)


def _flatten(error):
    return (() if error._failed is None else (error._failed, *error._details)), error._describe


core.register_pytree_node(Error, _flatten, lambda describe, leaves: Error(leaves[0] if leaves else None, leaves[1:], describe))
init_error = Error()


def check(pred, msg, *fmt_args, debug=False, **fmt_kwargs):
    if not (core.is_arraylike(pred) and core.shape(pred) == () and core.dtype(pred) == bool):
        raise TypeError(f"check takes a scalar pred as argument, got {pred}")
    for arg in core.tree_leaves((fmt_args, fmt_kwargs)):
        if not (core.is_array(arg) or core.is_numpy_array(arg)):
            raise TypeError(f"Formatting arguments to checkify.check need to be PyTrees of arrays, but got {arg!r} of type {type(arg)}.")
    if not core.trace_state_clean():
        leaves, in_tree = core.tree_flatten((fmt_args, fmt_kwargs))
        core.bind_check(pred, msg, leaves, in_tree, debug)
    elif not debug and not core.concrete_bool(pred):
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
    if not core.trace_state_clean():
        core.bind_check(~failed.any(), "a checkified function failed", [], core.tree_structure(((), {})), False)
    elif core.concrete_bool(failed.any()):
        raise JaxRuntimeError(error.get())


def checkify(f, errors=user_checks):
    names = frozenset([e.__name__.lstrip("_") for e in errors])

    @wraps(f)
    def checked_fun(*args, **kwargs):
        leaves, in_tree = core.tree_flatten((args, kwargs))
        failed, details, describe, out_tree, outs = core.vaguely(core.checkify_call, f, in_tree, leaves, names)
        return Error(failed, details, describe), core.tree_unflatten(out_tree, outs)
    return checked_fun
