"""One function per primitive: `prims.<name>(*arrays, **params)`.

* Operands are arrays or tracers, positionally; never Python scalars. Params are keywords with JAX's names.
* Params that only steer sharding, accuracy or compilation may be left out (they default to `None`, see `OPTIONAL`).
* A primitive with several results returns a list, any other one array.
* Names that are not identifiers: `and_ or_ not_ while_`, and `scatter_add scatter_sub scatter_mul scatter_min scatter_max`.
* `gather` and the scatters take `mode` as one of the strings `"clip" "fill_or_drop" "promise_in_bounds" "one_hot"`; the scatters
  need no `update_jaxpr`. `dimension_numbers` are made by `core.gather_dimension_numbers` and its siblings.
* `round` takes `rounding_method` as an int: 0 away from zero, 1 to nearest even.
* Shape and dtype errors of the primitive's own rules are raised here.
"""
import sys

import jax
import jax.numpy as _jnp  # registers everything
from jax import lax as _lax
from jax._src import core as _core
import jax._src.ad_checkpoint, jax._src.callback, jax._src.debugging, jax._src.lax.fft, jax._src.lax.linalg, jax._src.lax.special  # noqa: E401
import jax._src.random  # noqa: F401

OPTIONAL = {
    "sharding": None,
    "out_sharding": None,
    "accuracy": None,
    "out_dtype": None,
    "dimensions": None,
    "precision": None,
    "preferred_element_type": None,
    "input_output_aliases": None,
    "use_magma": None,
    "fill_value": None,
    "subset_by_index": None,
}

_PARAMS = {
    "dot_general": ("dimension_numbers", "precision", "preferred_element_type", "out_sharding"),
    "ragged_dot_general": ("ragged_dot_dimension_numbers", "precision", "preferred_element_type", "group_offset", "out_sharding"),
    "conv_general_dilated": (
        "window_strides", "padding", "lhs_dilation", "rhs_dilation", "dimension_numbers", "feature_group_count",
        "batch_group_count", "precision", "preferred_element_type", "out_sharding"),
    "convert_element_type": ("new_dtype", "weak_type", "sharding"),
    "broadcast_in_dim": ("shape", "broadcast_dimensions", "sharding"),
    "reshape": ("new_sizes", "dimensions", "sharding"),
    "iota": ("dtype", "shape", "dimension", "sharding"),
    "empty": ("shape", "dtype", "out_sharding"),
    "reduce_sum": ("axes", "out_sharding"),
    "rng_bit_generator": ("shape", "dtype", "algorithm", "out_sharding"),
    "mul": ("out_dtype",),
    "gather": ("dimension_numbers", "slice_sizes", "indices_are_sorted", "unique_indices", "mode", "fill_value"),
    "qr": ("pivoting", "full_matrices", "use_magma"),
    "svd": ("full_matrices", "compute_uv", "subset_by_index", "algorithm"),
    "eigh": ("lower", "sort_eigenvalues", "subset_by_index", "algorithm"),
}
for _name in "sin cos tan tanh exp exp2 expm1 log log1p sqrt rsqrt cbrt logistic".split():
    _PARAMS[_name] = ("accuracy",)

_ALIASES = {"and_": "and", "or_": "or", "not_": "not", "while_": "while", "slice": "slice"}


_MODES = {mode.name.lower(): mode for mode in _lax.GatherScatterMode}


def _registry():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("jax._src"):
            for key, value in list(vars(module).items()):
                if isinstance(value, _core.Primitive):
                    found.setdefault(value.name, value)
    return found


_PRIMITIVES = _registry()


def _scatter(name):
    function = getattr(_lax, name)

    def bind(operand, indices, updates, *, dimension_numbers, indices_are_sorted=False, unique_indices=False, mode):
        return function(operand, indices, updates, dimension_numbers, indices_are_sorted=indices_are_sorted,
                        unique_indices=unique_indices, mode=_MODES[mode])
    return bind


def __getattr__(name):
    if name.startswith("scatter"):
        made = _scatter(name)
    else:
        jax_name = _ALIASES.get(name, name)
        if jax_name not in _PRIMITIVES:
            raise AttributeError(f"no primitive {name!r}")
        primitive = _PRIMITIVES[jax_name]
        optional = [key for key in _PARAMS.get(jax_name, ()) if key in OPTIONAL]

        def made(*operands, **params):
            for key in optional:
                if key not in params:
                    params[key] = OPTIONAL[key]
            if jax_name == "round":
                params["rounding_method"] = _lax.RoundingMethod(params["rounding_method"])
            if jax_name == "gather":
                params["mode"] = _MODES[params["mode"]]
            return primitive.bind(*operands, **params)
    made.__name__ = name
    globals()[name] = made
    return made
