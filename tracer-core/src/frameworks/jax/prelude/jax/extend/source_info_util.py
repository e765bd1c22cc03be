"""`jax.extend.source_info_util`: not modelled."""
from .. import _unmodelled


def register_exclusion(file_name):
    """Leaves a library's frames out of tracebacks: nothing to do here."""


__getattr__ = _unmodelled.names("jax.extend.source_info_util", """
    NameStack SourceInfo current current_name_stack extend_name_stack new_name_stack new_source_info
    reset_name_stack set_name_stack summarize transform_name_stack user_context
    """)
