"""`jax.interpreters.pxla`: what is left of it."""
from _jitlens import core

from .. import _removed

_DEPRECATED = frozenset("""
    ArrayMapping Index MeshAxisName MeshComputation MeshExecutable _UNSPECIFIED are_hlo_shardings_equal array_mapping_to_axis_resources
    global_aval_to_result_handler global_avals_to_results_handler global_result_handlers is_hlo_sharding_replicated
    op_sharding_to_indices thread_resources
    """.split())
_INSTEAD = {
    "MeshAxisName": " Use jax.sharding.Mesh axis names directly.",
    "thread_resources": " Please switch to using `with jax.set_mesh(mesh)` instead of `with mesh:` and then use "
                        "`jax.sharding.get_abstract_mesh()` to get the current mesh.",
}


def __getattr__(name):
    if name in _DEPRECATED:
        core.warn(f"jax.interpreters.pxla.{name} is deprecated as of JAX v0.8.2.{_INSTEAD.get(name, '')}", DeprecationWarning, stacklevel=2)
        return core.unmodelled("jax.interpreters.pxla." + name)
    if name == "create_compile_options":
        return core.unmodelled("jax.interpreters.pxla." + name)
    raise AttributeError(_removed.missing("jax.interpreters.pxla", name))
