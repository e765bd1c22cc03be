"""`jax.experimental.multihost_utils` for one process."""
from _jitlens import core


class ProcessFailureError(RuntimeError):
    pass


def broadcast_one_to_all(in_tree, is_source=None):
    return core.tree_map(core.concrete_numpy, in_tree)


def process_allgather(in_tree, tiled=False):
    def gather(x):
        x = core.concrete_numpy(x)
        return x if tiled else x[None]
    return core.tree_map(gather, in_tree)


def sync_global_devices(name):
    pass


def assert_equal(in_tree, fail_message=""):
    pass


def reached_preemption_sync_point(step_id):
    return False


class live_devices:
    def __init__(self, devices):
        self._devices = devices

    def __enter__(self):
        return self._devices

    def __exit__(self, *error):
        return False


def host_local_array_to_global_array(local_inputs, global_mesh, pspecs):
    return core.tree_map(core.asarray, local_inputs)


def global_array_to_host_local_array(global_inputs, global_mesh, pspecs):
    return core.tree_map(core.asarray, global_inputs)
