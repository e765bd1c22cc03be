"""`jax.lax`. Names are found when they are first used: primitives that take only arrays are the primitives themselves."""
from _jitlens import core as _core, prims as _prims

# Functions that do nothing but bind: public name -> primitive, where they differ.
_BINDS = {
    "bitwise_and": "and_", "bitwise_or": "or_", "bitwise_xor": "xor", "bitwise_not": "not_",
}
for _name in """
    abs acos acosh add asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt ceil clz complex cos cosh digamma div eq erf erf_inv erfc
    exp exp2 expm1 floor ge gt igamma igamma_grad_a igammac imag is_finite le lgamma log log1p logistic lt max min mul mulhi ne
    neg nextafter polygamma population_count pow real rem rsqrt shift_left shift_right_arithmetic shift_right_logical sign sin sinh
    sqrt square sub tan tanh zeta
    """.split():
    _BINDS[_name] = _name

# Everything else: module -> names.
_HOMES = {
    "_associative": "associative_scan",
    "_conditionals": "cond platform_dependent switch",
    "_contractions": "batch_matmul dot dot_general ragged_dot ragged_dot_general",
    "_convert": """after_all betainc bitcast_convert_type clamp composite conj convert_element_type create_token dce_sink dtype fft integer_pow
        optimization_barrier random_gamma_grad reciprocal reduce_precision rng_bit_generator rng_uniform round select select_n stage
        stop_gradient with_sharding_constraint""",
    "_convolutions": """ConvDimensionNumbers conv conv_dimension_numbers conv_general_dilated conv_general_dilated_local
        conv_general_dilated_patches conv_general_permutations conv_general_shape_tuple conv_shape_tuple conv_transpose
        conv_transpose_shape_tuple conv_with_general_padding""",
    "_gather": """GatherDimensionNumbers GatherScatterMode ScatterDimensionNumbers gather index_take scatter scatter_add scatter_apply
        scatter_max scatter_min scatter_mul scatter_sub""",
    "_loops": "fori_loop map scan while_loop",
    "_parallel": """all_gather all_to_all axis_index axis_size pbroadcast pcast pmax pmean pmin ppermute pshuffle psum psum_scatter pswapaxes
        ragged_all_to_all""",
    "_reductions": """approx_max_k approx_min_k argmax argmin cumlogsumexp cummax cummin cumprod cumsum reduce reduce_and reduce_max
        reduce_min reduce_or reduce_prod reduce_sum reduce_xor sort sort_key_val top_k""",
    "_shapes": """broadcast broadcast_in_dim broadcast_like broadcast_shapes broadcast_to_rank broadcasted_iota collapse concatenate empty
        expand_dims full full_like iota pad reshape rev shape_as_value split squeeze stack tile transpose unstack""",
    "_slicing": """dynamic_index_in_dim dynamic_slice dynamic_slice_in_dim dynamic_update_index_in_dim dynamic_update_slice
        dynamic_update_slice_in_dim index_in_dim slice slice_in_dim""",
    "_solves": "custom_linear_solve custom_root",
    "_windows": "padtype_to_pads reduce_window reduce_window_shape_tuple",
}
_HOME_OF = _core.by_word(_HOMES)


# Enumerations and classes of parameters.
_CLASSES = frozenset("""AccuracyMode ConvGeneralDilatedDimensionNumbers DotAlgorithm DotAlgorithmPreset DotDimensionNumbers FftType Precision
    PrecisionLike RaggedDotDimensionNumbers RandomAlgorithm RoundingMethod Tolerance""".split())

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def __getattr__(name):
    if name in _BINDS:
        found = getattr(_prims, _BINDS[name])
    elif name in _HOME_OF:
        found = getattr(_core.import_module("." + _HOME_OF[name], __name__), name)
    elif name == "linalg":
        found = _core.import_module(".linalg", __name__)
    elif name in _CLASSES:
        found = getattr(_core, name, None) or _core.LAX_CLASSES[name]
    elif name.endswith("_p"):
        found = _core.primitive(name[:-2])
        if found is None:
            raise AttributeError(f"module 'jax.lax' has no attribute {name!r}")
    else:
        from .. import _removed
        raise AttributeError(_removed.missing("jax.lax", name))
    globals()[name] = found
    return found


def __dir__():
    return sorted([*_BINDS, *_HOME_OF, "linalg"])
