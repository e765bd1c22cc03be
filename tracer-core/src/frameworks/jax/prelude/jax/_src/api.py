"""The transformations under their internal names."""
from _jitlens import core as _core

# What other modules have by now.
_MOVED = ("_infer_argnums_and_argnames",)
_PUBLIC = frozenset("""
    ShapeDtypeStruct block_until_ready clear_caches copy_to_host_async device_get device_put disable_jit effects_barrier eval_shape
    grad hessian jacfwd jacobian jacrev jit jvp linear_transpose linearize live_arrays make_jaxpr named_call named_scope typeof
    value_and_grad vjp vmap
    """.split())


def __getattr__(name):
    if name in _PUBLIC:
        import jax
        return getattr(jax, name)
    if name in _MOVED:
        raise ImportError(f"cannot import name {name!r} from 'jax._src.api'")
    return _core.unknown(f"`jax._src.api.{name}` is internal and not modelled")
