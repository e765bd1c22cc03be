"""Cases of differentiation and batching of the basic primitives: the graphs that JAX makes of them, and numbers.

    python tests/primitives/rules.py

A case is as in `record.py`, with `rule` (`jvp`, `vjp`, `vmap`), `on` (the inputs that have a tangent; for `vmap` the batch axis
of each input or null), `graph` (the text of the jaxpr) and `out`. For `jvp` the inputs are followed by the tangents, for
`vjp` by the cotangents; `out` of `vjp` has the cotangents of the inputs in `on`.
"""
import itertools
import json
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax._src import ad_checkpoint, ad_util
from jax._src.lax import lax as laxi, slicing, special
from jax._src.lax.control_flow import loops
from jax._src.random import core as random_core, prng, threefry2x32
from record import encode, encode_param

jax.config.update("jax_enable_x64", False)
HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(2)
cases, counts = [], {}
LONG = 6000


def arr(shape, t="float32", low=None, high=None):
    if t == "bool":
        return np.asarray(rng.integers(0, 2, shape), bool)
    if t.startswith("int") or t.startswith("uint"):
        return np.asarray(rng.integers(low or 0, high or 9, shape)).astype(t)
    if t == "complex64":
        return (np.round(rng.normal(size=shape), 2) + 1j * np.round(rng.normal(size=shape), 2)).astype(t)
    if low is not None:
        return np.round(rng.uniform(low, high, size=shape), 3).astype(t)
    return np.round(rng.normal(size=shape), 2).astype(t)


def record(rule, primitive, params, args, on, graph, inputs, outs, tol=None):
    case = {"p": primitive.name, "params": {k: encode_param(v) for k, v in params.items()}, "rule": rule, "on": on,
            "in": [encode(jax.typeof(x), x) for x in inputs], "out": [encode(jax.typeof(x), x) for x in outs]}
    if graph is not None and len(graph) < LONG:
        case["graph"] = graph
    if tol:
        case["tol"] = tol
    cases.append(case)
    counts.setdefault(primitive.name, {}).setdefault(rule, 0)
    counts[primitive.name][rule] += 1


def call(primitive, params, args):
    out = primitive.bind(*args, **params)
    return list(out) if primitive.multiple_results else [out]


def jvp(primitive, args, on=None, vjp=True, tol=None, **params):
    on = [i for i, x in enumerate(args) if jnp.issubdtype(x.dtype, jnp.inexact)] if on is None else on
    args = [jnp.asarray(x) for x in args]
    tangents = [jnp.asarray(arr(args[i].shape, str(args[i].dtype))) for i in on]

    def at(args, *moving):
        args = list(args)
        for i, x in zip(on, moving):
            args[i] = x
        return call(primitive, params, args)

    def forward(*all):
        args, ts = all[:len(tangents) and -len(tangents)], all[-len(tangents):]
        out, tangent = jax.jvp(lambda *m: at(args, *m), [args[i] for i in on], list(ts))
        return [*out, *tangent]

    graph = str(jax.make_jaxpr(forward)(*args, *tangents))
    record("jvp", primitive, params, args, on, graph, [*args, *tangents], forward(*args, *tangents), tol)
    if not vjp:
        return
    outs = call(primitive, params, args)
    cts = [jnp.asarray(arr(o.shape, str(o.dtype))) for o in outs]

    def backward(*all):
        args, cts = all[:-len(cts_)], all[-len(cts_):]
        return list(jax.vjp(lambda *m: at(args, *m), *[args[i] for i in on])[1](list(cts)))
    cts_ = cts
    graph = str(jax.make_jaxpr(backward)(*args, *cts))
    record("vjp", primitive, params, args, on, graph, [*args, *cts], backward(*args, *cts), tol)
    if len(cts) != 1:
        cases[-1]["results"] = len(cts)


def vmap(primitive, args, dims, tol=None, **params):
    args = [jnp.asarray(x) if not hasattr(x, "_impl") and not isinstance(x, jax.Array) else x for x in args]
    fn = jax.vmap(lambda *xs: call(primitive, params, xs), in_axes=tuple(dims))
    graph = str(jax.make_jaxpr(fn)(*args))
    record("vmap", primitive, params, args, list(dims), graph, args, fn(*args), tol)


A = {"accuracy": None}
ACCURATE = "exp exp2 log log1p expm1 tanh logistic sin cos tan sqrt rsqrt cbrt".split()
UNARY = "neg square asin acos atan sinh cosh asinh acosh atanh abs".split() + ACCURATE
for name in UNARY:
    primitive = getattr(laxi, f"{name}_p")
    params = A if name in ACCURATE else {}
    low, high = {"acosh": (1.1, 3), "asin": (-0.9, 0.9), "acos": (-0.9, 0.9), "atanh": (-0.9, 0.9)}.get(name, (0.2, 2))
    x = arr((3,), low=low, high=high)
    jvp(primitive, [x], **params)
    jvp(primitive, [x[0]], **params)
    vmap(primitive, [arr((2, 3), low=low, high=high)], [1], **params)
    if name in ("exp", "log", "sin", "neg", "abs", "square", "sqrt"):
        jvp(primitive, [arr((2,), "complex64")], **params)
for name in "lgamma digamma erf erfc erf_inv bessel_i0e bessel_i1e".split():
    primitive = getattr(special, f"{name}_p")
    jvp(primitive, [arr((3,), low=0.1, high=0.9)], tol=2e-5)
    vmap(primitive, [arr((2, 3), low=0.1, high=0.9)], [0], tol=2e-5)
for name in "sign floor ceil is_finite".split():
    vmap(getattr(laxi, f"{name}_p"), [arr((2, 3))], [1])
for name in "not population_count clz".split():
    vmap(getattr(laxi, f"{name}_p"), [arr((2, 3), "int32")], [1])
for y in [0, 1, 2, 3, -1, -2]:
    jvp(laxi.integer_pow_p, [arr((3,), low=0.5, high=2)], y=y)
    jvp(laxi.integer_pow_p, [arr((), low=0.5, high=2)], y=y)
vmap(laxi.integer_pow_p, [arr((2, 3))], [1], y=3)
vmap(laxi.round_p, [arr((2, 3))], [1], rounding_method=jax.lax.RoundingMethod.TO_NEAREST_EVEN)
for t in ["float32", "complex64"]:
    jvp(laxi.conj_p, [arr((2,), t)], input_dtype=jnp.dtype(t))
jvp(laxi.real_p, [arr((2,), "complex64")])
jvp(laxi.imag_p, [arr((2,), "complex64")])
jvp(laxi.complex_p, [arr((2,)), arr((2,))])
jvp(laxi.complex_p, [arr((2,)), arr((2,))], on=[1])
DIMS = [([(2, 3), (2, 3)], [0, 0]), ([(2, 3), (3, 2)], [0, 1]), ([(2, 3), (3,)], [0, None]), ([(3,), (3, 2)], [None, 1]), ([(2,), (2, 3)], [0, 0]),
        ([(2,), ()], [0, None]), ([(), (3, 2)], [None, 1]), ([(2, 3), ()], [0, None]), ([(2,), (3,)], [0, None]), ([(2, 1, 3), (4, 3)], [0, None])]
for name in "add sub mul div pow atan2 max min rem".split():
    primitive = getattr(laxi, f"{name}_p")
    params = {"out_dtype": None} if name == "mul" else {}
    for a, b in [((3,), (3,)), ((3,), ()), ((), (3,)), ((2, 1), (1, 3)), ((2, 3), (1, 3)), ((), ())]:
        for on in [[0], [1], [0, 1]]:
            # Linear in one of them only, so that there is a transpose.
            jvp(primitive, [arr(a, low=0.5, high=2), arr(b, low=0.5, high=2)], on=on, **params)
    for shapes, dims in DIMS:
        vmap(primitive, [arr(s, low=0.5, high=2) for s in shapes], dims, **params)
jvp(laxi.max_p, [np.array([1, 2, 3], "float32"), np.array([1, 3, 2], "float32")])
jvp(laxi.pow_p, [arr((3,), low=0.5, high=2), arr((3,), "int32")], on=[0])
jvp(laxi.pow_p, [arr((3,), low=0.5, high=2), arr((), "int32")], on=[0])
jvp(laxi.mul_p, [arr((3,), "complex64"), arr((3,), "complex64")], out_dtype=None)
jvp(laxi.div_p, [arr((3,), "complex64"), arr((3,), "complex64")])
for name in "and or xor shift_left eq lt ne ge nextafter".split():
    t = "float32" if name == "nextafter" else "int32"
    for shapes, dims in DIMS[:5]:
        vmap(getattr(laxi, f"{name}_p"), [arr(s, t) for s in shapes], dims)
pos = dict(low=0.5, high=3)
for name, on in [("igamma", [[0], [1], [0, 1]]), ("igammac", [[0], [1]]), ("polygamma", [[1]])]:
    first = np.array([1, 2, 3], "float32") if name == "polygamma" else arr((3,), **pos)
    for o in on:
        jvp(getattr(special, f"{name}_p"), [first, arr((3,), **pos)], on=o, tol=1e-4)
jvp(special.regularized_incomplete_beta_p, [arr((3,), **pos), arr((3,), **pos), arr((3,), low=0.1, high=0.9)], on=[2], tol=1e-4)
vmap(special.regularized_incomplete_beta_p, [arr((3,), **pos), arr((), **pos), arr((2, 3), low=0.1, high=0.9)], [0, None, 1], tol=1e-4)
for s in [((3,), (3,), (3,)), ((), (3,), ())]:
    for on in [[0], [1], [2], [0, 1, 2]]:
        if s[0] or on == [1]:
            jvp(laxi.clamp_p, [arr(s[0]) - 1, arr(s[1]), arr(s[2]) + 1], on=on)
for shapes, dims in [([(), (2, 3), ()], [None, 0, None]), ([(2,), (2, 3), (2,)], [0, 0, 0]), ([(2, 3)] * 3, [0, 0, 0]), ([(), (3, 2), (2,)], [None, 1, 0]),
                     ([(2,), (3,), ()], [0, None, None]), ([(), (2,), ()], [None, 0, None]), ([(2, 3), (3,), (2, 3)], [0, None, 0])]:
    vmap(laxi.clamp_p, [arr(s) for s in shapes], dims)

cvt = dict(weak_type=False, sharding=None)
jvp(laxi.convert_element_type_p, [arr((3,))], new_dtype=jnp.dtype("bfloat16"), **cvt)
jvp(laxi.convert_element_type_p, [arr((3,), "complex64")], new_dtype=jnp.dtype("float32"), **cvt)
vmap(laxi.convert_element_type_p, [arr((2, 3))], [1], new_dtype=jnp.dtype("int32"), **cvt)
vmap(laxi.bitcast_convert_type_p, [arr((2, 3))], [1], new_dtype=jnp.dtype("int32"))
jvp(laxi.reduce_precision_p, [arr((3,))], exponent_bits=8, mantissa_bits=7)
vmap(laxi.reduce_precision_p, [arr((2, 3))], [1], exponent_bits=8, mantissa_bits=7)
for shape, target, dims in [((), (2, 3), ()), ((3,), (2, 3), (1,)), ((2, 1), (2, 3), (0, 1)), ((1,), (2, 3), (1,)), ((3, 2), (2, 3), (1, 0)), ((1, 1), (1, 4), (0, 1))]:
    kw = dict(shape=target, broadcast_dimensions=dims, sharding=None)
    jvp(laxi.broadcast_in_dim_p, [arr(shape)], vjp=dims != (1, 0), **kw)
    for d in range(len(shape) + 1):
        vmap(laxi.broadcast_in_dim_p, [arr((*shape[:d], 2, *shape[d:]))], [d], **kw)
jvp(laxi.tile_p, [arr((2, 3))], reps=(2, 3))
vmap(laxi.tile_p, [arr((2, 2, 3))], [1], reps=(2, 3))
for new, dims in [((6,), None), ((3, 2), None), ((6,), (1, 0))]:
    jvp(laxi.reshape_p, [arr((2, 3))], new_sizes=new, dimensions=dims, sharding=None)
    vmap(laxi.reshape_p, [arr((2, 3, 4))], [2], new_sizes=new, dimensions=dims, sharding=None)
jvp(laxi.squeeze_p, [arr((1, 2, 1))], dimensions=(0, 2))
vmap(laxi.squeeze_p, [arr((1, 2, 3, 1))], [1], dimensions=(0, 2))
vmap(laxi.squeeze_p, [arr((1, 2, 3, 1))], [2], dimensions=(0,))
jvp(laxi.transpose_p, [arr((2, 3, 4))], permutation=(2, 0, 1))
for d in range(3):
    vmap(laxi.transpose_p, [arr((2, 3, 4))], [d], permutation=(1, 0))
jvp(laxi.rev_p, [arr((2, 3))], dimensions=(1,))
vmap(laxi.rev_p, [arr((2, 3, 4))], [1], dimensions=(0, 1))
for config in [((1, 2, 0),), ((-1, 1, 1),), ((0, 0, 2),), ((2, -1, 0),)]:
    for on in [[0], [1], [0, 1]]:
        jvp(laxi.pad_p, [arr((4,)), arr(())], on=on, vjp=on != [1], padding_config=config)
    vmap(laxi.pad_p, [arr((2, 4)), arr(())], [0, None], padding_config=config)
    vmap(laxi.pad_p, [arr((4, 2)), arr((2,))], [1, 0], padding_config=config)
    vmap(laxi.pad_p, [arr((4,)), arr((2,))], [None, 0], padding_config=config)
for start, limit, strides in [((1,), (4,), None), ((0,), (5,), (2,)), ((1,), (5,), (3,)), ((2,), (2,), (2,)), ((1,), (3,), (1,))]:
    kw = dict(start_indices=start, limit_indices=limit, strides=strides)
    jvp(slicing.slice_p, [arr((5,))], **kw)
    vmap(slicing.slice_p, [arr((5, 2))], [1], **kw)
i = np.int32
jvp(slicing.dynamic_slice_p, [arr((5, 3)), i(1), i(0)], on=[0], slice_sizes=(2, 3))
vmap(slicing.dynamic_slice_p, [arr((5, 2)), i(1)], [1, None], slice_sizes=(2,))
vmap(slicing.dynamic_slice_p, [arr((5,)), np.array([1, 4], i)], [None, 0], slice_sizes=(2,))
vmap(slicing.dynamic_slice_p, [arr((2, 5)), np.array([1, 4], i)], [0, 0], slice_sizes=(2,))
vmap(slicing.dynamic_slice_p, [arr((2, 5, 3)), np.array([1, 4], i), i(1)], [0, 0, None], slice_sizes=(2, 2))
vmap(slicing.dynamic_slice_p, [arr((5, 3, 2)), i(1), np.array([0, 2], i)], [2, None, 0], slice_sizes=(2, 2))
for on in [[0], [1], [0, 1]]:
    jvp(slicing.dynamic_update_slice_p, [arr((5,)), arr((2,)), i(1)], on=on)
vmap(slicing.dynamic_update_slice_p, [arr((2, 5)), arr((2, 2)), i(1)], [0, 0, None])
vmap(slicing.dynamic_update_slice_p, [arr((5, 2)), arr((2,)), np.array([1, 4], i)], [1, None, 0])
vmap(slicing.dynamic_update_slice_p, [arr((5,)), arr((2, 2)), np.array([1, 4], i)], [None, 1, 0])
vmap(slicing.dynamic_update_slice_p, [arr((5, 3)), arr((2, 2, 3)), np.array([1, 4], i), i(0)], [None, 1, 0, None])
for shapes, axis in [([(2,), (3,)], 0), ([(2, 1), (2, 2), (2, 3)], 1)]:
    for on in [[0], list(range(len(shapes)))]:
        jvp(laxi.concatenate_p, [arr(s) for s in shapes], on=on, dimension=axis)
vmap(laxi.concatenate_p, [arr((2, 4)), arr((4, 3))], [1, 0], dimension=0)
vmap(laxi.concatenate_p, [arr((2, 4)), arr((3,))], [1, None], dimension=0)
jvp(laxi.split_p, [arr((5, 2))], sizes=(2, 3), axis=0)
vmap(laxi.split_p, [arr((2, 5, 3))], [0], sizes=(2, 3), axis=0)
vmap(laxi.split_p, [arr((5, 2, 3))], [1], sizes=(2, 3), axis=0)
jvp(laxi.stack_p, [arr((2,)), arr((2,))], axis=1)
jvp(laxi.stack_p, [arr((2,)), arr((2,))], on=[1], axis=0)
vmap(laxi.stack_p, [arr((2, 3)), arr((2, 3))], [0, 0], axis=1)
vmap(laxi.stack_p, [arr((2, 3)), arr((2,))], [1, None], axis=1)
jvp(laxi.unstack_p, [arr((2, 3))], axis=1)
vmap(laxi.unstack_p, [arr((2, 3, 4))], [1], axis=0)
b = np.array([True, False, True])
jvp(laxi.select_n_p, [b, arr((3,)), arr((3,))], on=[1, 2])
jvp(laxi.select_n_p, [b, arr((3,)), arr((3,))], on=[1])
jvp(laxi.select_n_p, [b, arr((3,)), arr((3,))], on=[2])
jvp(laxi.select_n_p, [np.bool_(True), arr((3,)), arr((3,))], on=[1, 2])
jvp(laxi.select_n_p, [np.array([0, 2, 1], i), arr((3,)), arr((3,)), arr((3,))], on=[1, 2, 3])
B = arr((2, 3), "bool")
for shapes, dims in [((B, (2, 3), (2, 3)), [0, 0, 0]), ((b[:2], (2, 3), (2, 3)), [0, 0, 0]), ((np.bool_(True), (2, 3), (3, 2)), [None, 0, 1]),
                     ((b[:2], (3,), (3,)), [0, None, None]), ((b, (3,), (3, 2)), [None, None, 1]), ((B, (), ()), [0, None, None]),
                     ((b[:2], (2,), (2,)), [0, 0, 0]), ((b[:2], (), (2,)), [0, None, 0]), ((np.bool_(True), (2,), ()), [None, 0, None]),
                     ((np.bool_(True), (2, 3), (3,)), [None, 0, None])]:
    if dims == [0, None, None] and shapes[1] == ():
        shapes = (b[:2], (), ())
    vmap(laxi.select_n_p, [shapes[0], *[arr(s) for s in shapes[1:]]], dims)

for axes in [(0,), (1,), (0, 1), ()]:
    jvp(laxi.reduce_sum_p, [arr((2, 3))], axes=axes, out_sharding=None)
    for d in range(3):
        vmap(laxi.reduce_sum_p, [arr((2, 3, 4))], [d], axes=axes, out_sharding=None)
    for name in ["prod", "max", "min"]:
        jvp(getattr(laxi, f"reduce_{name}_p"), [arr((2, 3))], axes=axes)
        vmap(getattr(laxi, f"reduce_{name}_p"), [arr((2, 3, 4))], [1], axes=axes)
jvp(laxi.reduce_max_p, [np.array([1, 3, 3], "float32")], axes=(0,))
jvp(laxi.reduce_prod_p, [arr((5,))], axes=(0,))
jvp(laxi.reduce_prod_p, [arr((2, 3, 2))], axes=(0, 2))
for name in ["and", "or", "xor"]:
    vmap(getattr(laxi, f"reduce_{name}_p"), [arr((2, 3, 4), "int32")], [1], axes=(1,))
for name in ["argmax", "argmin"]:
    for d in range(3):
        vmap(getattr(laxi, f"{name}_p"), [arr((2, 3, 4))], [d], axes=(1,), index_dtype=jnp.dtype("int32"))
for name in ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"]:
    primitive = getattr(loops, f"{name}_p")
    for n, reverse in [(4, False), (5, False), (3, True), (1, False)]:
        jvp(primitive, [arr((n,))], axis=0, reverse=reverse, tol=1e-5)
    jvp(primitive, [arr((2, 3))], axis=1, reverse=True, tol=1e-5)
    vmap(primitive, [arr((2, 3, 4))], [1], axis=1, reverse=False)
    vmap(primitive, [arr((2, 3, 4))], [2], axis=0, reverse=True)

jvp(laxi.copy_p, [arr((2,))])
jvp(ad_checkpoint.name_p, [arr((2,))], name="activations")
vmap(ad_checkpoint.name_p, [arr((2, 3))], [1], name="activations")
vmap(ad_util.stop_gradient_p, [arr((2, 3))], [1])
jvp(ad_util.add_jaxvals_p, [arr((2,)), arr((2,))])
vmap(ad_util.add_jaxvals_p, [arr((2, 3)), arr((3, 2))], [0, 1])
vmap(ad_util.add_jaxvals_p, [arr((2, 3)), arr((3,))], [0, None])
jvp(laxi.optimization_barrier_p, [arr((2,)), arr((3,))])
vmap(laxi.optimization_barrier_p, [arr((2, 3)), arr((3,))], [0, None])

keys = jax.random.split(jax.random.key(1), 3)
grid = jax.random.split(jax.random.key(1), (2, 3))
impl = threefry2x32.threefry_prng_impl
vmap(prng.random_seed_p, [np.arange(3)], [0], impl=impl)
vmap(prng.random_wrap_p, [arr((2, 3), "uint32")], [1], impl=impl)
vmap(prng.random_unwrap_p, [grid], [1])
vmap(random_core.random_clone_p, [keys], [0])
vmap(prng.random_split_p, [keys], [0], shape=(2,))
vmap(prng.random_split_p, [grid], [1], shape=(2,))
vmap(prng.random_bits_p, [keys], [0], bit_width=32, shape=(2, 2))
vmap(prng.random_bits_p, [grid], [1], bit_width=16, shape=(2,))
vmap(prng.random_fold_in_p, [keys, np.arange(3, dtype="uint32")], [0, 0])
vmap(prng.random_fold_in_p, [jax.random.key(3), np.arange(3, dtype="uint32")], [None, 0])
vmap(prng.random_fold_in_p, [grid, np.uint32(3)], [1, None])
u = arr((3,), "uint32")
vmap(threefry2x32.threefry2x32_p, [u[0], u[1], u, arr((2, 3), "uint32")], [None, None, None, 0])

with open(HERE / "rules" / "basic.json", "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]\n")
for name in sorted(counts):
    print(f"{name:28} {counts[name]}", file=sys.stderr)
