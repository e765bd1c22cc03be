"""`jax`. Functions live in files by family and are loaded when first asked for; submodules likewise."""
from _jitlens import core as _core

__version__ = "0.10.2"
__version_info__ = (0, 10, 2)

Array = _core.Array
Device = _core.Device
ShapeDtypeStruct = _core.ShapeDtypeStruct
float0 = _core.float0
jit = _core.full_jit
typeof = _core.typeof

_HOMES = {
    "_autodiff": "fwd_and_bwd grad jvp linear_transpose linearize value_and_grad vjp",
    "_callbacks": "pure_callback",
    "_config": "config",
    "_custom_jvp": "custom_jvp",
    "_custom_vjp": "closure_convert custom_gradient custom_vjp",
    "_devices": """block_until_ready clear_caches copy_to_host_async default_backend device_count device_get device_put
        devices effects_barrier host_count host_id host_ids live_arrays local_device_count local_devices print_environment_info
        process_count process_index process_indices""",
    "_jacobian": "hessian jacfwd jacobian jacrev",
    "_pmap": "pmap",
    "_references": "Ref empty_ref free_ref freeze new_ref",
    "_remat": "checkpoint checkpoint_policies remat",
    "_sharding": """NamedSharding P Shard make_array_from_callback make_array_from_process_local_data
        make_array_from_single_device_arrays make_mesh memory reshard set_mesh shard_map smap""",
    "_slices": "ds",
    "_staging": "disable_jit ensure_compile_time_eval eval_shape make_jaxpr named_call named_scope",
    "_vmap": "vmap",
}
_HOME_OF = _core.by_word(_HOMES)

_SUBMODULES = frozenset("""
    api_util core custom_batching custom_derivatives debug distributed dlpack dtypes errors experimental export ffi image interpreters
    lax lib monitoring nn numpy ops profiler random ref scipy sharding stages tree tree_util typing version
    """.split())

# Submodules that are there once a library has imported them for itself, which may be put off here.
_BROUGHT = {
    "example_libraries": "numpyro",
    "extend": "diffrax distrax equinox flashbax flax gymnax haiku jax_dataclasses lineax numpyro optimistix orbax rlax",
    "flatten_util": "blackjax diffrax flax.nnx lineax numpyro optax optimistix",
    "test_util": "chex distrax flashbax rlax",
}

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ("collect_profile", "tools",)


def __getattr__(name):
    if name in _SUBMODULES or name == "_src":
        return _core.import_module("." + name, __name__)
    home = _HOME_OF.get(name)
    if home is not None:
        found = getattr(_core.import_module("." + home, __name__), name)
    else:
        from . import _config
        if name in _config.OPTIONS:
            found = _config.option(name)
        elif name in ("ad", "make_user_context"):
            found = _core.unmodelled("jax." + name)
        elif _is_brought(name):
            return _core.import_module("." + name, __name__)
        else:
            from . import _removed
            raise AttributeError(_removed.missing("jax", name))
    globals()[name] = found
    return found


def _is_brought(name):
    if name not in _BROUGHT:
        return False
    from _jitlens.python import modules
    loaded = modules()
    return any([library in loaded for library in _BROUGHT[name].split()])


def __dir__():
    from ._config import OPTIONS
    return sorted(["Array", "Device", "ShapeDtypeStruct", "float0", "jit", "typeof", *_HOME_OF, *_SUBMODULES, *OPTIONS])
