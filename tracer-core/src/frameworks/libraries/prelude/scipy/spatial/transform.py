"""`scipy.spatial.transform`: rotations, one or a stack of them; their numbers are not known."""

import numpy as np
from _jitlens import core
from _jitlens.python import unknown
from numpy.random._given import lose

from .. import _arrays
from .._arrays import numbers, opaque

__getattr__ = _arrays.unmodelled("scipy.spatial.transform")


def _many(x, last):
    """A rotation for what has the axes of one, and a stack of them for what has one more."""
    x = numbers(x)
    batch = x.ndim - len(last)
    if x.dtype.kind == "c" or batch not in (0, 1) or x.shape[batch:] != last:
        return core.unknown("rotations of these numbers")
    return Rotation(x.shape[:batch])


class Rotation:
    def __init__(self, batch):
        self._batch = batch if isinstance(batch, tuple) else core.unknown("rotations of these numbers")

    @classmethod
    def from_quat(cls, quat, **options):
        return _many(quat, (4,))

    @classmethod
    def from_matrix(cls, matrix, **options):
        return _many(matrix, (3, 3))

    @classmethod
    def from_rotvec(cls, rotvec, degrees=False):
        return _many(rotvec, (3,))

    @classmethod
    def from_euler(cls, seq, angles, degrees=False):
        return Rotation(()) if len(seq) == 1 and np.ndim(angles) == 0 else _many(angles, (len(seq),)) if len(seq) > 1 or np.ndim(angles) == 2 \
            else core.unknown("rotations about one axis")

    @classmethod
    def random(cls, num=None, rng=None, **options):
        lose(options.get("random_state", rng))
        return Rotation(() if num is None else (int(num),))

    @classmethod
    def identity(cls, num=None):
        return Rotation(() if num is None else (int(num),))

    align_vectors = concatenate = from_davenport = from_mrp = create_group = unknown("", "a rotation that is not modelled")

    def _as(self, *last):
        return opaque(self._batch + last, "float64")

    def as_matrix(self):
        return self._as(3, 3)

    def as_quat(self, canonical=False, *, scalar_first=False):
        return self._as(4)

    def as_rotvec(self, degrees=False):
        return self._as(3)

    def as_euler(self, seq, degrees=False, **options):
        return self._as(3)

    def magnitude(self):
        return self._as()

    def inv(self):
        return Rotation(self._batch)

    def apply(self, vectors, inverse=False):
        v = numbers(vectors)
        if v.ndim not in (1, 2) or v.shape[-1] != 3 or v.dtype.name not in ("float64", "float32", "int64"):
            return core.unknown("vectors that are none")
        return opaque(np.broadcast_shapes(self._batch, v.shape[:-1]) + (3,), "float64")

    def __mul__(self, other):
        return Rotation(np.broadcast_shapes(self._batch, other._batch)) if isinstance(other, Rotation) else NotImplemented

    def __len__(self):
        return self._batch[0] if self._batch else core.unknown("the length of one rotation")

    def __getitem__(self, at):
        return Rotation(np.zeros(self._batch, bool)[at].shape) if self._batch else core.unknown("a part of one rotation")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("", f"`Rotation.{name}` is not modelled")
