"""Random keys, typed and raw. Raw ones (`PRNGKey`) are wrapped on the way in and unwrapped on the way out."""
from _jitlens import core, prims as p

from .._mlir import MLIRError


def check_key(name, key, allow_batched=False):
    """`(typed key, whether it was raw)`."""
    if core.is_array(key) and core.is_key_dtype(key.dtype):
        wrapped, raw = key, False
    elif core.is_arraylike(key):
        wrapped, raw = _wrap(key, core.prng_impl(None)), True
        if core.config_read("jax_legacy_prng_key") != "allow":
            _legacy()
    else:
        raise TypeError(f"unexpected PRNG key type {type(key)}")
    if wrapped.ndim and not allow_batched:
        raise ValueError(f"{name} accepts a single key, but was given a key array of shape {core.shape(key)} != (). Use jax.vmap for "
                         "batching.")
    return wrapped, raw


def _legacy():
    message = ("Legacy uint32 key array passed as key to jax.random function. Please create keys using jax.random.key(). If use of a raw key "
               'array was intended, set jax_legacy_prng_key="allow".')
    if core.config_read("jax_legacy_prng_key") == "error":
        raise ValueError(message)
    core.warn(message, UserWarning, stacklevel=2)


def _wrap(data, impl):
    start = "JAX encountered invalid PRNG key data: expected "
    if not (hasattr(data, "ndim") and hasattr(data, "shape") and hasattr(data, "dtype")):
        raise TypeError(f"{start}key_data to have ndim, shape, and dtype attributes. Got {data}")
    if data.ndim < 1:
        raise TypeError(f"{start}key_data.ndim >= 1; got ndim={data.ndim}")
    if data.shape[-len(impl.key_shape):] != impl.key_shape:
        raise TypeError(f"{start}key_data.shape to end with {impl.key_shape}; got shape={data.shape} for impl={impl!r}")
    if data.dtype != core.UINT32 and data.dtype != core.float0:
        raise TypeError(f"{start}key_data.dtype = uint32; got dtype={data.dtype}")
    return p.random_wrap(data, impl=impl)


def _unwrapped(raw, key):
    return p.random_unwrap(key) if raw and not core.config_read("jax_enable_custom_prng") else key


def _make(name, seed, impl):
    impl = core.prng_impl(impl)
    if seed is None or isinstance(seed, str):
        from .. import numpy as jnp
        jnp.asarray(seed)           # raises
    if hasattr(seed, "dtype") and core.is_key_dtype(seed.dtype):
        raise TypeError(f"{name} accepts a scalar seed, but was given a PRNG key.")
    if core.ndim(seed):
        raise TypeError(f"{name} accepts a scalar seed, but was given an array of shape {core.shape(seed)} != (). Use jax.vmap for batching")
    if core.is_static_integer(seed):
        core.note_fixed_key()
    aval = core.typeof(seed) if isinstance(seed, (float, complex)) or hasattr(seed, "dtype") else None
    if aval is not None and core.dtype_kind(aval.dtype) not in ("int", "bool"):
        raise TypeError(f"PRNG key seed must be an integer; got JitTracer({'~' if aval.weak_type else ''}{aval.str_short()})")
    return p.random_seed(core.seed_array(seed), impl=impl)


def _one_of(name, impl, dtype):
    if dtype is None:
        return impl
    if impl is not None:
        raise ValueError(f"Cannot specify both `impl` and `dtype` arguments to jax.random.{name}")
    return dtype


def key(seed, *, impl=None, dtype=None):
    return _make("key", seed, _one_of("key", impl, dtype))


def PRNGKey(seed, *, impl=None):
    return _unwrapped(True, _make("PRNGKey", seed, impl))


def split_typed(key, num=2):
    """`split` of a typed key into typed keys."""
    if key.ndim:
        raise TypeError(f"split accepts a single key, but was given a key array of shape {key.shape} != (). Use jax.vmap for batching.")
    shape = tuple(num) if isinstance(num, (tuple, list)) else (num,)
    if any([core.is_tracer(n) for n in shape]):
        raise TypeError("As of JAX v0.7, parameters to jaxpr equations must have __hash__ and __eq__ methods. In a call to primitive "
                        f"random_split, the value of parameter shape was not hashable: {shape}")
    return p.random_split(key, shape=tuple([core.index(n) for n in shape]), **_hashed())


def split(key, num=2):
    typed, raw = check_key("split", key)
    return _unwrapped(raw, split_typed(typed, num))


def fold_in(key, data):
    typed, raw = check_key("fold_in", key)
    if core.ndim(data):
        raise TypeError(f"fold_in accepts a scalar, but was given an array ofshape {core.shape(data)} != (). Use jax.vmap for batching.")
    from .. import numpy as jnp
    return _unwrapped(raw, p.random_fold_in(typed, jnp.asarray(data, dtype="uint32")))


def key_data(keys):
    return p.random_unwrap(check_key("key_data", keys, True)[0])


def items(keys):
    """The keys of an array, each an array of its own."""
    from .. import numpy as jnp
    impl = core.key_impl_of(keys.dtype)
    return [p.random_wrap(data, impl=impl) for data in jnp.unstack(p.random_unwrap(keys))]


def wrap_key_data(key_bits_array, *, impl=None, dtype=None):
    return _wrap(key_bits_array, core.prng_impl(_one_of("wrap_key_data", impl, dtype)))


def key_impl(keys):
    return core.prng_spec(check_key("key_impl", keys, True)[0].dtype)


def key_dtype(impl_spec=None):
    return core.key_dtype(core.prng_impl(impl_spec))


def clone(key):
    return p.random_clone(key)


def _hashed():
    """How counters are hashed, as a parameter where it is the older way."""
    return {} if core.config_read("jax_threefry_partitionable") else {"in_halves": True}


def random_bits(key, width, shape):
    if any([core.is_static_integer(n) and n < 0 for n in shape]):
        raise MLIRError("Invalid type:\nerror: unknown: invalid tensor dimension size")
    return p.random_bits(key, bit_width=width, shape=shape, **_hashed())
