"""`jax.scipy.spatial.transform`: rotations as quaternions, and paths between them."""
import functools
import re
from collections import namedtuple

from _jitlens import core

from ... import numpy as jnp


class Rotation(namedtuple("Rotation", "quat")):
    @classmethod
    def concatenate(cls, rotations):
        return cls(jnp.concatenate([rotation.quat for rotation in rotations]))

    @classmethod
    def from_euler(cls, seq, angles, degrees=False):
        intrinsic = re.match(r"^[XYZ]{1,3}$", seq) is not None
        extrinsic = re.match(r"^[xyz]{1,3}$", seq) is not None
        if not (intrinsic or extrinsic):
            raise ValueError(f"Expected axes from `seq` to be from ['x', 'y', 'z'] or ['X', 'Y', 'Z'], got {seq}")
        if any([seq[i] == seq[i + 1] for i in range(len(seq) - 1)]):
            raise ValueError(f"Expected consecutive axes to be different, got {seq}")
        angles = jnp.atleast_1d(angles)
        axes = jnp.array(["xyz".index(axis) for axis in seq.lower()])
        return cls(_from_euler(angles, axes, intrinsic, degrees))

    @classmethod
    def from_matrix(cls, matrix):
        return cls(_from_matrix(matrix))

    @classmethod
    def from_mrp(cls, mrp):
        return cls(_from_mrp(mrp))

    @classmethod
    def from_quat(cls, quat):
        return cls(_normalized(jnp.asarray(quat)))

    @classmethod
    def from_rotvec(cls, rotvec, degrees=False):
        return cls(_from_rotvec(rotvec, degrees))

    @classmethod
    def identity(cls, num=None, dtype=float):
        assert num is None
        return cls(jnp.array([0.0, 0.0, 0.0, 1.0], dtype=dtype))

    @classmethod
    def random(cls, random_key, num=None):
        raise NotImplementedError

    def __getitem__(self, indexer):
        if self.single:
            raise TypeError("Single rotation is not subscriptable.")
        return Rotation(self.quat[indexer])

    def __len__(self):
        if self.single:
            raise TypeError("Single rotation has no len().")
        return self.quat.shape[0]

    def __mul__(self, other):
        return Rotation(_composed(self.quat, other.quat))

    def apply(self, vectors, inverse=False):
        return _applied(self.as_matrix(), jnp.asarray(vectors), inverse)

    def as_euler(self, seq, degrees=False):
        if len(seq) != 3:
            raise ValueError(f"Expected 3 axes, got {seq}.")
        intrinsic = re.match(r"^[XYZ]{1,3}$", seq) is not None
        extrinsic = re.match(r"^[xyz]{1,3}$", seq) is not None
        if not (intrinsic or extrinsic):
            raise ValueError(f"Expected axes from `seq` to be from ['x', 'y', 'z'] or ['X', 'Y', 'Z'], got {seq}")
        if any([seq[i] == seq[i + 1] for i in range(2)]):
            raise ValueError(f"Expected consecutive axes to be different, got {seq}")
        return _as_euler(self.quat, ["xyz".index(axis) for axis in seq.lower()], extrinsic, degrees)

    def as_matrix(self):
        return _as_matrix(self.quat)

    def as_mrp(self):
        return _as_mrp(self.quat)

    def as_rotvec(self, degrees=False):
        return _as_rotvec(self.quat, degrees)

    def as_quat(self, canonical=False, scalar_first=False):
        quat = _canonical(self.quat) if canonical else self.quat
        return jnp.roll(quat, shift=1, axis=-1) if scalar_first else quat

    def inv(self):
        return Rotation(self.quat * jnp.array([-1, -1, -1, 1], dtype=self.quat.dtype))

    def magnitude(self):
        return _magnitude(self.quat)

    def mean(self, weights=None):
        w = jnp.ones(self.quat.shape[0], dtype=self.quat.dtype) if weights is None else jnp.asarray(weights, dtype=self.quat.dtype)
        if w.ndim != 1:
            raise ValueError(f"Expected `weights` to be 1 dimensional, got shape {w.shape}.")
        if w.shape[0] != self.quat.shape[0]:
            raise ValueError("Expected `weights` to have number of values equal to number of rotations, "
                             f"got {w.shape[0]} values and {self.quat.shape[0]} rotations.")
        sums = jnp.dot(w[None, :] * self.quat.T, self.quat)
        return Rotation(jnp.linalg.eigh(sums)[1][:, -1])

    @property
    def single(self):
        return self.quat.ndim == 1


class Slerp(namedtuple("Slerp", "times timedelta rotations rotvecs")):
    @classmethod
    def init(cls, times, rotations):
        if not isinstance(rotations, Rotation):
            raise TypeError("`rotations` must be a `Rotation` instance.")
        if rotations.single or len(rotations) == 1:
            raise ValueError("`rotations` must be a sequence of at least 2 rotations.")
        times = jnp.asarray(times, dtype=rotations.quat.dtype)
        if times.ndim != 1:
            raise ValueError(f"Expected times to be specified in a 1 dimensional array, got {times.ndim} dimensions.")
        if times.shape[0] != len(rotations):
            raise ValueError("Expected number of rotations to be equal to number of timestamps given, "
                             f"got {len(rotations)} rotations and {times.shape[0]} timestamps.")
        return cls(times, jnp.diff(times), rotations[:-1], (rotations[:-1].inv() * rotations[1:]).as_rotvec())

    def __call__(self, times):
        at = jnp.asarray(times, dtype=self.times.dtype)
        if at.ndim > 1:
            raise ValueError("`times` must be at most 1-dimensional.")
        single = at.ndim == 0
        at = jnp.atleast_1d(at)
        i = jnp.maximum(jnp.searchsorted(self.times, at) - 1, 0)
        part = (at - self.times[i]) / self.timedelta[i]
        found = self.rotations[i] * Rotation.from_rotvec(self.rotvecs[i] * part[:, None])
        return found[0] if single else found


# ----------------------------------------------------------------------------------------------------- one rotation

@functools.partial(jnp.vectorize, signature="(m,m),(m),()->(m)")
def _applied(matrix, vector, inverse):
    return jnp.where(inverse, matrix.T, matrix) @ vector


@functools.partial(jnp.vectorize, signature="(m)->(n,n)")
def _as_matrix(quat):
    x, y, z, w = quat[0], quat[1], quat[2], quat[3]
    return jnp.array([[x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)],
                      [2 * (x * y + z * w), -x * x + y * y - z * z + w * w, 2 * (y * z - x * w)],
                      [2 * (x * z - y * w), 2 * (y * z + x * w), -x * x - y * y + z * z + w * w]])


@functools.partial(jnp.vectorize, signature="(m)->(n)")
def _as_mrp(quat):
    sign = jnp.where(quat[3] < 0, -1.0, 1.0)
    return sign * quat[:3] / (1.0 + sign * quat[3])


@functools.partial(jnp.vectorize, signature="(m),()->(n)")
def _as_rotvec(quat, degrees):
    quat = jnp.where(quat[3] < 0, -quat, quat)
    angle = 2.0 * jnp.arctan2(_length(quat[:3]), quat[3])
    square = angle * angle
    small = 2 + square / 12 + 7 * square * square / 2880
    large = angle / jnp.sin(angle / 2)
    scale = jnp.where(angle <= 1e-3, small, large)
    scale = jnp.where(degrees, jnp.rad2deg(scale), scale)
    return scale * quat[:3]


@functools.partial(jnp.vectorize, signature="(n)->(n)")
def _canonical(quat):
    """The one of the two that a comparison of parts, from the scalar on, puts first."""
    sign = jnp.where(quat[3] != 0, jnp.sign(quat[3]),
                     jnp.where(quat[0] != 0, jnp.sign(quat[0]), jnp.where(quat[1] != 0, jnp.sign(quat[1]), jnp.sign(quat[2]))))
    return jnp.where(sign < 0, -quat, quat)


@functools.partial(jnp.vectorize, signature="(n),(n)->(n)")
def _composed(p, q):
    cross = jnp.cross(p[:3], q[:3])
    quat = jnp.array([p[3] * q[0] + q[3] * p[0] + cross[0], p[3] * q[1] + q[3] * p[1] + cross[1],
                      p[3] * q[2] + q[3] * p[2] + cross[2], p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]])
    return _normalize(quat)


@functools.partial(jnp.vectorize, signature="(m),(l),(),()->(n)")
def _from_euler(angles, axes, intrinsic, degrees):
    angles = jnp.where(degrees, jnp.deg2rad(angles), angles)

    def elementary(i):
        half = angles[i] / 2
        return jnp.zeros(4, dtype=half.dtype).at[3].set(jnp.cos(half)).at[axes[i]].set(jnp.sin(half))

    result = elementary(0)
    for i in range(1, axes.shape[0]):
        quat = elementary(i)
        result = jnp.where(intrinsic, _composed(result, quat), _composed(quat, result))
    if angles.shape[0] != axes.shape[0]:
        raise ValueError(f"Expected one angle for each axis, got {angles.shape[0]} angles.")
    return result


@functools.partial(jnp.vectorize, signature="(n,n)->(m)")
def _from_matrix(matrix):
    trace = matrix[0, 0] + matrix[1, 1] + matrix[2, 2]
    sizes = jnp.array([matrix[0, 0], matrix[1, 1], matrix[2, 2], trace])
    i = jnp.argmax(sizes)
    j, k = (i + 1) % 3, (i + 2) % 3
    first = jnp.zeros(4, dtype=matrix.dtype)
    first = first.at[i].set(1 - sizes[3] + 2 * matrix[i, i])
    first = first.at[j].set(matrix[j, i] + matrix[i, j])
    first = first.at[k].set(matrix[k, i] + matrix[i, k])
    first = first.at[3].set(matrix[k, j] - matrix[j, k])
    second = jnp.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1], 1 + sizes[3]])
    return _normalize(jnp.where(i != 3, first, second))


@functools.partial(jnp.vectorize, signature="(m)->(n)")
def _from_mrp(mrp):
    square = jnp.dot(mrp, mrp)
    return jnp.append(2 * mrp, 1 - square) / (1 + square)


@functools.partial(jnp.vectorize, signature="(m),()->(n)")
def _from_rotvec(rotvec, degrees):
    rotvec = jnp.where(degrees, jnp.deg2rad(rotvec), rotvec)
    angle = _length(rotvec)
    square = angle * angle
    scale = jnp.where(angle <= 1e-3, 0.5 - square / 48 + square * square / 3840, jnp.sin(angle / 2) / angle)
    return jnp.append(scale * rotvec, jnp.cos(angle / 2))


@functools.partial(jnp.vectorize, signature="(n)->()")
def _magnitude(quat):
    return 2.0 * jnp.arctan2(_length(quat[:3]), jnp.abs(quat[3]))


def _length(vector):
    return jnp.sqrt(jnp.dot(vector, vector))


def _normalize(quat):
    return quat / _length(quat)


@functools.partial(jnp.vectorize, signature="(n)->(n)")
def _normalized(quat):
    return _normalize(quat)


def _as_euler(quat, axes, extrinsic, degrees):
    """Bernardes and Viollet: three angles from a quaternion, whatever the order of the axes."""
    i, j, k = axes if extrinsic else axes[::-1]
    symmetric = i == k
    if symmetric:
        k = 3 - i - j
    sign = (i - j) * (j - k) * (k - i) // 2
    x, y, z, w = [quat[..., n] for n in (i, j, k, 3)]
    if symmetric:
        a, b, c, d = w, x, y, z * sign
    else:
        a, b, c, d = w - y, x + z * sign, y + w, z * sign - x
    middle = 2 * jnp.arctan2(jnp.hypot(c, d), jnp.hypot(a, b))
    half_sum, half_difference = jnp.arctan2(b, a), jnp.arctan2(d, c)
    close = 1e-7
    at_zero, at_end = jnp.abs(middle) <= close, jnp.abs(middle - jnp.pi) <= close
    first, last = half_sum - half_difference, half_sum + half_difference
    if not extrinsic:
        first, last = last, first
    one = jnp.where(at_zero, 2 * half_sum, jnp.where(at_end, (-2 if extrinsic else 2) * half_difference, first if extrinsic else last))
    other = jnp.where(at_zero | at_end, 0.0, last if extrinsic else first)
    if not symmetric:
        other = other * sign
        middle = middle - jnp.pi / 2
    angles = jnp.stack([one, middle, other] if extrinsic else [other, middle, one], axis=-1)
    angles = (angles + jnp.pi) % (2 * jnp.pi) - jnp.pi
    return jnp.rad2deg(angles) if degrees else angles
