"""A basis of polynomials, by the recurrence `p[k+1] = (a(k) x + b(k)) p[k] - c(k) p[k-1]` (Abramowitz & Stegun, table 22.7).

Series are arrays of coefficients, lowest first, along the first axis; all that the six modules beside this file do with
them follows from `a`, `b` and `c`.
"""
import operator

import numpy as np

from . import polyutils as pu


class Basis:
    """`first`: the factors of `p[1] = first[0] + first[1] x`; `domain`: where the polynomials are orthogonal."""

    def __init__(self, prefix, domain, first, a, b, c):
        self.prefix, self.first = prefix, first
        self.domain = np.array(domain)
        self._a, self._b, self._c = a, b, c

    def rule(self, k):
        """`(a, b, c)` of the step from `p[k]` to `p[k+1]`."""
        if k == 0:
            return self.first[1], self.first[0], 0
        return self._a(k), self._b(k), self._c(k)

    # Values.

    def steps(self, x, count):
        """`p[0](x)` to `p[count-1](x)`."""
        values = []
        for k in range(count):
            if k == 0:
                values.append(x * 0 + 1)
                continue
            a, b, c = self.rule(k - 1)
            value = values[-1] * (a * x)
            if b:
                value = value + b * values[-1]
            if c:
                value = value - c * values[-2]
            values.append(value)
        return values

    def val(self, x, c, tensor=True):
        c = np.array(c, ndmin=1)
        if c.dtype.kind in "?bBhHiIlLqQpPu":
            c = c.astype(np.double)
        if isinstance(x, (tuple, list)):
            x = np.asarray(x)
        if isinstance(x, np.ndarray) and tensor:
            c = c.reshape(c.shape + (1,) * x.ndim)
        # Clenshaw: from the highest coefficient down.
        upper, lower = c[-1] + x * 0, None
        for k in range(len(c) - 2, -1, -1):
            a, b, _ = self.rule(k)
            value = c[k] + upper * (a * x)
            if b:
                value = value + b * upper
            behind = self.rule(k + 1)[2]
            if lower is not None and behind:
                value = value - behind * lower
            upper, lower = value, upper
        return upper

    def valnd(self, c, *args):
        args = [np.asanyarray(a) for a in args]
        if any(a.shape != args[0].shape for a in args[1:]):
            names = {2: "x, y are incompatible", 3: "x, y, z are incompatible"}
            raise ValueError(names.get(len(args), "ordinates are incompatible"))
        c = self.val(args[0], c)
        for x in args[1:]:
            c = self.val(x, c, tensor=False)
        return c

    def gridnd(self, c, *args):
        for x in args:
            c = self.val(x, c)
        return c

    def vander(self, x, deg):
        deg = pu.as_int(deg, "deg")
        if deg < 0:
            raise ValueError("deg must be non-negative")
        x = np.array(x, copy=None, ndmin=1) + 0.0
        return np.moveaxis(np.stack(self.steps(x, deg + 1)), 0, -1)

    def vandernd(self, points, degrees):
        points = np.asarray(tuple(points)) + 0.0
        flat = None
        for x, deg in zip(points, degrees):
            one = self.vander(x, deg)
            flat = one if flat is None else (flat[..., :, None] * one[..., None, :]).reshape(x.shape + (-1,))
        return flat

    # Arithmetic of series.

    def mulx(self, c):
        [c] = pu.as_series([c])
        return pu.trimseq(self._times_x(c))

    def _times_x(self, c):
        count = len(c)
        parts = [0.0] * (count + 1)
        for k in range(count):
            a, b, behind = self.rule(k)
            parts[k + 1] = parts[k + 1] + c[k] / a
            if b:
                parts[k] = parts[k] - c[k] * b / a
            if behind:
                parts[k - 1] = parts[k - 1] + c[k] * behind / a
        return np.array(parts) if all(isinstance(p, float) for p in parts) else np.stack([p + c[0] * 0 for p in parts])

    def mul(self, c1, c2):
        c1, c2 = pu.as_series([c1, c2])
        before, now = None, c2
        total = c1[0] * c2
        for k in range(1, len(c1)):
            a, b, behind = self.rule(k - 1)
            after = a * self._times_x(now)
            if b:
                after = pu.plain_add(after, b * now)
            if behind:
                after = pu.plain_add(after, -behind * before)
            before, now = now, after
            total = pu.plain_add(total, c1[k] * now)
        return pu.trimseq(total)

    def div(self, c1, c2):
        c1, c2 = pu.as_series([c1, c2])
        if c2[-1] == 0:
            raise ZeroDivisionError
        if len(c1) < len(c2):
            return c1[:1] * 0, c1
        if len(c2) == 1:
            return c1 / c2[-1], c1[:1] * 0
        count = len(c1) - len(c2) + 1
        quotient, rest = [0.0] * count, c1
        for i in range(count - 1, -1, -1):
            unit = np.array([0.0] * i + [1.0])
            part = self.mul(unit, c2)
            factor = rest[-1] / part[-1]
            rest = rest[:-1] - factor * part[:-1]
            quotient[i] = factor
        return np.stack(quotient), pu.trimseq(rest)

    def pow(self, c, pow, maxpower=16):
        [c] = pu.as_series([c])
        power = pu.as_int(pow, "power")
        if power != pow or power < 0:
            raise ValueError("Power must be a non-negative integer.")
        if maxpower is not None and power > maxpower:
            raise ValueError("Power is too large")
        if power == 0:
            return np.array([1], dtype=c.dtype)
        result = c
        for _ in range(power - 1):
            result = self.mul(result, c)
        return result

    def fromroots(self, roots):
        if len(roots) == 0:
            return np.ones(1)
        [roots] = pu.as_series([roots], trim=False)
        result = None
        for root in np.sort(roots):
            factor = self.line(-root, 1)
            result = factor if result is None else self.mul(result, factor)
        return result

    def line(self, off, scl):
        if scl == 0:
            return np.array([off])
        first, second = self.first
        slope = scl * second if abs(second) == 1 else scl / second
        return np.array([off - slope * first if first else off, slope])

    # To and from powers of `x`.

    def from_powers(self, pol):
        [pol] = pu.as_series([pol])
        result = pol[-1:]
        for k in range(len(pol) - 2, -1, -1):
            result = pu.plain_add(self._times_x(result), pol[k:k + 1])
        return result

    def to_powers(self, c):
        [c] = pu.as_series([c])
        before, now = None, np.array([1.0])
        total = c[0] * now
        for k in range(1, len(c)):
            a, b, behind = self.rule(k - 1)
            after = pu.plain_add(np.concatenate([[0.0], a * now]), b * now)
            if behind:
                after = pu.plain_add(after, -behind * before)
            before, now = now, after
            total = pu.plain_add(total, c[k] * now)
        return total

    # Derivatives and integrals.

    def _derivatives(self, count):
        """Series of the derivatives of `p[0]` to `p[count-1]`."""
        made = [np.zeros(1)]
        for k in range(1, count):
            a, b, behind = self.rule(k - 1)
            unit = np.array([0.0] * (k - 1) + [float(a)])
            series = pu.plain_add(unit, a * self._times_x(made[-1]))
            if b:
                series = pu.plain_add(series, b * made[-1])
            if behind:
                series = pu.plain_add(series, -behind * made[-2])
            made.append(series[:k])
        return made

    def der(self, c, m=1, scl=1, axis=0):
        c, count, axis = self._prepared(c, m, axis, "derivation")
        if count == 0:
            return c
        c = np.moveaxis(c, axis, 0)
        if count >= len(c):
            return np.moveaxis(c[:1] * 0, 0, axis)
        for _ in range(count):
            rows = self._derivatives(len(c))
            matrix = np.stack([np.concatenate([row, np.zeros(len(c) - 1 - len(row))]) for row in rows[1:]], axis=1)
            c = np.tensordot(matrix, c[1:] * scl, axes=1)
        return np.moveaxis(c, 0, axis)

    def int(self, c, m=1, k=[], lbnd=0, scl=1, axis=0):
        c, count, axis = self._prepared(c, m, axis, "integration")
        constants = list(k) if np.iterable(k) else [k]
        if len(constants) > count:
            raise ValueError("Too many integration constants")
        if np.ndim(lbnd) != 0:
            raise ValueError("lbnd must be a scalar.")
        if np.ndim(scl) != 0:
            raise ValueError("scl must be a scalar.")
        if count == 0:
            return c
        c = np.moveaxis(c, axis, 0)
        for constant in constants + [0] * (count - len(constants)):
            c = self._integral(c * scl, constant, lbnd)
        return np.moveaxis(c, 0, axis)

    def _integral(self, c, constant, lbnd):
        count = len(c)
        rows = self._derivatives(count + 1)
        rest, made = [c[i] for i in range(count)], [None] * (count + 1)
        for k in range(count, 0, -1):
            row = rows[k]
            made[k] = rest[k - 1] / row[k - 1]
            for i in range(k - 1):
                rest[i] = rest[i] - made[k] * row[i]
        made[0] = c[0] * 0
        whole = np.stack(made)
        shift = constant - self.val(lbnd, whole)
        return np.concatenate([whole[:1] + shift, whole[1:]])

    @staticmethod
    def _prepared(c, m, axis, what):
        c = np.array(c, ndmin=1, copy=True)
        if c.dtype.kind in "?bBhHiIlLqQpPu":
            c = c.astype(np.double)
        count = pu.as_int(m, f"the order of {what}")
        axis = pu.as_int(axis, "the axis")
        if count < 0:
            raise ValueError(f"The order of {what} must be non-negative")
        if not -c.ndim <= axis < c.ndim:
            raise np.exceptions.AxisError(f"axis {axis} is out of bounds for array of dimension {c.ndim}")
        return c, count, axis % c.ndim

    # Fits, roots and quadrature.

    def fit(self, x, y, deg, rcond=None, full=False, w=None):
        x, y, deg = np.asarray(x) + 0.0, np.asarray(y) + 0.0, np.asarray(deg)
        if deg.ndim > 1 or deg.dtype.kind not in "iu" or deg.size == 0:
            raise TypeError("deg must be an int or non-empty 1-D array of int")
        if deg.min() < 0:
            raise ValueError("expected deg >= 0")
        if x.ndim != 1:
            raise TypeError("expected 1D vector for x")
        if x.size == 0:
            raise TypeError("expected non-empty vector for x")
        if y.ndim < 1 or y.ndim > 2:
            raise TypeError("expected 1D or 2D array for y")
        if len(x) != len(y):
            raise TypeError("expected x and y to have same length")
        most = int(deg) if deg.ndim == 0 else int(deg.max())
        matrix = self.vander(x, most)
        terms = None if deg.ndim == 0 else np.sort(deg)
        if terms is not None:
            matrix = matrix[:, terms]
        target = y
        if w is not None:
            w = np.asarray(w) + 0.0
            if w.ndim != 1:
                raise TypeError("expected 1D vector for w")
            if len(x) != len(w):
                raise TypeError("expected x and w to have same length")
            matrix, target = matrix * w[:, None], (target.T * w).T
        rcond = len(x) * np.finfo(x.dtype).eps if rcond is None else rcond
        scale = np.sqrt(np.square(np.abs(matrix)).sum(0))
        scale = np.where(scale == 0, 1, scale)
        c, residuals, rank, singular = np.linalg.lstsq(matrix / scale, target, rcond)
        c = (c.T / scale).T
        if terms is not None:
            whole = np.zeros((most + 1,) + c.shape[1:], dtype=c.dtype)
            whole[terms] = c
            c = whole
        return (c, [residuals, rank, singular, rcond]) if full else c

    def roots(self, c):
        [c] = pu.as_series([c])
        count = len(c) - 1
        if count < 1:
            return np.array([], dtype=c.dtype)
        if count == 1:
            first, second = self.first
            return np.array([(-c[0] / c[1] - first) / second])
        columns = []
        for k in range(count):
            column = self._times_x(np.array([0.0] * k + [1.0]))
            if k == count - 1:
                column = column[:-1] - c[:-1] / c[-1] * column[-1]
            columns.append(pu.plain_add(column, np.zeros(count)))
        return np.sort(np.linalg.eigvals(np.stack(columns, axis=1)))

    def gauss(self, deg, norm):
        """Points and weights of the quadrature with `deg` points; `norm`: the integral of the weight."""
        count = pu.as_int(deg, "deg")
        if count <= 0:
            raise ValueError("deg must be a positive integer")
        # The eigenvalues of the Jacobi matrix (Golub and Welsch); its squared first components are the weights.
        rules = [self.rule(k) for k in range(count)]
        diagonal = np.array([-float(b) / a for a, b, _ in rules])
        beside = np.array([(c / (a * rules[k][0])) ** 0.5 for k, (a, _, c) in enumerate(rules[1:])])
        x, vectors = np.linalg.eigh(np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1))
        return x, norm * vectors[0] ** 2
