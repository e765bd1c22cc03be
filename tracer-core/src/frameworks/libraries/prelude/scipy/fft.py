"""`scipy.fft`"""
from . import _arrays

__getattr__ = _arrays.functions("scipy.fft", """
    fftfreq get_workers next_fast_len prev_fast_len register_backend rfftfreq set_backend set_global_backend set_workers
    skip_backend test
    """)
