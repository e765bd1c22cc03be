"""Names that earlier releases had.

The engine reports the AttributeError (or ModuleNotFoundError) that `missing` and `missing_module` word, and then goes on with the
replacement, so that one old name does not hide the rest of the program: `REPLACEMENTS` maps a dotted name to the dotted name of
what behaves the same way now (or to a function of this file or of `_devices`), `MODULES` maps a removed module to one that holds the same names.
None, or no entry: nothing behaves the same way, go on with an unknown value.
"""

# ------------------------------------------------------------------------------------------------------ replacements


def _under(prefix, target, names):
    return {f"{prefix}.{name}": f"{target}.{name}" for name in names.split()}


def _renamed(prefix, pairs):
    return {f"{prefix}.{old}": new for old, new in (pair.split("=") for pair in pairs.split())}


REPLACEMENTS = {
    **_renamed("jax", """
        tree_map=jax.tree.map tree_leaves=jax.tree.leaves tree_flatten=jax.tree.flatten tree_unflatten=jax.tree.unflatten
        tree_structure=jax.tree.structure tree_multimap=jax.tree.map tree_reduce=jax.tree.reduce tree_transpose=jax.tree.transpose
        tree_all=jax.tree.all treedef_is_leaf=jax.tree_util.treedef_is_leaf treedef_children=jax.tree_util.treedef_children
        treedef_tuple=jax.tree_util.treedef_tuple KeyArray=jax.Array DeviceArray=jax.Array ShapedArray=jax.core.ShapedArray
        Tracer=jax.core.Tracer clear_backends=jax.clear_caches eval_jaxpr=jax.core.eval_jaxpr partial=functools.partial
        flatten_fun_nokwargs=jax.api_util.flatten_fun_nokwargs vectorize=jax.numpy.vectorize scan=jax.lax.scan
        sharding_constraint=jax.lax.with_sharding_constraint checkpoint_name=jax.ad_checkpoint.checkpoint_name
        linear_util=jax.extend.linear_util prng=jax.extend.random pytree=jax.tree_util stax=jax.example_libraries.stax
        optimizers=jax.example_libraries.optimizers device_put_replicated=jax._devices.device_put_replicated
        device_put_sharded=jax._devices.device_put_sharded print_saved_residuals=jax.ad_checkpoint.print_saved_residuals
        create_device_mesh=jax.experimental.mesh_utils.create_device_mesh canonicalize_dtype=jax.dtypes.canonicalize_dtype
        safe_map=jax._removed.safe_map safe_zip=jax._removed.safe_zip"""),
    **_renamed("jax.tree_util", """
        tree_multimap=jax.tree_util.tree_map register_keypaths=jax.tree_util.register_pytree_with_keys
        AttributeKeyPathEntry=jax.tree_util.GetAttrKey GetitemKeyPathEntry=jax.tree_util.DictKey"""),
    **_renamed("jax.random", """
        KeyArray=jax.Array PRNGKeyArray=jax.Array shuffle=jax.random.permutation random_bits=jax.random.bits"""),
    **_under("jax.ops", "jax._removed", "index_update index_add index_mul index_min index_max"),
    **_renamed("jax.ops", "index=numpy.index_exp"),
    **_renamed("jax.numpy", """
        DeviceArray=jax.Array alltrue=jax.numpy.all sometrue=jax.numpy.any cumproduct=jax.numpy.cumprod product=jax.numpy.prod
        row_stack=jax.numpy.vstack trapz=jax.numpy.trapezoid round_=jax.numpy.round fix=jax.numpy.trunc
        issubsctype=jax.numpy.issubdtype Inf=jax.numpy.inf Infinity=jax.numpy.inf PINF=jax.numpy.inf infty=jax.numpy.inf
        NaN=jax.numpy.nan NAN=jax.numpy.nan lax_numpy=jax.numpy stop_gradient=jax.lax.stop_gradient find_common_type=jax.numpy.promote_types
        in1d=jax._removed.in1d msort=jax._removed.msort NINF=jax._removed.NINF PZERO=jax._removed.PZERO NZERO=jax._removed.NZERO"""),
    **_renamed("jax.lax", """
        tie_in=jax._removed.tie_in pvary=jax._removed.pvary zeros_like=jax.numpy.zeros_like ones_like=jax.numpy.ones_like
        zeros_like_array=jax.numpy.zeros_like asarray=jax.numpy.asarray regularized_incomplete_beta=jax.lax.betainc
        cumulative_logsumexp=jax.lax.cumlogsumexp"""),
    **_renamed("jax.nn", "normalize=jax.nn.standardize"),
    **_under("jax.core", "jax.extend.core", "ClosedJaxpr Jaxpr JaxprEqn Literal Primitive Token Var jaxpr_as_fun"),
    **_under("jax.core", "jax.extend.core", """mapped_aval unmapped_aval set_current_trace take_current_trace TraceTag call_impl
        subjaxprs AbstractToken"""),
    **_renamed("jax.core", "get_aval=jax.typeof"),
    **_renamed("jax.sharding", """
        PositionalSharding=jax.sharding.NamedSharding MeshPspecSharding=jax.sharding.NamedSharding
        XLACompatibleSharding=jax.sharding.Sharding use_mesh=jax.sharding.set_mesh"""),
    **_renamed("jax.experimental", """
        PartitionSpec=jax.sharding.PartitionSpec with_sharding_constraint=jax.lax.with_sharding_constraint
        vectorize=jax.numpy.vectorize cpp_jit=jax.jit enable_x64=jax._removed.enable_x64 disable_x64=jax._removed.disable_x64
        array_api=jax.numpy export=jax.export sharding=jax.sharding stax=jax.example_libraries.stax
        optimizers=jax.example_libraries.optimizers"""),
    **_renamed("jax.experimental.pjit", """
        PartitionSpec=jax.sharding.PartitionSpec with_sharding_constraint=jax.lax.with_sharding_constraint"""),
    **_renamed("jax.experimental.maps", "Mesh=jax.sharding.Mesh"),
    **_renamed("jax.experimental.layout", "DeviceLocalLayout=jax.experimental.layout.Layout"),
    **_renamed("jax.scipy.linalg", "tril=jax.numpy.tril triu=jax.numpy.triu"),
    **_renamed("jax.interpreters.xla", "DeviceArray=jax.Array _DeviceArray=jax.Array Device=jax.Device"),
    **_renamed("jax.interpreters.pxla", """
        ShardedDeviceArray=jax.Array PartitionSpec=jax.sharding.PartitionSpec Mesh=jax.sharding.Mesh"""),
    **_renamed("jax.lib.xla_bridge", """
        get_backend=jax.extend.backend.get_backend device_count=jax.device_count local_device_count=jax.local_device_count
        devices=jax.devices local_devices=jax.local_devices host_id=jax.process_index process_index=jax.process_index"""),
    **_renamed("jax.profiler", """
        StepTraceContext=jax.profiler.StepTraceAnnotation TraceContext=jax.profiler.TraceAnnotation
        trace_function=jax.profiler.annotate_function"""),
    **_renamed("jax.util", "partial=functools.partial wraps=functools.wraps safe_map=jax._removed.safe_map safe_zip=jax._removed.safe_zip"),
    **_renamed("jax.typing", "Array=jax.Array"),
    **_renamed("jax.debug", "debug_print=jax.debug.print"),
    **_renamed("jax.ad_checkpoint", "checkpoint=jax.checkpoint remat=jax.checkpoint"),
}

# How a call is written now of which no function is left.
WRITTEN = {
    "jax.ops.index_update": "x.at[idx].set(y)",
    "jax.ops.index_add": "x.at[idx].add(y)",
    "jax.ops.index_mul": "x.at[idx].multiply(y)",
    "jax.ops.index_min": "x.at[idx].min(y)",
    "jax.ops.index_max": "x.at[idx].max(y)",
    "jax.numpy.in1d": "jnp.isin(x, y)",
    "jax.numpy.msort": "jnp.sort(x, axis=0)",
    "jax.numpy.NINF": "-jnp.inf",
    "jax.numpy.PZERO": "0.0",
    "jax.numpy.NZERO": "-0.0",
    "jax.lax.tie_in": "the second argument itself",
    "jax.lax.pvary": "jax.lax.pcast(x, axis_name, to='varying')",
    "jax.experimental.enable_x64": "jax.enable_x64(True)",
    "jax.experimental.disable_x64": "jax.enable_x64(False)",
}

MODULES = {
    "jax.abstract_arrays": "jax.core",
    "jax.api": "jax",
    "jax.array": None,
    "jax.config": "jax",
    "jax.experimental.ann": "jax.lax",
    "jax.experimental.array_api": "jax.numpy",
    "jax.experimental.callback": None,
    "jax.experimental.custom_dce": None,
    "jax.experimental.djax": None,
    "jax.experimental.export": "jax.export",
    "jax.experimental.gda_serialization": None,
    "jax.experimental.general_derivatives": None,
    "jax.experimental.global_device_array": None,
    "jax.experimental.host_callback": None,
    "jax.experimental.loops": None,
    "jax.experimental.maps": None,
    "jax.experimental.optimizers": "jax.example_libraries.optimizers",
    "jax.experimental.optix": "optax",
    "jax.experimental.sharding": "jax.sharding",
    "jax.experimental.stax": "jax.example_libraries.stax",
    "jax.experimental.vectorize": "jax.numpy",
    "jax.experimental.x64_context": "jax.experimental",
    "jax.interpreters.masking": None,
    "jax.interpreters.sharded_jit": None,
    "jax.lax.lax": "jax.lax",
    "jax.lib.pytree": "jax.tree_util",
    "jax.lib.xla_bridge": None,
    "jax.lib.xla_client": None,
    "jax.lib.xla_extension": None,
    "jax.linear_util": "jax.extend.linear_util",
    "jax.numpy.lax_numpy": "jax.numpy",
    "jax.prng": "jax.extend.random",
    "jax.scipy.misc": "jax.scipy.special",
    "jax.util": None,
}

# ---------------------------------------------------------------------------------------------------------- messages

_IN_0_10 = "was deprecated in JAX v0.8.2 and removed in JAX v0.10.0"


def _texts(module, ending, names):
    return {f"{module}.{name}": f"{module}.{name} {ending.format(name=name)}" for name in names.split()}


MESSAGES = {
    **_texts("jax.core", _IN_0_10 + ". Use jax.extend.core.{name}.", """
        mapped_aval unmapped_aval set_current_trace take_current_trace TraceTag call_impl subjaxprs AbstractToken"""),
    **_texts("jax.core", _IN_0_10 + "; use jax.typeof instead.", "get_aval"),
    **_texts("jax.core", _IN_0_10 + ".", "traverse_jaxpr_params"),
    **_texts("jax", "is deprecated; use jax.device_put instead. See https://docs.jax.dev/en/latest/migrate_pmap.html#drop-in-replacements "
                    "for a drop-in replacement.", "device_put_replicated device_put_sharded"),
    **_texts("jax.lax", _IN_0_10 + "; use `jax.lax.pcast(..., to='varying')", "pvary"),
    **_texts("jax.numpy", "was deprecated in JAX v0.9.0, and will be removed in JAX v0.10.0. Use jax.numpy.trunc instead.", "fix"),
    **_texts("jax.ad_checkpoint", _IN_0_10 + "; use jax.{name} instead.", "checkpoint remat"),
    **_texts("jax.scipy.special", "was deprecated in v0.7.0 and removed in v0.10.0. Use jax.scipy.special.sph_harm_y instead.", "sph_harm"),
    **_texts("jax.interpreters.ad", "was deprecated in v0.9.0. and removed in v0.10.0. It has been unused since JAX v0.4.38.",
             "reducing_transposes"),
    **_texts("jax.interpreters.batching", "is deprecated.", "NotMapped"),
    **_texts("jax.interpreters.pxla", "was removed in JAX v0.10.0.", "MapTracer PmapExecutable parallel_callable shard_args"),
    **_texts("jax.interpreters.pxla", "was removed in JAX v0.10.0. Please use `jax.shard_map` instead of `jax.pmap`.", """
        Chunked NoSharding Replicated ShardedAxis ShardingSpec Unstacked spec_to_indices"""),
    "jax.cloud_tpu_init.cloud_tpu_init": "jax.cloud_tpu_init was deprecated in JAX v0.8.1. You do not need to call this function "
                                         "explicitly; JAX calls this function automatically.",
}


def missing(module, name):
    """The message of the AttributeError for `module.name`."""
    return MESSAGES.get(f"{module}.{name}") or f"module {module!r} has no attribute {name!r}"


def missing_module(name):
    """The message of the ModuleNotFoundError for `import name`."""
    return f"No module named {name!r}"


# -------------------------------------------------------------------------------- what removed functions used to do

NINF = float("-inf")
PZERO = 0.0
NZERO = -0.0


def index_update(x, idx, y):
    return _numpy().asarray(x).at[idx].set(y)


def index_add(x, idx, y):
    return _numpy().asarray(x).at[idx].add(y)


def index_mul(x, idx, y):
    return _numpy().asarray(x).at[idx].multiply(y)


def index_min(x, idx, y):
    return _numpy().asarray(x).at[idx].min(y)


def index_max(x, idx, y):
    return _numpy().asarray(x).at[idx].max(y)


def in1d(ar1, ar2, assume_unique=False, invert=False):
    jnp = _numpy()
    return jnp.isin(jnp.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert)


def msort(a):
    return _numpy().sort(a, axis=0)


def tie_in(x, y):
    return y


def pvary(x, axis_name):
    from . import lax
    return lax.pcast(x, axis_name, to="varying")


def enable_x64(new_val=True):
    from . import _config
    return _config.option("enable_x64")(new_val)


def disable_x64():
    return enable_x64(False)


def safe_map(f, *args):
    args = [list(a) for a in args]
    assert all(len(a) == len(args[0]) for a in args), f"length mismatch: {[len(a) for a in args]}"
    return list(map(f, *args))


def safe_zip(*args):
    return safe_map(lambda *row: row, *args)


def _numpy():
    from . import numpy
    return numpy
