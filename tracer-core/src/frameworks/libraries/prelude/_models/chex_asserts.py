"""`chex._src.asserts`: what counts traces."""
import functools

from _jitlens import core
from _jitlens.python import standing


def assert_max_traces(fn=None, n=None):
    if not callable(fn) and n is None:
        n, fn = fn, n
    if fn is None:
        return lambda fn_: assert_max_traces(fn_, n)
    from chex._src import asserts, asserts_internal
    asserts.assert_scalar_non_negative(n)
    if _is_transformed(fn):
        raise ValueError("@assert_max_traces must not wrap JAX-transformed function (@jit, @vmap, @pmap etc.); change wrappers ordering.")
    # The functions that run, and the text: the same function that is made again counts on.
    key = hash((standing(), core.function_source(fn), fn.__name__))

    @functools.wraps(fn)
    def fn_wrapped(*args, **kwargs):
        asserts_internal.TRACE_COUNTER[key] += any([core.is_tracer(x) for x in core.tree_leaves((args, kwargs))])
        if not asserts_internal.DISABLE_ASSERTIONS and asserts_internal.TRACE_COUNTER[key] > n:
            raise AssertionError(
                f"{asserts_internal.ERR_PREFIX}Function '{fn.__name__}' is traced > {n} times!\nIt often happens when a jitted function is defined "
                "inside another function that is called multiple times (i.e. the jitted f-n is a new object every time). Make sure that your "
                "code does not exploit this pattern (move the nested functions to the top level to fix it). See `chex.clear_trace_counter()` if "
                "`@chex.assert_max_traces` is used in any unit tests (especially @parameterized tests).")
        return fn(*args, **kwargs)

    return fn_wrapped


def _is_transformed(fn):
    while True:
        if "PjitFunction" in str(type(fn)):
            return True
        if not hasattr(fn, "__wrapped__"):
            return False
        if getattr(fn, "__globals__", {}).get("__name__", "").split(".")[0] == "jax":
            return True
        fn = fn.__wrapped__
