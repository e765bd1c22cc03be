"""`jax.lax`. Names are found when they are first used: primitives that take only arrays are the primitives themselves."""
from _jitlens import prims as _prims

# Functions that do nothing but bind: public name -> primitive, where they differ.
_BINDS = {
    "bitwise_and": "and_", "bitwise_or": "or_", "bitwise_xor": "xor", "bitwise_not": "not_",
}
for _name in """
    abs acos acosh add asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt ceil clz complex cos cosh digamma div eq erf erf_inv erfc
    exp exp2 expm1 floor ge gt igamma igamma_grad_a igammac imag is_finite le lgamma log log1p logistic lt max min mul mulhi ne
    neg nextafter polygamma population_count pow real rem rsqrt shift_left shift_right_arithmetic shift_right_logical sign sin sinh
    sqrt square sub tan tanh zeta random_gamma_grad
    """.split():
    _BINDS[_name] = _name

# Everything else: module -> names.
_HOMES = {
    "_associative": "associative_scan",
    "_conditionals": "cond platform_dependent switch",
    "_loops": "fori_loop map scan while_loop",
    "_shapes": """broadcast broadcast_in_dim broadcast_like broadcast_shapes broadcast_to_rank broadcasted_iota collapse concatenate empty
        expand_dims full full_like iota pad reshape rev shape_as_value split squeeze stack tile transpose unstack""",
    "_slicing": """dynamic_index_in_dim dynamic_slice dynamic_slice_in_dim dynamic_update_index_in_dim dynamic_update_slice
        dynamic_update_slice_in_dim index_in_dim slice slice_in_dim""",
    "_solves": "custom_linear_solve custom_root",
}
_HOME_OF = {_name: _home for _home, _names in _HOMES.items() for _name in _names.split()}


def __getattr__(name):
    if name in _BINDS:
        found = getattr(_prims, _BINDS[name])
    elif name in _HOME_OF:
        from importlib import import_module
        found = getattr(import_module("." + _HOME_OF[name], __name__), name)
    elif name == "linalg":
        from importlib import import_module
        found = import_module(".linalg", __name__)
    else:
        raise AttributeError(f"module 'jax.lax' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__():
    return sorted([*_BINDS, *_HOME_OF, "linalg"])
