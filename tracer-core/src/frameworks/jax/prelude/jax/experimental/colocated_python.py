"""`jax.experimental.colocated_python`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.colocated_python", """
    colocated_cpu_devices colocated_python colocated_python_class
    """)
