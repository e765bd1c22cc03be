"""Engine services of the transformations: pytrees, types, staging, differentiation, batching. Part of `core`.

Words used below, beside those of `core`: a *leaf list* is the list of a pytree's leaves; an *argument tree* is the treedef
of the pair `(args, kwargs)` of a call; a *jaxpr* is always closed, its inputs being constants (if any) followed by
arguments. User functions are handed over whole, with an argument tree, so that the engine unflattens, calls and flattens
in one step and knows which function is the user's.
"""
import inspect as _inspect
import operator as _operator

import jax as _jax
import jax.numpy as _jnp
import numpy as _np
from jax._src import ad_util as _ad_util
from jax._src import api_util as _api_util
from jax._src import config as _config
from jax._src import core as _core
from jax._src import dispatch as _dispatch
from jax._src import linear_util as _lu
from jax._src import tree_util as _tu
from jax._src.interpreters import ad as _ad
from jax._src.interpreters import batching as _batching
from jax._src.interpreters import partial_eval as _pe
from jax._src.util import weakref_lru_cache as _weakref_lru_cache

_FlatTree = _tu.FlatTree

# ---------------------------------------------------------------------------------------------------------- pytrees

SequenceKey = _tu.SequenceKey              # (idx), str "[0]"
DictKey = _tu.DictKey                      # (key), str "['a']"
GetAttrKey = _tu.GetAttrKey                # (name), str ".a"
FlattenedIndexKey = _tu.FlattenedIndexKey  # (key), str "[<flat index 0>]"
PyTreeDef = _tu.PyTreeDef                  # `jax.tree_util.PyTreeDef`; treedefs have `unflatten(iterable)`, `flatten_up_to(tree)`,
#                                            `children()`, `num_leaves`, `num_nodes`, `node_data()`, `compose(inner)`,
#                                            `make_from_node_data_and_children`, equality, hash and JAX's repr


def tree_flatten(tree, is_leaf=None):
    """The pair (leaf list, treedef). None is a node without children; dicts go in sorted key order."""
    return _tu.tree_flatten(tree, is_leaf)


def tree_unflatten(treedef, leaves):
    """The pytree of `treedef` with these leaves (any iterable); a wrong count raises JAX's ValueError."""
    return _tu.tree_unflatten(treedef, leaves)


def tree_leaves(tree, is_leaf=None):
    """The leaf list alone."""
    return _tu.tree_leaves(tree, is_leaf)


def tree_structure(tree, is_leaf=None):
    """The treedef alone."""
    return _tu.tree_structure(tree, is_leaf)


def tree_map(f, tree, *rest, is_leaf=None):
    """`jax.tree.map` for the prelude's own use; errors of mismatch are those of `flatten_up_to`."""
    return _tu.tree_map(f, tree, *rest, is_leaf=is_leaf)


def tree_flatten_with_path(tree, is_leaf=None):
    """The pair (list of (key path, leaf), treedef); `is_leaf(path, value)` decides on both."""
    return _tu.default_registry.flatten_with_path(tree, is_leaf)


def tree_flatten_axes(tree):
    """(leaf list, treedef) of a tree in which None is a leaf, as axes specifications have it."""
    return _tu.none_leaf_registry.flatten(tree)


def flatten_one_level(tree):
    """(children, metadata) of the outermost node, None for a leaf."""
    return _tu.default_registry.flatten_one_level(tree)


def flatten_one_level_with_keys(tree):
    """([(key, child)], metadata) of the outermost node, None for a leaf."""
    return _tu.default_registry.flatten_one_level_with_keys(tree)


def treedef_tuple(treedefs):
    """The treedef of a tuple with children of these treedefs."""
    return _tu.treedef_tuple(treedefs)


def all_leaves(iterable):
    """Whether no element is a container."""
    return _tu.all_leaves(iterable)


def register_pytree_node(nodetype, flatten, unflatten, flatten_with_keys=None):
    """Makes instances of exactly `nodetype` nodes: `flatten(x) -> (children, metadata)`, `unflatten(metadata, children)`,
    `flatten_with_keys(x) -> ([(key, child)], metadata)`. ValueError `Duplicate custom PyTreeDef type registration for …`."""
    _tu.register_pytree_node(nodetype, flatten, unflatten, flatten_with_keys)


def register_dataclass(nodetype, data_fields, meta_fields):
    """Makes `nodetype` a node whose children are the attributes `data_fields` (under `GetAttrKey`s) and whose metadata are
    the values of `meta_fields`; unflattening calls `nodetype(**fields)`."""
    for registry in _tu._all_registries:
        registry.register_dataclass_node(nodetype, list(data_fields), list(meta_fields))


def is_tree_node(nodetype):
    """Whether instances of the type are nodes."""
    return _tu.default_registry.is_node(nodetype)


# ------------------------------------------------------------------------------------------------------------ types

ShapedArray = _core.ShapedArray            # what `typeof` gives: shape, dtype, weak_type, ndim, size, `str_short()`,
#                                            `to_tangent_aval()`, `to_ct_aval()`, `strip_weak_type()`, `update(**fields)`
ShapeDtypeStruct = _core.ShapeDtypeStruct  # `jax.ShapeDtypeStruct`
float0 = _jax.dtypes.float0
Tracer = _core.Tracer
JaxprTypeError = _core.JaxprTypeError


def typeof(x):
    """The aval of an array-like; TypeError `Argument '{x}' of type <class '…'> is not a valid JAX type` otherwise."""
    return _core.typeof(x)


def abstractify(x):
    """`typeof`, which also takes anything with `shape` and `dtype` (`ShapeDtypeStruct`); TypeError as JAX's otherwise."""
    return _core.shaped_abstractify(x)


def is_jaxtype(x):
    """Whether `typeof` would give an aval."""
    return _core.valid_jaxtype(x)


def check_arg(x):
    """TypeError `Argument '…' of type … is not a valid JAX type.` unless `x` is array-like."""
    _dispatch.check_arg(x)


def typematch(a, b):
    """Equal avals but for weak types."""
    return _core.typematch(a, b)


def typecompat(expected, a):
    """Whether a value of aval `a` can stand where `expected` is wanted (weak types do not matter)."""
    return _core.typecompat(expected, a)


def mismatch_note(a, b):
    """How two avals differ, as the tail of a message: `, so the dtypes do not match`, `, so the shapes do not match`, …"""
    return _core.aval_mismatch_extra(a, b)


def mapped_aval(length, a):
    """`a` without its leading axis; `length` is its size."""
    return _core.mapped_leading_aval(length, a)


def tangent_dtype(dtype):
    """The dtype of tangents of an array of `dtype`: itself if inexact, else float0."""
    return _core.primal_dtype_to_tangent_dtype(dtype)


def zeros_of(a):
    """A zero array of an aval (of tangents too: NumPy float0 zeros where the dtype is float0)."""
    return _ad_util.zeros_like_aval(a) if a.dtype != float0 else _np.zeros(a.shape, float0)


def canonicalize(x):
    """Arrays and tracers unchanged, NumPy and Python values in their canonical dtype, keeping weak types."""
    return x if isinstance(x, _core.Tracer) else _jax._src.dtypes.canonicalize_value(x)


# -------------------------------------------------------------------------------------------------------- functions

def check_callable(f):
    """TypeError as JAX's for a staticmethod, something not callable or a generator function."""
    _api_util.check_callable(f)


def parameter_names(f):
    """The names of the parameters of a callable, in order, or None where it has no signature."""
    try:
        return list(_inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return None


def positional_argnums(f, names):
    """The positions of those parameters of `f` that are positional-or-keyword and in `names`."""
    found = _inspect.signature(f).parameters
    return [i for i, (k, q) in enumerate(found.items()) if q.kind == q.POSITIONAL_OR_KEYWORD and k in names]


def bind_arguments(f, args, kwargs):
    """The positional arguments of the call, keywords and defaults put in their places; TypeError with Python's message of a
    failed binding (`missing a required argument: 'x'`), and JAX's when keyword-only ones remain."""
    return _api_util.resolve_kwargs(f, args, kwargs)


def function_name(f):
    """The name by which JAX's messages call `f`: `__name__`, or that of what a partial wraps."""
    return _api_util.fun_sourceinfo(f).split(" at ")[0]


def function_source(f):
    """`name at path:line`, as in JAX's messages."""
    return _api_util.fun_sourceinfo(f)


def cached_by_function(make):
    """Decorator of `make(f, *hashable)`: the result is kept as long as the function `f` lives."""
    return _weakref_lru_cache(make)


# ---------------------------------------------------------------------------------------------------------- staging

def trace_to_jaxpr(f, in_tree, in_avals, api, user=None, args=None, leaves=None):
    """Stages `f`: `(jaxpr, consts, out_tree, out_avals)`; the first `len(consts)` inputs of `jaxpr` are the constants.

    `in_tree` is an argument tree, `in_avals` its leaves; `api` is the name that errors of leaked or concretized tracers
    print (`scan`, `cond`, …) and `user` the function they name when it is not `f`; `leaves` are the arrays it is called with, or
    arrays of which these are rows. Cached by the identity of `f`, the tree and
    the avals with weak types: the same function object is staged once. Outputs must be JAX types, else TypeError."""
    args, kwargs = _tu.tree_unflatten(in_tree, in_avals) if args is None else args
    debug = _api_util.debug_info(api, user or f, args, kwargs)
    jaxpr, out = _pe.trace_to_jaxpr(f, _FlatTree(in_avals, in_tree, False), debug)
    jaxpr, consts = _pe.separate_consts(jaxpr)
    return jaxpr, list(consts), out.tree, list(out)


def eval_jaxpr(jaxpr, *args):
    """Runs a jaxpr's equations on arrays under the current trace; the list of results."""
    return _core.eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, *args)


def jaxpr_forwarding(jaxpr):
    """For each output the index of the input that it is, or None."""
    return _pe._jaxpr_forwarding(jaxpr.jaxpr)


def jaxpr_keep_outputs(jaxpr, keep):
    """The jaxpr with only the outputs where `keep` is true (and no dead code removed)."""
    return _pe.prune_closed_jaxpr_outputs(jaxpr, keep)


def jaxpr_move_to_front(jaxpr, which):
    """The jaxpr with the inputs where `which` is true moved before the others, order kept."""
    return _pe.move_binders_to_front(jaxpr, which)


def jaxpr_dce(jaxpr, used_outputs, keep_inputs):
    """Without dead code: `(jaxpr, used)`; an input stays where it is used or `keep_inputs` is true."""
    small, used = _pe.dce_jaxpr(jaxpr.jaxpr, list(used_outputs), list(keep_inputs))
    return _core.ClosedJaxpr(small, jaxpr.consts), used


def jaxpr_merge_consts(jaxprs, consts):
    """Gives all jaxprs the same constants: `consts` has a list for each; returns `(jaxprs, merged)` with equal constants
    (by identity) once."""
    from jax._src.lax.control_flow.common import _merge_common_consts
    return _merge_common_consts(tuple(jaxprs), tuple(consts))


def open_jaxpr(jaxpr):
    """The form of a jaxpr without constants of its own that the parameter `jaxpr` of `remat2` wants."""
    return jaxpr.jaxpr


def make_jaxpr(f, static_argnums, args, kwargs, axis_env=()):
    """What `jax.jit(f, static_argnums=…).trace(*args, **kwargs)` gives, through jit's cache: `(jaxpr, out_info)`; constants are constvars
    of `jaxpr`, `out_info` is the pytree of `ShapeDtypeStruct`s. Arguments may be anything with shape and dtype."""
    with _core.extend_axis_env_nd(axis_env):
        traced = _jax.jit(f, static_argnums=static_argnums).trace(*args, **kwargs)
    jaxpr = traced.jaxpr
    if traced._num_consts:
        jaxpr = _core.ClosedJaxpr(_pe.convert_invars_to_constvars(jaxpr.jaxpr, traced._num_consts), traced._consts)
    return jaxpr, traced.out_info


def jit_out_info(f, args, kwargs):
    """`f.trace(*args, **kwargs).out_info` of a jitted `f`, or None when `f` is no jitted function."""
    return f.trace(*args, **kwargs).out_info if type(f) is type(_jnp.sin) else None


def disallowed_effects(jaxpr):
    """The set of effects that control flow cannot hold; empty for all but exotic callbacks."""
    from jax._src import effects
    return effects.control_flow_allowed_effects.filter_not_in(jaxpr.effects)


# -------------------------------------------------------------------------------------------------- differentiation

def jvp_call(f, in_tree, primals, tangents, has_aux=False):
    """Forward mode: calls `f` on the unflattened primals with tangents; `(out_tree, out_primals, out_tangents)`, and the
    auxiliary output as a fourth. Zero tangents come back as zeros. `in_tree` is the tree of the positional arguments.
    float0 tangents mean none."""
    out, dots, *aux = _ad.jvp(f, _FlatTree(primals, in_tree, False), _FlatTree(tangents, in_tree, False), has_aux=has_aux)
    return (out.tree, list(out), list(dots), *aux)


def linearize_call(f, in_tree, primals, has_aux=False, is_vjp=False):
    """Linearizes `f` at the primals: `(out_tree, out_primals, out_zero, linear, residuals)` and the auxiliary output as a
    sixth. `linear` is a `LinearJaxpr` from tangents to those output tangents where `out_zero` is false. With `has_aux` a result that
    is no pair raises TypeError `expected function with aux output to return a two-element tuple, but got type …`.
    With `is_vjp` only what the transpose needs is kept."""
    out, zero, jaxpr, residuals, *aux = _ad.linearize(f, _FlatTree(primals, in_tree, False), has_aux=has_aux, is_vjp=is_vjp)
    return (out.tree, list(out), list(zero), jaxpr, list(residuals), *aux)


def eval_linear(linear, residuals, tangents):
    """Applies a linear jaxpr to tangents: the output tangents where not known to be zero."""
    return _core.eval_jaxpr(linear, residuals, *tangents)


def backward_pass(linear, residuals, cotangents):
    """Applies the transpose of a linear jaxpr to the cotangents of its outputs: cotangents of its inputs, zeros
    instantiated (float0 ones as NumPy arrays)."""
    accumulators = [_ad.ValAccum(v.aval.to_ct_aval()) for v in linear.invars]
    _ad.backward_pass3(linear, True, residuals, accumulators, cotangents)
    return [_ad.instantiate_zeros(a.freeze()) for a in accumulators]


def linear_source(linear):
    """`name at path:line` of the function that a linear jaxpr came from."""
    return linear.debug_info.func_src_info


def stage_linear(f, in_tree, in_avals):
    """Stages a linear function for `linear_transpose`: `(jaxpr, consts, out_tree, out_avals)`, dead code removed."""
    args = _tu.tree_unflatten(in_tree, in_avals)
    flat, out_tree = _api_util.flatten_fun_nokwargs(
        _lu.wrap_init(f, debug_info=_api_util.debug_info("linear_transpose", f, args, {})), in_tree)
    jaxpr, pvals, consts = _pe.trace_to_jaxpr_nounits(flat, [_pe.PartialVal.unknown(a) for a in in_avals], instantiate=True)
    jaxpr, _ = _pe.dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), True)
    return jaxpr, list(consts), out_tree(), [a for a, _ in pvals]


def transpose_linear(jaxpr, consts, in_avals, cotangents):
    """The cotangents of the inputs of a function staged by `stage_linear`."""
    dummies = [_ad.UndefinedPrimal(a.to_ct_aval()) for a in in_avals]
    return [_ad.instantiate_zeros(c) for c in _ad.backward_pass(jaxpr, True, consts, dummies, cotangents)]


SymbolicZero = _jax.custom_derivatives.SymbolicZero


def custom_jvp_call(fun, jvp, args, *, name, jvp_name, symbolic_zeros=False):
    """Binds `custom_jvp_call`: both functions take and return flat lists of arrays, `jvp(*primals, *tangents)` returns
    primals and tangents in one list. Which of the two runs is up to the current trace; the result is a list."""
    primitive = _jax._src.custom_derivatives.custom_jvp_call_p
    return primitive.bind(*args, subfuns=(_wrap(fun, name, "custom_jvp fun"), _wrap(jvp, jvp_name, "custom_jvp jvp")),
                          symbolic_zeros=symbolic_zeros)


def custom_vjp_call(fun, fwd, bwd, args, *, out_trees, name, fwd_name, bwd_name, symbolic_zeros=False):
    """Binds `custom_vjp_call`: `fun(*args)`; `fwd(*pairs)` takes each argument followed by whether it is perturbed and returns
    residuals and outputs in one list; `bwd(*residuals, *cotangents)` returns cotangents of the arguments, `core.Zero(aval)` where
    there is none. `out_trees()` gives, once `fwd` ran, `(out_tree, residual tree, for each residual the index of the
    argument it is or None)`; forwarded residuals are not in what `fwd` returns."""
    primitive = _jax._src.custom_derivatives.custom_vjp_call_p
    return primitive.bind(*args, subfuns=(_wrap(fun, name, "custom_vjp fun"), _wrap(fwd, fwd_name, "custom_vjp fwd"),
                                          _wrap(bwd, bwd_name, "custom_vjp bwd")),
                          out_trees=out_trees, symbolic_zeros=symbolic_zeros)


Zero = _ad_util.Zero  # a symbolic zero cotangent: Zero(aval)


def _wrap(f, name, api):
    return _lu.wrap_init(f, debug_info=_core.DebugInfo(api, name, None, None))


# --------------------------------------------------------------------------------------------------------- batching

def batch_call(f, in_tree, args, in_axes, axis_size, axis_name, out_axes, spmd_axis_name=None):
    """Batches a call: `args` and `in_axes` are flat (`in_axes` None or int), `in_tree` is an argument tree, `axis_name` None when
    unnamed, `out_axes(out_tree)` gives the flat output axes once the structure is known. Returns `(out_tree, outs)`.
    A None output axis for a batched result raises `vmap has mapped output …` as JAX does: ValueError
    `at vmap out_axes…, got axis spec None but output was batched on axis 0`."""
    debug = _api_util.debug_info("vmap", f, *_tu.tree_unflatten(in_tree, args))
    flat, out_tree = _batching.flatten_fun_for_vmap(_lu.wrap_init(f, debug_info=debug), in_tree)
    data = _batching.AxisData(_core.no_axis_name if axis_name is None else axis_name, axis_size, spmd_axis_name, None)
    try:
        outs, _ = _batching.batch(flat, data, in_axes, lambda: out_axes(out_tree())).call_wrapped(*args)
    except _batching.SpecMatchError as e:
        full = _tu.tree_unflatten(out_tree(), out_axes(out_tree()))
        path = _tu.tree_flatten_with_path(full, is_leaf=lambda x: x is None)[0][e.leaf_idx][0]
        raise ValueError(f"at vmap out_axes{_tu.keystr(path)}, got axis spec {e.dst} but output was batched on axis {e.src}") from None
    return out_tree(), outs


# ---------------------------------------------------------------------------------------------------------- context

def config_read(name):
    """The current value of a configuration option: the innermost override of this thread, else the global value.
    AttributeError for a name that JAX does not have."""
    return _config.config._read(name)


def config_update(name, value):
    """`jax.config.update`: AttributeError `Unrecognized config option: {name}`, ValueError for a value of another type."""
    _config.config.update(name, value)


def config_context(name, *value):
    """The context manager (and decorator) that overrides an option for the running thread; without a value the option's own
    default for contexts (True for flags). TypeError or ValueError for a value of another type, when it is made."""
    return _config.config._value_holders[name](*value)


def named_scope(name):
    """The context manager and decorator that adds `name` to the name stack."""
    return _jax.named_scope(name)


def eval_context():
    """The context manager inside of which operations on known values run at once instead of being staged."""
    return _jax.ensure_compile_time_eval()


def folding():
    """The context manager inside of which what needs no tracer runs at once instead of being staged
    (`jax.ensure_compile_time_eval`)."""
    return _jax.ensure_compile_time_eval()


_linearized = [0]


def note_linearized():
    """A function is linearized."""
    _linearized[0] += 1


def linearized():
    """How many functions have been linearized so far, those in remembered traces counted at each use."""
    return _linearized[0]


def trace_state_clean():
    """Whether no transformation is running."""
    return _core.trace_state_clean()


def axis_frame_size(axis_name):
    """The size of a named axis of the running `vmap`s; NameError `unbound axis name: {axis_name}`."""
    return _core.get_axis_env().axis_size(axis_name)


index = _operator.index


def dtype_kind(dtype):
    """`"extended"`, `"bool"`, `"int"` (signed or not), `"float"`, `"complex"`, or `"other"` (strings)."""
    issub = _jax.dtypes.issubdtype
    if issub(dtype, _jax.dtypes.extended):
        return "extended"
    for kind, parent in (("bool", _np.bool_), ("int", _np.integer), ("float", _np.floating), ("complex", _np.complexfloating)):
        if issub(dtype, parent):
            return kind
    return "other"


def split_at(x, sizes, axis):
    """`jnp.split` by sizes: the list of parts of a (NumPy or jax) array along `axis`, one `split` equation."""
    if isinstance(x, _np.ndarray):
        return _np.split(x, _np.cumsum(sizes[:-1]), axis)
    return x._split(_np.cumsum(sizes[:-1]), axis)


def dataclass_fields(cls):
    """`dataclasses.fields(cls)`."""
    import dataclasses
    return dataclasses.fields(cls)


def bound_parameter_names(f, args, kwargs):
    """`parameter_names(f)` if the call fits the signature, else None."""
    try:
        bound = _inspect.signature(f).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return None
    return list(bound.signature.parameters)


def pmap_call(f, in_tree, args, in_axes, size, axis_name, out_axes):
    """Runs `f` as `pmap` does on one device, staged and cached as a jitted function: inside, mapped arguments lack their axis,
    `axis_name` is a named axis of size `size`, and results get a new axis of it at `out_axes(out_tree)`. A `size` above the
    number of devices (1) raises ValueError as JAX does."""
    tree = {}
    positional, keywords = _tu.tree_unflatten(in_tree, args)

    def flat(*leaves):
        a, k = _tu.tree_unflatten(in_tree, leaves)
        out = f(*a, **k)
        tree["out"] = _tu.tree_structure(out)
        return _tu.tree_leaves(out)

    outs = _jax.pmap(flat, axis_name, in_axes=tuple(in_axes))(*args)
    return tree["out"], outs


def sum_tangents(_, x, *xs):
    """The sum of tangents by `add_any`, leaving out `Zero`s; the first argument is not looked at."""
    from jax._src.custom_derivatives import _sum_tangents
    return _sum_tangents(_, x, *xs)


def maybe_perturbed(x):
    """Whether a running differentiation may see `x` vary: false for known arrays and integer tracers."""
    from jax._src.custom_derivatives import _maybe_perturbed
    return _maybe_perturbed(x)


def linear_call(fun, fun_transpose, residual_args, linear_args):
    """`jax.custom_derivatives.linear_call`."""
    return _jax.custom_derivatives.linear_call(fun, fun_transpose, residual_args, linear_args)


def put(x):
    """A NumPy array as an array on the device; everything else unchanged."""
    from jax._src.lax.control_flow.loops import _maybe_put
    return _maybe_put(x)


def jaxprs_join_effects(jaxprs):
    """The branches of a `cond` with the effects of all of them on each."""
    from jax._src.lax.control_flow.conditionals import replace_jaxpr_effects
    joined = _core.join_effects(*(_core.positional_effects(j) for j in jaxprs))
    return [replace_jaxpr_effects(j, _core.resolve_input_effects(joined, j.jaxpr.invars)) for j in jaxprs]


INT32 = _np.dtype("int32")


def convert_element_type(x, dtype):
    """`lax.convert_element_type` of an array-like: like `convert`, but an eager Python scalar becomes an array."""
    return _jax.lax.convert_element_type(x, dtype)


def dimension(x):
    """A size or index as a Python int by `operator.index`; TypeError as JAX's for tracers and floats."""
    return _core._canonicalize_dimension(x)


def is_python_int(x):
    """Whether `x` is an `int` or a NumPy integer scalar."""
    return isinstance(x, (int, _np.integer))


def numpy_array(x, dtype=None):
    """`numpy.asarray(x, dtype)`."""
    return _np.asarray(x, dtype)


def bind_linear_solve(args, const_lengths, jaxprs):
    """Binds `custom_linear_solve`: `args` are the constants of matvec, vecmat, solve and transpose_solve and then the right-hand
    side; `jaxprs` has the four, None where there is no transpose."""
    from jax._src.lax.control_flow import solves
    return solves.linear_solve_p.bind(*args, const_lengths=solves._LinearSolveTuple(*const_lengths),
                                      jaxprs=solves._LinearSolveTuple(*jaxprs))


def zeros_like(x):
    """A zero array of the type of `x`, strong or weak as it is."""
    return _ad_util.zeros_like_jaxval(x)


def devices(backend=None):
    """The list of devices of a platform (`TFRT_CPU_0` alone); RuntimeError `Unknown backend …` as JAX's for others."""
    return _jax.devices(backend)


Device = _jax.Device

SAVEABLE, RECOMPUTE = _pe.Saveable, _pe.Recompute  # answers of a checkpoint policy, beside booleans


def offloadable(src, dst):
    """The answer of a checkpoint policy that moves a value from one memory to another."""
    return _pe.Offloadable(src=src, dst=dst)


def is_placement(x):
    """Whether `x` is a Device, Sharding, Format or memory space, what `device_put` takes as a target."""
    from jax._src.layout import Format
    return isinstance(_real(x), (_jax.Device, _jax.sharding.Sharding, Format, _core.MemorySpace))


def device_put(xs, targets, donate, may_alias):
    """Puts array-likes on the devices: arrays of their canonical dtypes; under a trace one `device_put` equation for all."""
    return _jax.device_put(xs, [_real(t) for t in targets], donate=donate, may_alias=may_alias)


def device_get(x):
    """A NumPy array for a known array, a tracer or anything else unchanged."""
    return _jax.device_get(x)


def clear_caches():
    """Empties the caches of jit and of staging."""
    _jax.clear_caches()


def config_values():
    """All options and their current values."""
    return _config.config.values


full_jit = _jax.jit  # `jax.jit` with all its arguments and the methods of its results (`lower`, `trace`, `eval_shape`, …)
Array = _jax.Array


# ------------------------------------------------------------------------------------------------- for the lax functions

RoundingMethod = _jax.lax.RoundingMethod
RandomAlgorithm = _jax.lax.RandomAlgorithm
FftType = _jax.lax.FftType
Precision = _jax.lax.Precision
GatherScatterMode = _jax.lax.GatherScatterMode  # with `from_any`
GatherDimensionNumbers = _jax.lax.GatherDimensionNumbers
ScatterDimensionNumbers = _jax.lax.ScatterDimensionNumbers
RaggedDotDimensionNumbers = _jax.lax.RaggedDotDimensionNumbers
LAX_CLASSES = {n: getattr(_jax.lax, n) for n in ("AccuracyMode", "DotAlgorithm", "DotAlgorithmPreset", "Tolerance", "DotDimensionNumbers",
                                                 "PrecisionLike", "ConvGeneralDilatedDimensionNumbers")}  # public names that are inert

FLOAT32, UINT32, BOOL = _np.dtype("float32"), _np.dtype("uint32"), _np.dtype("bool")


def stop_gradient(x):
    """`x` as a constant of every running differentiation: tracers of those are replaced by their primals, else one `stop_gradient`
    equation; keys unchanged."""
    from jax._src.lax import lax as lax_internal
    return lax_internal._stop_gradient(x)


def random_gamma_grad(a, x):
    """The derivative of a gamma sample in its shape parameter, as `igamma_grad_a` builds it; arguments of one shape and dtype."""
    from jax._src.lax import special
    return special.random_gamma_grad_impl(a, x, dtype=a.dtype)


def composite(decomposition, name, version, args, kwargs):
    """Binds `composite` with the staged decomposition."""
    return _jax.lax.composite(decomposition, name, version)(*args, **kwargs)


def constant_int(k):
    """An int from a known number; symbolic dimensions unchanged; tracers raise as `int` does."""
    return int(k) if _core.is_constant_dim(k) else k


def has_inf(dtype):
    """Whether a float dtype has infinities."""
    from jax._src import dtypes
    return dtypes.supports_inf(dtype)


def bind_reduce(operands, inits, computation, jaxpr, consts, dimensions):
    """Binds `reduce` with a staged scalar computation (its constants first); the list of results."""
    from jax._src.lax import lax as lax_internal
    return lax_internal.reduce_p.bind(*operands, *inits, computation=computation, jaxpr=jaxpr, dimensions=dimensions)


def bind_reduce_window(operands, inits, jaxpr, consts, window):
    """Binds `reduce_window` with a staged scalar computation; `window` has its other parameters; the list of results."""
    from jax._src.lax import windowed_reductions
    return windowed_reductions.reduce_window_p.bind(*operands, *inits, jaxpr=jaxpr.jaxpr, consts=tuple(jaxpr.consts), **window)


def product(xs):
    """The product of ints."""
    out = 1
    for x in xs:
        out *= x
    return out


def eye(dtype, shape):
    """What `lax._eye` gives: the identity as a comparison of two iotas, converted."""
    from jax._src.lax import lax as lax_internal
    return lax_internal._eye(dtype, shape=shape)


def scatter_apply(operand, indices, update_shape, func, dimension_numbers, indices_are_sorted, unique_indices, mode):
    """`lax.scatter_apply`: a `scatter` whose combiner is the staged unary `func`."""
    return _jax.lax.scatter_apply(operand, indices, func, dimension_numbers, update_shape=update_shape,
                                  indices_are_sorted=indices_are_sorted, unique_indices=unique_indices,
                                  mode=_jax.lax.GatherScatterMode[mode.upper()])


def pcast(x, axis_names, to):
    """`jax.lax.pcast`."""
    return _jax.lax.pcast(x, axis_names, to=to)


def primitive(name):
    """The primitive object behind `lax.<name>_p` (has `name`, `bind`), or None."""
    return getattr(_jax.lax, name + "_p", None)


def lax_tril(x, k=0):
    """The lower triangle as `jax.lax.linalg` takes it: a `select_n` between `x` and zeros by a comparison of iotas."""
    from jax._src.lax import linalg
    return linalg._tril(x, k)


def linalg_name(name):
    """Enumerations and primitives of `jax.lax.linalg`, or None."""
    return getattr(_jax.lax.linalg, name, None)


# ------------------------------------------------------------------------------------------------------ random numbers

def prng_impl(spec):
    """The implementation behind a name, a key dtype or a spec; the default one for None. Its `name`, `key_shape` and repr (`fry`) are
    JAX's. Errors: ValueError `unrecognized PRNG implementation "…". Did you mean one of: …?`, TypeError `unrecognized type …`."""
    from jax._src.random import core as random_core
    return random_core.resolve_prng_impl(spec)


def prng_spec(dtype):
    """What `jax.random.key_impl` gives for keys of a dtype: a name."""
    from jax._src.random import core as random_core, prng
    impl = dtype._impl
    return impl.name if impl.name in prng.prngs else random_core.PRNGSpec(impl)


def key_dtype(impl):
    """The dtype of typed keys of an implementation (`key<fry>`)."""
    from jax._src.random import prng
    return prng.KeyTy(impl)


def key_impl_of(dtype):
    """The implementation of a key dtype."""
    return dtype._impl


def is_key_dtype(dtype):
    """Whether keys have this dtype."""
    return _jax.dtypes.issubdtype(dtype, _jax.dtypes.prng_key)


def seed_array(seed):
    """A seed as an array: Python ints of any size by their low 64 bits, then canonicalized."""
    return _jnp.asarray(_np.int64(seed)) if isinstance(seed, int) else _jnp.asarray(seed)


def one_bits(dtype):
    """The bit pattern of 1.0 in a float dtype, as an unsigned integer constant of its width."""
    value = _np.array(1.0, dtype)
    return constant_of(value.view(_np.dtype(f"uint{8 * value.dtype.itemsize}")))


def constant_of(x):
    """A NumPy value as a strong constant of its dtype."""
    return _jnp.asarray(x, dtype=x.dtype)


def next_above(x, dtype):
    """The NumPy scalar array of `dtype` next to `x` in the direction of zero."""
    return _np.nextafter(_np.array(x, dtype), _np.array(0.0, dtype), dtype=dtype)


def numpy_dtype(name):
    """The NumPy dtype of a name."""
    return _np.dtype(name)


def safe_to_cast(x, dtype):
    """Whether promotion allows the array-like `x` to become `dtype` without loss of kind or width (weak types may)."""
    from jax._src import dtypes
    return dtypes.safe_to_cast(x, dtype)


def numpy_delete(xs, index):
    """`numpy.delete` of a sequence of ints: a NumPy array without the entry; IndexError of NumPy's when it has none there."""
    return _np.delete(xs, index)


def _type_promotion_error():
    from jax._src import dtypes
    return dtypes.TypePromotionError


TypePromotionError = _type_promotion_error()


def scaled_matmul(lhs, rhs, lhs_scales, rhs_scales, dtype):
    """Binds `scaled_matmul_wrapper`."""
    return _jax.nn.scaled_matmul(lhs, rhs, lhs_scales, rhs_scales, dtype)


def block_scale_config(mode, global_scale):
    """`jax.nn.get_scaled_dot_general_config`."""
    return _jax.nn.get_scaled_dot_general_config(mode, global_scale)


def scaled_dot_general(lhs, rhs, dimension_numbers, dtype, configs):
    """`jax.nn.scaled_dot_general` with configurations."""
    return _jax.nn.scaled_dot_general(lhs, rhs, dimension_numbers, dtype, configs)


# --------------------------------------------------------------------------------------------------------- shardings
# Meshes, specs and shardings are classes of the prelude (`_mesh`, `_partition`); here they become JAX's own.

def _real(s):
    if type(s).__name__ == "Mesh" and not isinstance(s, _jax.sharding.Mesh):
        return _jax.sharding.Mesh(s.devices, s.axis_names, axis_types=tuple(getattr(_jax.sharding.AxisType, t.name) for t in s.axis_types))
    if type(s).__name__ == "P" and not isinstance(s, _jax.P):
        return _jax.P(*s.partitions)
    if type(s).__name__ == "NamedSharding" and not isinstance(s, _jax.NamedSharding):
        return _jax.NamedSharding(_real(s.mesh), _real(s.spec))
    if type(s).__name__ == "SingleDeviceSharding" and not isinstance(s, _jax.sharding.Sharding):
        return _jax.sharding.SingleDeviceSharding(s._device)
    return s


def sharding_constraint(x, sharding):
    """Binds `sharding_constraint`; eager arrays get the sharding."""
    return _jax.lax.with_sharding_constraint(x, _real(sharding))


def reshard(x, sharding):
    """Binds `reshard`."""
    return _jax.device_put(x, _real(sharding))


def is_unknown_scalar(x):
    """Whether `x` is a scalar whose value is not known, which never happens here."""
    return False


def another(x):
    """Another array with the same numbers, of which other things may be noted."""
    return x


def set_context_mesh(text, mesh):
    """The mesh that the program has set, as a text that belongs to the keys of traces, and as types name it. JAX knows its own."""


def lay(x, over):
    """`x`, of whose type it is noted what it says of meshes: the mesh and the axes of it that cut the array; None where it is not known."""
    return x


def lay_like(x, other):
    """`x`, whose type says the same of meshes as that of `other`."""
    return x


def lay_new(x, made_of):
    """`x`, made under the mesh that the program has set."""
    return x


def note_sharding(x, sharding):
    """`x`, an eager array, noted to lie as `sharding` says; None where that is not known. JAX's arrays know themselves."""
    return x


def noted_sharding(x):
    """The sharding noted of an array, None for one that is not known, False where nothing was noted."""
    return False


def anything_placed():
    """Whether anything was noted, or may be of what compiled functions give."""
    return False


def placed_within_graphs():
    """Notes that something within a graph was told where to lie: where what compiled functions give lies is not known from now on."""


def shard_map_call(f, in_tree, args, in_specs, mesh, axis_names, check_vma, out_specs):
    """Binds `shard_map`: the body sees, of each argument, the part of one device by its spec (None: the argument as it is, static), and
    `axis_names` as named axes; `out_specs(out)` gives, for the pytree of results, the list of specs by which parts are joined. Returns
    `(out_tree, outs)`. Differing replication is an error as in JAX when `check_vma`."""
    found = {}
    positional, _ = _tu.tree_unflatten(in_tree, args)

    def flat(*leaves):
        a, k = _tu.tree_unflatten(in_tree, leaves)
        out = f(*a, **k)
        found["specs"], found["tree"] = out_specs(out), _tu.tree_structure(out)
        return _tu.tree_leaves(out)

    _jax.make_jaxpr(flat, axis_env=[(n, mesh.shape[n]) for n in axis_names])(*args)
    specs = [_real(s) for s in found["specs"]]
    real = _jax.shard_map(flat, mesh=_real(mesh), in_specs=tuple(_real(s) for s in in_specs), out_specs=specs, axis_names=set(axis_names),
                          check_vma=check_vma)
    return found["tree"], real(*args)


MemorySpace = _core.MemorySpace


def OrderedDict(pairs):
    """`collections.OrderedDict(pairs)`."""
    import collections
    return collections.OrderedDict(pairs)


def empty_object_array():
    """A NumPy object array of rank 0 that holds None."""
    return _np.empty((), dtype=object)


# ---------------------------------------------------------------------------------------------- small public modules

InconclusiveDimensionOperation = _jax.errors.InconclusiveDimensionOperation
JAXIndexError, JAXTypeError = _jax.errors.JAXIndexError, _jax.errors.JAXTypeError
JaxRuntimeError, KeyReuseError = _jax.errors.JaxRuntimeError, _jax.errors.KeyReuseError
extended, prng_key = _jax.dtypes.extended, _jax.dtypes.prng_key
itemsize_bits, scalar_type_of = _jax.dtypes.itemsize_bits, _jax.dtypes.scalar_type_of
ArrayLike, DTypeLike = _jax.typing.ArrayLike, _jax.typing.DTypeLike  # for annotations only
AbstractValue, Trace = _core.AbstractValue, _core.Trace
Ref, AbstractRef = _jax.Ref, _jax.ref.AbstractRef  # mutable arrays: `ref[i]`, `ref[i] = x`, `ref[...]`
new_ref, empty_ref, freeze_ref, free_ref = _jax.new_ref, _jax.empty_ref, _jax.freeze, _jax.free_ref
swap_ref, addupdate_ref = _jax.ref.swap, _jax.ref.addupdate


def scalar_type_class(name):
    """The NumPy scalar type of an extended float (`bfloat16`)."""
    return getattr(_jax.dtypes, name)


def canonicalize_any_dtype(dtype, allow_extended):
    """`jax.dtypes.canonicalize_dtype`."""
    return _jax.dtypes.canonicalize_dtype(dtype, allow_extended)


def any_primitive(name):
    """The primitive object of a name that has no place in `jax.lax`, or None."""
    from . import prims
    return prims._PRIMITIVES.get(name)


def stage_class(name):
    """`jax.stages.<name>`: the class of a jitted, traced, lowered or compiled function."""
    return getattr(_jax.stages, name)


def saved_residuals(f, args, kwargs):
    """`[(aval, where it comes from)]` of what the backward pass of `f` keeps."""
    from jax._src import ad_checkpoint
    return ad_checkpoint.saved_residuals(f, *args, **kwargs)


def with_axes(axes, thunk):
    """`thunk()` where the axes of these pairs (name, size) have names."""
    with _core.extend_axis_env_nd(axes):
        return thunk()


def bind_applied(applied, *args):
    """Applies what an equation of a jaxpr applies, its parameters included, to other arguments (the engine's own jaxprs only)."""
    return applied.primitive.bind(*args, **applied.params)


def applied_text(applied):
    """The text of such an equation."""
    return str(applied)


def eval_open_jaxpr(jaxpr, consts, args):
    """`jax.core.eval_jaxpr`: runs the equations of an open jaxpr."""
    return _core.eval_jaxpr(jaxpr, consts, *args)


class _FlatCallback:
    def __init__(self, callback, in_tree, static=None):
        self.callback, self.in_tree, self.static = callback, in_tree, static or {}

    def __call__(self, *leaves):
        dynamic = iter(leaves)
        full = [self.static[i] if i in self.static else next(dynamic) for i in range(self.in_tree.num_leaves)]
        args, kwargs = self.in_tree.unflatten(full)
        return _tu.tree_leaves(self.callback(*args, **kwargs))


def bind_pure_callback(args, callback, in_tree, avals, vmap_method):
    """Binds `pure_callback`; results have the given avals. The callback may be looked into, but what it computes is not known."""
    from jax._src import callback as module
    return module.pure_callback_p.bind(*args, callback=module._FlatCallback(callback, in_tree), result_avals=tuple(avals), sharding=None,
                                       vmap_method=vmap_method)


def bind_io_callback(args, callback, in_tree, avals, ordered):
    """Binds `io_callback`."""
    from jax._src import callback as module
    return module.io_callback_p.bind(*args, callback=module._FlatCallback(callback, in_tree), result_avals=tuple(avals), sharding=None,
                                     ordered=ordered)


def bind_debug_callback(args, callback, in_tree, static, ordered, partitioned):
    """Binds `debug_callback`: `static` has the leaves that are no arrays, by index."""
    from jax._src import debugging
    effect = debugging.ordered_debug_effect if ordered else debugging.debug_effect
    debugging.debug_callback_p.bind(*args, callback=_FlatCallback(callback, in_tree, static), effect=effect, partitioned=partitioned)


def bind_debug_print(args, fmt, in_tree, static, has_placeholders, ordered, partitioned):
    """Binds `debug_print`."""
    from jax._src import debugging
    debugging.debug_print_p.bind(*args, fmt=fmt, ordered=ordered, partitioned=partitioned, in_tree=in_tree, static_args=tuple(static.items()),
                                 np_printoptions=tuple(_np.get_printoptions().items()), has_placeholders=has_placeholders,
                                 logging_record=None)


def check_debug_format(fmt, args, kwargs, skip):
    """Unless `skip`, formats with every field left empty, so that a missing argument raises (IndexError, KeyError) and an unused one too:
    ValueError `Unused positional arguments to `jax.debug.print`: […]`. Returns whether the first piece of `fmt` has a placeholder."""
    import string
    from jax._src import debugging
    if not skip:
        debugging.formatter.format(fmt, *args, **kwargs)
    if not fmt:
        return False
    _, field, *_ = next(iter(string.Formatter().parse(fmt)))
    return field is not None


def bind_custom_vmap(args, jaxpr, rule, num_consts, in_tree, out_tree):
    """Binds `custom_vmap_call`: `args` are constants and arguments; under vmap the engine calls `rule(axis_size, batched, args)` with the
    arguments (batched ones along axis 0) and booleans in the structure `in_tree`, and takes `(flat outputs, batched)`."""
    from jax._src import custom_batching
    tree = _tu.treedef_tuple((_tu.tree_structure([0] * num_consts), in_tree))

    class Closed:
        __name__ = getattr(rule, "__name__", "rule")

        def __call__(self, axis_size, in_batched, consts, args):
            outs, batched = rule(axis_size, in_batched[1], args)
            return out_tree.unflatten(outs), out_tree.unflatten(batched)

        def __str__(self):
            return str(rule.rule)
    return custom_batching.custom_vmap_p.bind(*args, call=jaxpr, rule=Closed(), in_tree=tree, out_tree=out_tree)


def known_max(x):
    """`numpy.max` of an array whose value is known; TracerArrayConversionError for tracers as `np.max` raises."""
    return _np.max(x)


def unmodelled(name):
    """A value about which nothing is known, because `name` has no model: using it gives unknown values and no errors."""
    return _Unmodelled(name)


class _Unmodelled:
    def __init__(self, name):
        self._name = name

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(f"{self._name} has no model")


def numpy_scalar(x, dtype):
    """`dtype.type(x)`: a NumPy scalar."""
    return dtype.type(x)


def named_tuple(name, fields):
    """`collections.namedtuple(name, fields)`."""
    import collections
    return collections.namedtuple(name, fields)


# ---------------------------------------------------------------------------------------- experimental, extend, interpreters

UndefinedPrimal = _ad.UndefinedPrimal  # what a transposition rule gets for an argument that the function is linear in; `.aval`


def opaque_call(name, args, avals):
    """Arrays of the given avals that come from the flat arguments `args` by a computation that is not known (a foreign call, a
    kernel): one equation `name`; nothing is known of the values, and derivatives and batching are not looked into."""
    return [_jnp.zeros(a.shape, a.dtype) for a in avals]


def layout_constraint(x, layout):
    """`x` through the primitive `layout_constraint`."""
    from jax.experimental import layout as real
    return real.with_layout_constraint(x, real.Layout(layout.major_to_minor, layout.tiling, layout.sub_byte_element_size_in_bits))


def jaxpr_class(name):
    """The class of jaxprs, closed jaxprs, equations, variables, literals, tokens or primitives (`Primitive(name)` makes a primitive
    of the user's: `bind`, `def_impl`, `def_abstract_eval`, `multiple_results`)."""
    import jax.extend.core
    return getattr(jax.extend.core, name)


def rule_table(kind):
    """The mapping from primitives to their rules of the `kind` "jvp", "transpose" or "batching": what users put into it is used;
    rules of built-in primitives can be called as well."""
    return {"jvp": _ad.primitive_jvps, "transpose": _ad.primitive_transposes, "batching": _batching.primitive_batchers}[kind]


def bind_check(pred, fmt, leaves, in_tree, debug):
    """`check`: with a predicate that is known to be False JaxRuntimeError("{fmt.format(…)} (`check` failed)"); within `checkify_call`
    part of the error; staged out without it, ValueError when the jaxpr is lowered."""
    from jax.experimental import checkify
    args, kwargs = in_tree.unflatten(leaves)
    (checkify.debug_check if debug else checkify.check)(pred, fmt, *args, **kwargs)


def checkify_call(f, in_tree, leaves, errors):
    """`(failed, details, describe, out_tree, outs)`: runs `f` with the checks of the categories in `errors` (FailedCheckError, NaNError,
    DivisionByZeroError, OOBError) collected: `failed` is a bool array, or None where there are no checks; `describe(details)`, with
    arrays that follow `failed` through all transformations, is the message of the first failed one, where `failed` is known."""
    from jax.experimental import checkify
    args, kwargs = in_tree.unflatten(leaves)
    kinds = frozenset(c for c in checkify.all_checks if c.__name__ in errors)
    error, out = checkify.checkify(f, errors=kinds)(*args, **kwargs)
    failed = None
    for flag in error._pred.values():
        failed = flag if failed is None else failed | flag
    outs, tree = _tu.tree_flatten(out)
    return failed, [], lambda _: error.get(), tree, outs


get_ref = _jax.ref.get


def is_ref(x):
    """Whether it is a reference to a mutable array."""
    return isinstance(x, _jax.Ref)


def trace_with_refs(*args, **kwargs):
    """`trace_to_jaxpr`, then the references of outer traces that the function captures: those that it only reads, those that it
    writes. Here they stay what they are: constants."""
    return (*trace_to_jaxpr(*args, **kwargs), [], [])
