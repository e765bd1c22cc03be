"""`flax.linen.summary`: the table of a module, which another library lays out."""
from _jitlens.python import unknown


def _render_table(table, console_extras, table_kwargs, column_kwargs, non_params_cols):
    return unknown("str", "how a table of modules is laid out")
