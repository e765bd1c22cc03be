"""`scipy.ndimage`"""
from . import _arrays

__getattr__ = _arrays.functions("scipy.ndimage", """
    gaussian_filter1d generate_binary_structure grey_closing grey_dilation grey_erosion grey_opening histogram
    labeled_comprehension maximum_filter minimum_filter morphological_gradient rank_filter test
    """)
