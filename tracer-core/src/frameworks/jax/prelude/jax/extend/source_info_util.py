"""`jax.extend.source_info_util`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.extend.source_info_util", """
    NameStack SourceInfo current current_name_stack extend_name_stack new_name_stack new_source_info
    register_exclusion reset_name_stack set_name_stack summarize transform_name_stack user_context
    """)
