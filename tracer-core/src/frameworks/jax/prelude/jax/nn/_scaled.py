"""Products of scaled blocks."""
from _jitlens import core


def scaled_matmul(lhs, rhs, lhs_scales, rhs_scales, preferred_element_type=core.FLOAT32):
    if not all([x.ndim == 3 for x in (lhs, rhs, lhs_scales, rhs_scales)]):
        raise ValueError("scaled_matmul requires all inputs to be 3-dimensional arrays")
    if lhs.shape[0] != rhs.shape[0] or lhs.shape[2] != rhs.shape[2]:
        raise ValueError("scaled_matmul requires inputs a and b to have matching batch (B) and contract (K) dimensions, but got shapes "
                         f"{lhs.shape} and {rhs.shape}")
    if lhs_scales.shape[0] != rhs_scales.shape[0] or lhs_scales.shape[2] != rhs_scales.shape[2]:
        raise ValueError("scaled_matmul requires scales to have matching batch (B) and contract (K) dimensions, but got shapes "
                         f"{lhs_scales.shape} and {rhs_scales.shape}")
    if lhs_scales.shape[1] != lhs.shape[1] or rhs_scales.shape[1] != rhs.shape[1]:
        raise ValueError(f"scaled_matmul requires scales to match non-contract dimensions of inputs, but got shapes a: {lhs.shape}, b: "
                         f"{rhs.shape}, a_scales: {lhs_scales.shape}, b_scales: {rhs_scales.shape}")
    return core.scaled_matmul(lhs, rhs, lhs_scales, rhs_scales, core.user_dtype(preferred_element_type, "scaled_matmul"))


def get_scaled_dot_general_config(mode, global_scale=None):
    if mode not in ("nvfp4", "mxfp8"):
        raise ValueError(f"Unsupported mode: {mode}")
    return core.block_scale_config(mode, global_scale)


def scaled_dot_general(lhs, rhs, dimension_numbers, preferred_element_type=core.FLOAT32, configs=None, implementation=None):
    if implementation is not None:
        core.warn("Backend selector, now ignored. The system chooses the backend automatically.", DeprecationWarning, stacklevel=2)
    if configs is None:
        from ..lax._contractions import dot_general
        return dot_general(lhs, rhs, dimension_numbers, preferred_element_type=preferred_element_type)
    return core.scaled_dot_general(lhs, rhs, dimension_numbers, preferred_element_type, configs)
