"""Parts of `einsum` that libraries put together on their own: finding the order of contraction, and contracting."""
from _jitlens import core as _core

from ...numpy import _einsum as _model
from ...numpy._einsum import einsum, einsum_path  # noqa: F401

# What finds the order where sizes are symbols, by their type.
_poly_einsum_handlers = {}


def _default_poly_einsum_handler(*operands, einsum_call=False, optimize="auto", use_blas=True, **kwargs):
    """The operands, and the contractions in order: places, names that are summed, subscripts, what is left, and no hint for BLAS."""
    terms, output, arrays = _model.parse(operands[0], operands[1:])
    found, left = [], list(terms)
    steps = _model.plan(terms, output, [_model._shape(x) for x in arrays], "optimal" if optimize is True else optimize)
    for places, removed, names, result in steps:
        for place in places:
            left.pop(place)
        left.append(result)
        found.append((places, frozenset(removed), ",".join(names) + "->" + result, tuple(left) if len(left) <= 20 else None, False))
    return list(arrays), found


def _einsum(operands, contractions, precision, preferred_element_type, _dot_general=None, out_sharding=None):
    steps = []
    for places, removed, subscripts in contractions:
        names, result = subscripts.split("->")
        steps.append((places, removed, names.split(","), result))
    return _model.contract(operands, steps, precision, preferred_element_type, _dot_general)


def __getattr__(name):
    return _core.unknown(f"`jax._src.numpy.einsum.{name}` is internal and not modelled")
