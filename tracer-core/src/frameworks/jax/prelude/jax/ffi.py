"""`jax.ffi`: foreign calls, whose results have the shapes they declare."""
from _jitlens import core

_UNMODELLED = frozenset("build_ffi_lowering_function ffi_lowering include_dir pycapsule".split())


def ffi_call(target_name, result_shape_dtypes, *, has_side_effect=False, vmap_method=None, input_layouts=None, output_layouts=None,
             input_output_aliases=None, custom_call_api_version=4, legacy_backend_config=None):
    several = isinstance(result_shape_dtypes, (list, tuple))
    results = list(result_shape_dtypes) if several else [result_shape_dtypes]
    for i, result in enumerate(results):
        if not (hasattr(result, "shape") and hasattr(result, "dtype")):
            raise ValueError(f"All elements of result_shape_dtypes must have 'shape' and 'dtype' attributes. Got {result} at position {i}.")
    avals = [core.ShapedArray(result.shape, result.dtype) for result in results]

    def wrapped(*args, **kwargs):
        for key, value in kwargs.items():
            try:
                hash(value)
            except TypeError:
                if not hasattr(value, "dtype") or core.is_tracer(value):
                    raise TypeError(f"Non-hashable keyword argument to ffi_call {key}: {value}") from None
        outs = core.opaque_call("ffi_call", args, avals)
        return outs if several else outs[0]
    return wrapped


def register_ffi_target(name, fn, platform="cpu", api_version=1, **kwargs):
    pass


def register_ffi_type(name, type_registration, platform="cpu"):
    pass


def register_ffi_type_id(name, obj, platform="cpu"):
    pass


def register_ffi_target_as_batch_partitionable(name):
    pass


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.ffi." + name)
    from . import _removed
    raise AttributeError(_removed.missing("jax.ffi", name))
