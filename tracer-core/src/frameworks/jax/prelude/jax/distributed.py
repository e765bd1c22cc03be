"""`jax.distributed`: one process."""

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def initialize(coordinator_address=None, num_processes=None, process_id=None, local_device_ids=None, **kwargs):
    pass


def is_initialized():
    return False


def shutdown():
    pass
