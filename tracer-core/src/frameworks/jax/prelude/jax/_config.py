"""`jax.config` and the context managers for single options."""
from _jitlens import core

# jax.<name> -> the option it overrides.
OPTIONS = {name: "jax_" + name for name in """
    enable_checks enable_x64 debug_key_reuse check_tracer_leaks enable_custom_prng softmax_custom_jvp debug_nans debug_infs
    log_compiles no_tracing no_execution explain_cache_misses default_device default_matmul_precision default_prng_impl
    numpy_dtype_promotion numpy_rank_promotion legacy_prng_key threefry_partitionable array_garbage_collection_guard transfer_guard
    thread_guard remove_size_one_mesh_axis_from_type auto_pcast
    """.split()}
OPTIONS.update(checking_leaks="jax_check_tracer_leaks",
               allow_f16_reductions="jax_allow_f16_reductions",
               jax2tf_associative_scan_reductions="jax2tf_associative_scan_reductions",
               transfer_guard_host_to_device="jax_transfer_guard_host_to_device",
               transfer_guard_device_to_device="jax_transfer_guard_device_to_device",
               transfer_guard_device_to_host="jax_transfer_guard_device_to_host")


_NOT_GIVEN = object()


class _Option:
    """`jax.enable_x64` and its like: called, a context manager; `.value` is the current value."""

    def __init__(self, option):
        self._option = option

    @property
    def value(self):
        return core.config_read(self._option)

    def __call__(self, new_val=_NOT_GIVEN):
        if new_val is _NOT_GIVEN:
            return core.config_context(self._option)
        if self._option == "jax_transfer_guard":
            return core.config_context(self._option, new_val)
        if (core.is_array(new_val) or core.is_numpy_array(new_val)) and self._option not in ("jax_legacy_prng_key", "jax_numpy_dtype_promotion"):
            # It is held against the values that there are.
            bool(new_val)
        if "guard" in self._option and self._option != "jax_thread_guard" and isinstance(new_val, int):
            raise ValueError(f"new enum value must be None or a string, got {new_val}")
        return core.config_context(self._option, new_val)

    def __bool__(self):
        raise TypeError("bool() not supported for instances of type 'State' (did you mean to use 'State.value' instead?)")


def option(name):
    return _Option(OPTIONS[name])


class Config:
    def update(self, name, val):
        core.config_update(name, val)

    def read(self, name):
        return core.config_read(name)

    def parse_flags_with_absl(self):
        pass

    def config_with_absl(self):
        pass

    def complete_absl_config(self, absl_flags):
        pass

    use_absl = False

    def add_option(self, name, holder, opt_type, meta_args, meta_kwargs):
        # What is set under a name of the program's own is not kept apart from JAX's settings.
        return None

    @property
    def meta(self):
        return core.unknown("how settings are declared")

    @property
    def x64_enabled(self):
        return core.config_read("jax_enable_x64")

    @property
    def values(self):
        return core.config_values()

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return core.config_read(name)
        except AttributeError:
            raise AttributeError(f"'Config' object has no attribute {name!r}") from None


config = Config()
