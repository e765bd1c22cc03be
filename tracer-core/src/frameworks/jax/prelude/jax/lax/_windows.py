"""`reduce_window` and paddings given as words."""
from _jitlens import core, prims as p

from ._reductions import check_operands, highest, lowest, reduction_jaxpr


def reduce_window(operand, init_value, computation, window_dimensions, window_strides=None, padding="VALID", base_dilation=None,
                  window_dilation=None):
    leaves, tree, inits = check_operands(operand, init_value)
    if not leaves:
        raise ValueError("reduce_window must have at least one operand.")
    ones = (1,) * len(window_dimensions)
    if isinstance(padding, str):
        sizes = window_dimensions if window_dilation is None else _dilate_shape(window_dimensions, window_dilation)
        padding = tuple(padtype_to_pads(leaves[0].shape, sizes, window_strides or [], padding))
    else:
        padding = tuple([(lo, hi) for lo, hi in padding])
    window = dict(window_dimensions=tuple(window_dimensions), window_strides=tuple(window_strides or ones) if window_strides is not None else ones,
                  padding=padding, base_dilation=ones if base_dilation is None else tuple(base_dilation),
                  window_dilation=ones if window_dilation is None else tuple(window_dilation))
    known = _known_window(computation, inits)
    if known:
        return known(leaves[0], **window)
    jaxpr, consts, out_tree = reduction_jaxpr(computation, inits, tree, "reduce_window comp")
    if tree != out_tree:
        raise ValueError(f"reduce_window output must have the same tree structure as the operands {tree} vs. {out_tree}")
    return out_tree.unflatten(core.bind_reduce_window(leaves, inits, jaxpr, consts, window))


def _known_window(computation, inits):
    """The primitive for sums, maxima and minima over windows from their identities, or None."""
    if len(inits) != 1 or not core.is_concrete(inits[0]) or core.shape(inits[0]) != ():
        return None
    value, dtype = inits[0], core.dtype(inits[0])
    if computation is p.add:
        return p.reduce_window_sum if value == 0 else None
    if computation is p.max:
        return p.reduce_window_max if value == lowest(dtype) else None
    if computation is p.min:
        return p.reduce_window_min if value == highest(dtype) else None
    return None


def reduce_window_shape_tuple(operand_shape, window_dimensions, window_strides, padding, base_dilation=None, window_dilation=None):
    if base_dilation is not None:
        operand_shape = _dilate_shape(operand_shape, base_dilation)
    if window_dilation is not None:
        window_dimensions = _dilate_shape(window_dimensions, window_dilation)
    for i, other in enumerate((padding, window_dimensions, window_strides)):
        if len(other) != len(operand_shape):
            raise ValueError(f"safe_zip() argument {min(i, 1) + 1} has length {len(other)} but argument 0 has length {len(operand_shape)}.")
    return tuple([0 if d + lo + hi < w else (d + lo + hi - w) // s + 1
                  for d, (lo, hi), w, s in zip(operand_shape, padding, window_dimensions, window_strides)])


def _dilate_shape(shape, dilation):
    return [dilate(n, d) for n, d in zip(shape, dilation)]


def dilate(n, d):
    """The extent of `n` elements with gaps of `d - 1` between them."""
    return 0 if n == 0 else 1 + d * (n - 1)


def padtype_to_pads(in_shape, window_shape, window_strides, padding):
    """(low, high) per dimension for a padding given as a word."""
    if isinstance(padding, str):
        kind = padding.upper()
        if kind not in ("VALID", "SAME", "SAME_LOWER"):
            raise RuntimeError(f"Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', got {padding}.")
    else:
        if core.is_numpy_array(padding):
            bool(padding)               # It is compared with the known paddings.
        kind = getattr(padding, "name", None)
        if kind not in ("VALID", "SAME", "SAME_LOWER"):
            raise TypeError(f"Unknown padding type: {padding}.")
    if kind == "VALID":
        return [(0, 0)] * len(in_shape)
    pads = []
    sizes, strides = _broadcast(in_shape, window_strides)
    before = [(-(-n // s) - 1) * s - n for n, s in zip(sizes, strides)]
    for n, w in zip(*_broadcast(before, window_shape)):
        total = max(n + w, 0)
        pads.append((total // 2, total - total // 2) if kind == "SAME" else (total - total // 2, total // 2))
    return pads


def _broadcast(a, b):
    """JAX computes with NumPy vectors here: one number serves all dimensions, another mismatch is NumPy's error."""
    if len(a) == len(b):
        return a, b
    if len(a) == 1:
        return list(a) * len(b), b
    if len(b) == 1:
        return a, list(b) * len(a)
    raise ValueError(f"operands could not be broadcast together with shapes ({len(a)},) ({len(b)},) ")
