"""Meshes of devices, concrete and abstract, and the mesh in context."""
import math

from _jitlens import core


class AxisType:
    """`Auto`, `Explicit` or `Manual`."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name

    def __str__(self):
        return f"AxisType.{self.name}"


AxisType.Auto, AxisType.Explicit, AxisType.Manual = AxisType("Auto"), AxisType("Explicit"), AxisType("Manual")


def _axis_types(axis_names, axis_types, name):
    if axis_types is None:
        return (AxisType.Auto,) * len(axis_names)
    if not isinstance(axis_types, tuple):
        axis_types = (axis_types,)
    if not all([isinstance(a, AxisType) for a in axis_types]):
        raise TypeError(f"axis_types passed to {name} must be of type `jax.sharding.AxisType`. Got {axis_types} of type "
                        f"{tuple([type(a) for a in axis_types])}")
    if len(axis_names) != len(axis_types):
        raise ValueError("Number of axis names should match the number of axis_types. Got "
                         f"axis_names={axis_names} and axis_types={axis_types}")
    return axis_types


class _BaseMesh:
    @property
    def shape_tuple(self):
        return tuple(zip(self.axis_names, self.axis_sizes))

    @property
    def shape(self):
        return core.OrderedDict(self.shape_tuple)

    @property
    def empty(self):
        return self.size == 0

    def _axes(self, kind):
        return tuple([n for n, t in zip(self.axis_names, self.axis_types) if t is kind])

    @property
    def auto_axes(self):
        return self._axes(AxisType.Auto)

    @property
    def explicit_axes(self):
        return self._axes(AxisType.Explicit)

    @property
    def manual_axes(self):
        return self._axes(AxisType.Manual)

    def _all(self, kind):
        return bool(self.axis_types) and all([t is kind for t in self.axis_types])

    @property
    def are_all_axes_auto(self):
        return self._all(AxisType.Auto)

    @property
    def are_all_axes_explicit(self):
        return self._all(AxisType.Explicit)

    @property
    def are_all_axes_manual(self):
        return self._all(AxisType.Manual)

    def __eq__(self, other):
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())


class Mesh(_BaseMesh):
    def __init__(self, devices, axis_names, axis_types=None):
        devices = core.numpy_array_of_any(devices)
        axis_names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        if None in axis_names:
            raise ValueError(f"Mesh axis names cannot be None. Got: {axis_names}")
        if devices.ndim != len(axis_names):
            raise ValueError("Mesh requires the ndim of its first argument (`devices`) to equal the length of its second argument "
                             f"(`axis_names`), but got devices.ndim == {devices.ndim} and len(axis_names) == {len(axis_names)}.")
        self.devices = devices
        self.axis_names = axis_names
        self.axis_types = _axis_types(axis_names, axis_types, "Mesh")
        self._flat = tuple(devices.flat)
        self.size = 0 if not axis_names and self._flat[0] is None else math.prod(devices.shape)

    def _key(self):
        return self._flat, self.devices.shape, self.axis_names, self.axis_types

    @property
    def axis_sizes(self):
        return self.devices.shape

    @property
    def device_ids(self):
        return core.numpy_array([d.id for d in self._flat]).reshape(self.devices.shape)

    @property
    def local_devices(self):
        return list(self._flat)

    @property
    def local_mesh(self):
        return self

    is_multi_process = False

    @property
    def is_scalar(self):
        return self.size == 1 and not self.axis_names

    @property
    def abstract_mesh(self):
        if not self.axis_names:
            return _EMPTY_ABSTRACT
        first = self._flat[0]
        return AbstractMesh(self.axis_sizes, self.axis_names, axis_types=self.axis_types,
                            abstract_device=AbstractDevice(first.device_kind, None, first.platform))

    def update(self, devices=None, axis_names=None, axis_types=None):
        return Mesh(self.devices if devices is None else devices, axis_names or self.axis_names, axis_types or self.axis_types)

    def __str__(self):
        if self.empty:
            return "Mesh()"
        return f"Mesh({', '.join([f'{n!r}: {s}' for n, s in self.shape_tuple])}, axis_types={self.axis_types})"

    def __repr__(self):
        if self.empty:
            return "Mesh(axis_sizes=(), axis_names=())"
        return f"Mesh(axis_sizes={self.axis_sizes}, axis_names={self.axis_names!r}, axis_types={self.axis_types})"

    def __call__(self, func):
        from contextlib import ContextDecorator
        return ContextDecorator.__call__(self, func)

    def _recreate_cm(self):
        return self

    def __enter__(self):
        core.warn("`with mesh:` context manager has been deprecated. Please use `with jax.set_mesh(mesh):` instead.",
                  DeprecationWarning, stacklevel=2)
        _ENTERED.append(self)
        _tell_context()
        return self

    def __exit__(self, *error):
        _ENTERED.pop()
        _tell_context()
        return False


class AbstractDevice:
    def __init__(self, device_kind, num_cores, platform):
        self.device_kind, self.num_cores, self.platform = device_kind, num_cores, platform

    def _key(self):
        return self.device_kind, self.num_cores, self.platform

    def __eq__(self, other):
        return isinstance(other, AbstractDevice) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def _fields(self):
        return f"device_kind={self.device_kind}, num_cores={self.num_cores}, platform={self.platform}"

    def __repr__(self):
        return f"AbstractDevice({self._fields()})"


class AbstractMesh(_BaseMesh):
    _unmodelled = ("update_axis_types",)

    def __init__(self, axis_sizes, axis_names, axis_types=None, *, abstract_device=None):
        self.axis_sizes, self.axis_names = axis_sizes, axis_names
        self.axis_types = _axis_types(axis_names, axis_types, "AbstractMesh")
        self.abstract_device = abstract_device
        self.size = math.prod(axis_sizes) if axis_sizes else 0

    def _key(self):
        return self.axis_sizes, self.axis_names, self.axis_types, self.abstract_device

    @property
    def abstract_mesh(self):
        return self

    def update(self, axis_sizes=None, axis_names=None, axis_types=None, abstract_device=None):
        return AbstractMesh(axis_sizes or self.axis_sizes, axis_names or self.axis_names, axis_types or self.axis_types,
                            abstract_device=abstract_device or self.abstract_device)

    def __repr__(self):
        axes = ", ".join([f"{n!r}: {s}" for n, s in self.shape_tuple]) or "()"
        device = "" if self.abstract_device is None else f", {self.abstract_device._fields()}"
        return f"AbstractMesh({axes}, axis_types={self.axis_types}{device})"


# ------------------------------------------------------------------------------------------------------ the current mesh

_EMPTY = Mesh(core.empty_object_array(), ())
_EMPTY_ABSTRACT = AbstractMesh((), ())
_SET = [None]      # by `set_mesh`
_ENTERED = []      # by `with mesh:`


def empty_abstract_mesh():
    return _EMPTY_ABSTRACT


def context_mesh():
    """The mesh that a bare PartitionSpec refers to; an empty one where there is none."""
    return _SET[-1] or (_ENTERED[-1] if _ENTERED else _EMPTY)


def _tell_context():
    """The mesh that the program has set belongs to the keys of traces."""
    found = [repr(_SET[-1].abstract_mesh)] if _SET[-1] else []
    if _ENTERED:
        found.append(f"with {_ENTERED[-1]!r}")
    core.set_context_mesh(", ".join(found) or None, name_of(_SET[-1]) if _SET[-1] else None)


def name_of(mesh):
    """The mesh as the types of arrays over it name it."""
    axes = ", ".join([f"{n!r}: {s}" for n, s in mesh.shape_tuple])
    return f"Mesh({axes}, axis_types={mesh.axis_types})"


class set_mesh:
    def __init__(self, mesh):
        if core.is_unknown(mesh):
            # There is a mesh, whichever it is.
            self._before = _SET[-1]
            _SET[-1] = mesh
            return
        if mesh is not None and not isinstance(mesh, Mesh):
            raise ValueError(f"Expected mesh of type `jax.sharding.Mesh`. Got {type(mesh)}")
        if not core.trace_state_clean():
            raise ValueError("`set_mesh` can only be used outside of `jax.jit`.")
        from ._partition import arrays_lie_over_meshes
        arrays_lie_over_meshes()
        self._before = _SET[-1]
        _SET[-1] = mesh
        _tell_context()

    def __enter__(self):
        pass

    def __exit__(self, *error):
        _SET[-1] = self._before
        _tell_context()


def get_mesh():
    if not core.trace_state_clean():
        raise ValueError("`get_mesh` can only be used outside of `jax.jit`. Maybe you want `jax.sharding.get_abstract_mesh()`?")
    return _SET[-1] or _EMPTY


def get_abstract_mesh():
    return _SET[-1].abstract_mesh if _SET[-1] else _EMPTY_ABSTRACT


class use_abstract_mesh:
    def __init__(self, mesh):
        self.mesh = mesh

    def __enter__(self):
        _SET.append(self.mesh)
        _tell_context()
        return self.mesh

    def __exit__(self, *error):
        _SET.pop()
        _tell_context()


def make_mesh(axis_shapes, axis_names, axis_types=None, *, devices=None):
    devices = core.devices() if devices is None else devices
    shapes = list(axis_shapes)
    try:
        sizes = tuple([core.index(n) for n in shapes])
    except TypeError:
        raise ValueError(f"`axis_shapes` passed to `make_mesh` should be a sequence of ints. Got {axis_shapes}") from None
    count = math.prod(sizes)
    if count > len(devices):
        raise ValueError(f"Number of devices {len(devices)} must be >= the product of mesh_shape {sizes}")
    if count == 0:
        raise IndexError("list index out of range")
    if axis_types is None:
        axis_types = (AxisType.Explicit,) * len(sizes)
    return Mesh(core.numpy_array_of_any(list(devices[:count])).reshape(sizes), axis_names, axis_types=axis_types)
