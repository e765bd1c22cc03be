"""`jax.experimental.mesh_utils`: arrays of devices for meshes, on the one device there is."""
import math

from _jitlens import core


def create_device_mesh(mesh_shape, devices=None, *, contiguous_submeshes=False, allow_split_physical_axes=False):
    devices = core.devices() if devices is None else devices
    shape = tuple(mesh_shape)
    if math.prod(shape) != len(devices):
        raise ValueError(f"Number of devices {len(devices)} must equal the product of mesh_shape {shape}")
    return core.numpy_array_of_any(list(devices)).reshape(shape)


def create_hybrid_device_mesh(mesh_shape, dcn_mesh_shape, devices=None, *, process_is_granule=False, should_sort_granules_by_key=True,
                              allow_split_physical_axes=False):
    devices = core.devices() if devices is None else devices
    if not process_is_granule:
        if not all([hasattr(d, "slice_index") for d in devices]):
            raise ValueError(f"Device {devices[0]} does not have attribute slice_index. See `process_is_granule` option.")
    granules = len(set([d.process_index if process_is_granule else d.slice_index for d in devices]))
    if math.prod(dcn_mesh_shape) != granules:
        raise ValueError(f"Number of slices {granules} must equal the product of dcn_mesh_shape {dcn_mesh_shape}")
    inner = create_device_mesh(mesh_shape, devices)
    return inner.reshape([a * b for a, b in zip(mesh_shape, dcn_mesh_shape)])
