"""Types of mutable references: no value is of one."""


class AbstractRef:
    """The type of a reference."""
