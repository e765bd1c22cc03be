"""`jax.experimental.rnn`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.rnn", """
    get_num_params_in_lstm init_lstm_weight lstm lstm_bwd lstm_fwd lstm_ref swap_lstm_gates unpack_lstm_weights
    """)
