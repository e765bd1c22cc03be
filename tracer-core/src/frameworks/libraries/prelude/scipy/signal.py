"""`scipy.signal`"""
from . import _arrays

__getattr__ = _arrays.functions("scipy.signal", """
    abcd_normalize argrelextrema band_stop_obj besselap buttap cheb1ap cheb2ap check_COLA check_NOLA czt_points dbode dfreqresp
    dimpulse dlsim dlti dstep ellipap envelope firwin_2d gammatone get_window iircomb iirnotch iirpeak kaiser_atten kaiser_beta
    kaiserord lti qspline2d savgol_coeffs test unit_impulse windows
    """)
