"""`make_jaxpr`, `eval_shape`, `named_call` and others that stage a function without running it."""
import functools

from _jitlens import core

from . import _partly
from ._autodiff import wraps


def make_jaxpr(fun, static_argnums=(), axis_env=None, return_shape=False):
    fun = _hashable(fun)

    @wraps(fun)
    def make_jaxpr_f(*args, **kwargs):
        jaxpr, out_info = core.make_jaxpr(fun, static_argnums, args, kwargs, axis_env or [])
        return (jaxpr, out_info) if return_shape else jaxpr

    make_jaxpr_f.__module__ = "jax"
    for attribute in ("__qualname__", "__name__"):
        if hasattr(fun, attribute):
            setattr(make_jaxpr_f, attribute, f"make_jaxpr({getattr(fun, attribute)})")
    return make_jaxpr_f


def eval_shape(fun, *args, **kwargs):
    if _partly.lacks(core.tree_leaves((args, kwargs))):
        core.may_run(fun)
        return _partly.over_known(fun, _partly.Part((args, kwargs)), lambda g, known, _: eval_shape(g, *known))
    found = core.jit_out_info(fun, args, kwargs)
    return core.make_jaxpr(_hashable(fun), (), args, kwargs)[1] if found is None else found


def _hashable(fun):
    try:
        hash(fun)
    except TypeError:
        return functools.partial(fun)
    # A function with `jit` is one equation of the graph.
    return fun if callable(fun) and not core.is_jitted(fun) else functools.partial(fun)


def named_call(fun, *, name=None):
    return core.named_scope(fun.__name__ if name is None else name)(fun)


def named_scope(name):
    if not isinstance(name, str):
        raise TypeError("named_scope name argument must be a string.")
    return core.named_scope(name)


def ensure_compile_time_eval():
    return core.folding()


def disable_jit(disable=True):
    return core.config_context("jax_disable_jit", disable)
