"""`jax.experimental.transfer`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.transfer", """
    TransferConnection TransferServer make_error_array start_transfer_server
    """)
