"""`jax.scipy.interpolate`: values between the points of a grid."""
import itertools
import math

from _jitlens import core

from .. import numpy as jnp
from ..tree_util import register_pytree_node


class RegularGridInterpolator:
    def __init__(self, points, values, method="linear", bounds_error=False, fill_value=math.nan):
        if method not in ("linear", "nearest"):
            raise ValueError(f"method {method!r} is not defined")
        self.method, self.bounds_error = method, bounds_error
        if self.bounds_error:
            raise NotImplementedError("`bounds_error` takes no effect under JIT")
        core.check_arraylike("RegularGridInterpolator", values)
        if len(points) > values.ndim:
            raise ValueError(f"there are {len(points)} point arrays, but values has {values.ndim} dimensions")
        values, = core.promote_dtypes_inexact(jnp.asarray(values))
        if fill_value is not None:
            core.check_arraylike("RegularGridInterpolator", fill_value)
            fill_value = jnp.asarray(fill_value)
        self.values, self.fill_value = values, fill_value
        for p in points:
            core.check_arraylike("RegularGridInterpolator", p)
        self.grid = tuple([jnp.asarray(p) for p in points])

    def __call__(self, xi, method=None):
        method = self.method if method is None else method
        if method not in ("linear", "nearest"):
            raise ValueError(f"method {method!r} is not defined")
        ndim = len(self.grid)
        if isinstance(xi, tuple) and len(xi) == 1:
            xi = xi[0]
        if isinstance(xi, tuple):
            xi = jnp.stack(jnp.broadcast_arrays(*[jnp.asarray(x) for x in xi]), axis=-1)
        elif isinstance(xi, str):
            xi = jnp.asarray(xi)
        else:
            core.check_arraylike("_ndim_coords_from_arrays", xi)
            xi = jnp.asarray(xi)
            if xi.ndim == 1:
                xi = xi.reshape(-1, ndim)
        if xi.shape[-1] != ndim:
            raise ValueError(f"the requested sample points xi have dimension {xi.shape[-1]}, but this RegularGridInterpolator has dimension {ndim}")
        shape = xi.shape
        columns = xi.reshape(-1, shape[-1]).T
        indices, fractions, outside = [], [], jnp.zeros(columns.shape[1], dtype=bool)
        for x, grid in zip(columns, self.grid):
            i = jnp.searchsorted(grid, x, side="right") - 1
            i = jnp.where(i < 0, 0, jnp.where(i > grid.size - 2, grid.size - 2, i))
            indices.append(i)
            fractions.append((x - grid[i]) / (grid[i + 1] - grid[i]))
            if not self.bounds_error:
                outside = outside | (x < grid[0]) | (x > grid[-1])
        found = (self._linear if method == "linear" else self._nearest)(indices, fractions)
        if self.fill_value is not None:
            aside = (slice(None),) + (None,) * (self.values.ndim - ndim)
            found = jnp.where(outside[aside], self.fill_value, found)
        return found.reshape(shape[:-1] + self.values.shape[ndim:])

    def _linear(self, indices, fractions):
        aside = (slice(None),) + (None,) * (self.values.ndim - len(indices))
        total = jnp.asarray(0.0)
        for corner in itertools.product(*[((i, 1 - f), (i + 1, f)) for i, f in zip(indices, fractions)]):
            weight = jnp.asarray(1.0)
            for _, w in corner:
                weight = weight * w
            total = total + self.values[tuple([i for i, _ in corner])] * weight[aside]
        return total

    def _nearest(self, indices, fractions):
        return self.values[tuple([jnp.where(f <= 0.5, i, i + 1) for i, f in zip(indices, fractions)])]


def _made(settings, children):
    made = object.__new__(RegularGridInterpolator)
    made.method, made.bounds_error = settings
    made.grid, made.values, made.fill_value = children
    return made


register_pytree_node(RegularGridInterpolator, lambda x: ((x.grid, x.values, x.fill_value), (x.method, x.bounds_error)), _made)
