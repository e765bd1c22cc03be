"""Cases of every primitive with every element type: for the table of docs/primitives.md, and for the numbers.

    python tests/primitives/every_dtype.py

What the CPU backend has no code for is recorded by its types alone, and marked: a CPU program does not reach it.
"""
import pathlib
import re
import warnings

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import ad_util
from jax._src.lax import ann, fft, lax as laxi, linalg, slicing, special, windowed_reductions as windows
from jax._src.lax.control_flow import loops
from record import Recorder

warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(11)
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "int4", "uint4", "int2", "uint2"]
NARROW = ["float4_e2m1fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
          "float8_e8m0fnu"]
FLOATS = [*NARROW, "bfloat16", "float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
# Those that came later stand last: what is drawn for the others stays the same.
LATER = ["int2", "uint2", *[t for t in NARROW if t not in ("float8_e4m3fn", "float8_e5m2")]]
ALL = [*[t for t in ["bool", *INTS, *FLOATS, *COMPLEX] if t not in LATER], *LATER]
TOLERANCE = {**{t: 0.26 if "e5m2" in t else 0.13 for t in NARROW}, "bfloat16": 1.6e-2, "float16": 2e-3, "float32": 2e-5, "complex64": 2e-5,
             "float64": 1e-11, "complex128": 1e-11}


ORDER = ["integer", "signedinteger", "floating", "complexfloating", "bool", "float32", "float64"]


# What comes of these is up to the compiler's steps, and may be unknown here.
UP_TO_STEPS = {(name, t) for name in ("igamma", "igammac", "igamma_grad_a", "regularized_incomplete_beta") for t in NARROW} | {
    ("triangular_solve", "float4_e2m1fn"), ("sort", "int2"), ("sort", "uint2")}
# The compiler ends the process over these.
ABORTS = {("concatenate", "int2"), ("concatenate", "uint2")}


class Every(Recorder):
    def show(self, primitive, params):
        return None

    def add(self, case):
        if "error" in case:
            # JAX lists the members of a set, whose order changes from run to run.
            found = re.search(r"(.*subtypes of )([a-z0-9, ]+)\.$", case["error"][1], re.S)
            if found and ", " in found[2]:
                case["error"][1] = f"{found[1]}{', '.join(sorted(found[2].split(', '), key=ORDER.index))}."
        super().add(case)

    def bind(self, primitive, args, t, **params):
        before = len(self.cases)
        try:
            if (primitive.name, t) in ABORTS:
                raise NotImplementedError
            super().bind(primitive, args, tol=TOLERANCE.get(t), **params)
        except Exception:  # the CPU backend has no code for it
            super().bind(primitive, args, evaluate=False, **params)
            for case in self.cases[before:]:
                case["unsupported"] = True
        for case in self.cases[before:]:
            if (primitive.name, t) in UP_TO_STEPS:
                case["steps"] = True


r = Every(limit=4096)


def arr(shape, t, low=-4):
    """Small numbers that every type holds, in no order."""
    n = int(np.prod(shape))
    if t == "bool":
        return (np.arange(n) % 3 == 1).reshape(shape)
    if t.startswith("uint"):
        low = 0
    x = rng.integers(low, 5, shape)
    if t in COMPLEX:
        x = x + 1j * rng.integers(-3, 4, shape)
    elif t in FLOATS:
        x = x + 0.5 * rng.integers(0, 2, shape)
    return np.asarray(x).astype(jnp.dtype(t))


def unit(shape, t):
    """Numbers between 0 and 1, where functions of numbers are defined."""
    if t not in FLOATS + COMPLEX:
        return arr(shape, t, 0)
    x = (rng.integers(1, 8, shape)) / 8
    if t in COMPLEX:
        x = x + 0.25j
    return np.asarray(x).astype(jnp.dtype(t))


def square(t, n=3):
    x = arr((n, n), t)
    if t in FLOATS + COMPLEX:
        x = (x + 9 * np.eye(n)).astype(jnp.dtype(t))
    return x


def positive(t, n=3):
    if t not in FLOATS + COMPLEX:
        return arr((n, n), t)
    wide = np.complex128 if t in COMPLEX else np.float64
    x = arr((n, n), t).astype(wide)
    return (x @ x.conj().T / 4 + n * np.eye(n)).astype(jnp.dtype(t))


i32 = np.int32
UNARY = "abs neg sign square not population_count clz floor ceil is_finite real imag conj".split()
FUNCTIONS = ("exp exp2 log log1p expm1 tanh logistic sin cos tan sqrt rsqrt cbrt".split(), "asin acos atan sinh cosh asinh acosh atanh".split())
BINARY = "add sub mul div rem max min atan2 nextafter and or xor eq ne lt le gt ge shift_left shift_right_arithmetic shift_right_logical mulhi eq_to le_to lt_to complex pow".split()
SPECIAL = {"lgamma": 1, "digamma": 1, "erf": 1, "erfc": 1, "erf_inv": 1, "bessel_i0e": 1, "bessel_i1e": 1, "igamma": 2, "igammac": 2, "igamma_grad_a": 2,
           "polygamma": 2, "zeta": 2, "regularized_incomplete_beta": 3}
for t in ALL:
    x, y = arr((2, 3), t), arr((2, 3), t)
    m = arr((4, 3), t)
    zero = np.zeros((), jnp.dtype(t))
    for name in UNARY:
        r.bind(getattr(laxi, f"{name}_p"), [x], t, **({"input_dtype": jnp.dtype(t)} if name == "conj" else {}))
    for name in FUNCTIONS[0]:
        r.bind(getattr(laxi, f"{name}_p"), [unit((6,), t)], t, accuracy=None)
    for name in FUNCTIONS[1]:
        r.bind(getattr(laxi, f"{name}_p"), [unit((6,), t) + (np.array(1, jnp.dtype(t)) if name == "acosh" and t != "bool" else np.array(0, jnp.dtype(t)))], t)
    for name in BINARY:
        if hasattr(laxi, f"{name}_p"):
            r.bind(getattr(laxi, f"{name}_p"), [x, y], t)
    for name, count in SPECIAL.items():
        r.bind(getattr(special, f"{name}_p"), [unit((4,), t) + (np.array(1, jnp.dtype(t)) if name in ("zeta", "polygamma") and t != "bool" else np.array(0, jnp.dtype(t)))
                                               for _ in range(count)], t)
    r.bind(ad_util.add_jaxvals_p, [x, y], t)
    r.bind(laxi.integer_pow_p, [x], t, y=3)
    r.bind(laxi.round_p, [x], t, rounding_method=lax.RoundingMethod.TO_NEAREST_EVEN)
    r.bind(laxi.reduce_precision_p, [x], t, exponent_bits=4, mantissa_bits=2)
    r.bind(laxi.clamp_p, [np.array(1).astype(jnp.dtype(t)), x, np.array(3).astype(jnp.dtype(t))], t)
    r.bind(laxi.select_n_p, [arr((2, 3), "bool"), x, y], t)
    r.bind(laxi.select_n_p, [rng.integers(0, 3, (2, 3)).astype(i32), x, y, x], t)
    r.bind(laxi.copy_p, [x], t)
    r.bind(ad_util.stop_gradient_p, [x], t)
    # ------------------------------------------------------------------------------------------------------- shapes
    r.bind(laxi.broadcast_in_dim_p, [x], t, shape=(2, 4, 3), broadcast_dimensions=(0, 2), sharding=None)
    r.bind(laxi.reshape_p, [x], t, new_sizes=(3, 2), dimensions=None, sharding=None)
    r.bind(laxi.squeeze_p, [x[None]], t, dimensions=(0,))
    r.bind(laxi.transpose_p, [x], t, permutation=(1, 0))
    r.bind(laxi.rev_p, [x], t, dimensions=(1,))
    r.bind(laxi.concatenate_p, [x, y], t, dimension=1)
    r.bind(laxi.pad_p, [x, zero], t, padding_config=((1, 0, 1), (-1, 2, 0)))
    r.bind(laxi.tile_p, [x], t, reps=(2, 1))
    r.bind(laxi.split_p, [m], t, sizes=(1, 3), axis=0)
    for name in ("stack", "unstack"):
        primitive = getattr(laxi, f"{name}_p", None)
        if primitive is not None:
            r.bind(primitive, [x, y] if name == "stack" else [x], t, axis=0)
    r.bind(laxi.iota_p, [], t, dtype=jnp.dtype(t), shape=(2, 3), dimension=1, sharding=None)
    # ----------------------------------------------------------------------------------------------------- indexing
    r.bind(slicing.slice_p, [m], t, start_indices=(1, 0), limit_indices=(4, 3), strides=(2, 1))
    r.bind(slicing.dynamic_slice_p, [m, i32(2), i32(-1)], t, slice_sizes=(3, 2))
    r.bind(slicing.dynamic_update_slice_p, [m, x[:, :2], i32(3), i32(1)], t)
    dims = lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,))
    for mode in (lax.GatherScatterMode.CLIP, lax.GatherScatterMode.FILL_OR_DROP):
        r.harvest({"gather"}, lambda m, i: lax.gather(m, i, dims, (1, 3), mode=mode), m, np.array([[3], [-1], [9]], i32), tol=TOLERANCE.get(t))
    for name in ("set", "add", "mul", "min", "max"):
        try:
            r.harvest({"scatter", "scatter-add", "scatter-mul", "scatter-min", "scatter-max"},
                      lambda m, i, u: getattr(m.at[i], {"mul": "multiply"}.get(name, name))(u), m, np.array([3, 9], i32), x, tol=TOLERANCE.get(t))
        except Exception:
            pass
    # --------------------------------------------------------------------------------------------------- reductions
    for name in "reduce_sum reduce_prod reduce_max reduce_min reduce_and reduce_or reduce_xor".split():
        extra = {} if name in ("reduce_and", "reduce_or", "reduce_xor") else {"out_sharding": None}
        r.bind(getattr(laxi, f"{name}_p"), [arr((3, 2), t, 1)], t, axes=(0,), **extra)
    for name in ("argmax", "argmin"):
        r.bind(getattr(laxi, f"{name}_p"), [m], t, axes=(0,), index_dtype=jnp.dtype("int32"))
    for name in "cumsum cumprod cummax cummin cumlogsumexp".split():
        r.bind(getattr(loops, f"{name}_p"), [arr((3, 2), t, 1)], t, axis=0, reverse=False)
    window = dict(window_dimensions=(2, 2), window_strides=(1, 1), padding=((0, 1), (0, 0)), base_dilation=(1, 1), window_dilation=(1, 1))
    for name in "reduce_window_sum reduce_window_max reduce_window_min".split():
        r.bind(getattr(windows, f"{name}_p"), [m], t, **window)
    r.bind(laxi.sort_p, [m, y.repeat(2, 0)], t, dimension=0, is_stable=True, num_keys=1)
    r.bind(laxi.top_k_p, [m], t, operand=None, k=2, axis=1) if False else r.bind(laxi.top_k_p, [m], t, k=2, axis=1)
    # ----------------------------------------------------------------------------------------------------- products
    for dims in ((((1,), (0,)), ((), ())), (((1,), (1,)), ((0,), (0,)))):
        other = arr((3, 2), t) if dims[1] == ((), ()) else y
        r.bind(laxi.dot_general_p, [x, other], t, dimension_numbers=dims, precision=None, preferred_element_type=jnp.dtype(t), out_sharding=None)
    numbers = lax.ConvDimensionNumbers((0, 1, 2), (0, 1, 2), (0, 1, 2))
    r.bind(jax._src.lax.convolution.conv_general_dilated_p, [arr((1, 2, 5), t), arr((3, 2, 2), t)], t, window_strides=(1,), padding=((1, 0),),
           lhs_dilation=(1,), rhs_dilation=(1,), dimension_numbers=numbers, feature_group_count=1, batch_group_count=1, precision=None,
           preferred_element_type=None, out_sharding=None)
    # ----------------------------------------------------------------------------------------- transforms and matrices
    r.bind(fft.fft_p, [arr((2, 4), t)], t, fft_type=lax.FftType.FFT, fft_lengths=(4,))
    r.bind(fft.fft_p, [arr((2, 4), t)], t, fft_type=lax.FftType.RFFT, fft_lengths=(4,))
    r.bind(fft.fft_p, [arr((2, 3), t)], t, fft_type=lax.FftType.IRFFT, fft_lengths=(4,))
    r.bind(linalg.cholesky_p, [positive(t)], t)
    r.bind(linalg.lu_p, [square(t)], t)
    r.bind(linalg.qr_p, [square(t)], t, pivoting=False, full_matrices=False, use_magma=None)
    r.bind(linalg.svd_p, [square(t)], t, full_matrices=False, compute_uv=False, subset_by_index=None, algorithm=None)
    r.bind(linalg.eigh_p, [positive(t)], t, lower=True, sort_eigenvalues=True, subset_by_index=None, algorithm=None)
    r.bind(linalg.eig_p, [square(t)], t, compute_left_eigenvectors=False, compute_right_eigenvectors=False, enable_eigvec_derivs=False, implementation=None)
    r.bind(linalg.triangular_solve_p, [np.tril(square(t)), arr((3, 2), t)], t, left_side=True, lower=True, transpose_a=False, conjugate_a=False,
           unit_diagonal=False)
    for u in ALL:
        r.bind(laxi.convert_element_type_p, [x], u, new_dtype=jnp.dtype(u), weak_type=False, sharding=None)

r.write(HERE / "cases" / "every_dtype.json")
