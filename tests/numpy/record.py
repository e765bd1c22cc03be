"""Records what NumPy's functions give, by type: `python3 record.py > types.json`.

Each row is an expression over the arrays `B i1 … F` (one of each type, 2×3) and the scalars of NumPy and Python, with what comes
out: `array` or `scalar`, dtype, shape; or the class of the exception.
"""
import json
import warnings

import numpy as np

warnings.simplefilter("ignore")
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
          "complex64", "complex128"]
ARRAYS = {d: np.array([[1, 0, 1], [1, 1, 0]]).astype(d) for d in DTYPES}
SETUP = ["import numpy as np"] + [f"{d}_ = np.array([[1, 0, 1], [1, 1, 0]]).astype('{d}')" for d in DTYPES]


def expressions():
    some = ["bool", "int8", "int32", "int64", "uint8", "uint32", "uint64", "float16", "float32", "float64", "complex64"]
    for op in ("+", "*", "-", "/", "//", "**"):
        for a, b in (("int8", "uint8"), ("int32", "float32"), ("int64", "uint64"), ("int16", "float16"), ("bool", "int8"), ("bool", "bool"),
                     ("float32", "complex64"), ("int64", "complex64"), ("uint32", "int32"), ("float32", "float64"), ("int8", "int8"),
                     ("uint8", "uint8"), ("float16", "float32")):
            yield f"{a}_ {op} {b}_"
        for d in some:
            for scalar in ("2", "2.5", "1j", "True"):
                if op in "+/" or d in ("bool", "float32", "int32"):
                    yield f"{d}_ {op} {scalar}"
    for d in some:
        for f in ("sqrt", "exp", "sin", "log1p", "floor", "rint", "absolute", "sign", "square", "reciprocal", "isnan", "logical_not",
                  "negative", "invert", "conjugate", "signbit", "cbrt", "deg2rad"):
            yield f"np.{f}({d}_)"
        for f in ("sum", "prod", "mean", "var", "std", "min", "max", "any", "all", "argmax", "cumsum", "cumprod", "ptp", "median", "average",
                  "count_nonzero", "nansum", "nanmean", "diff", "sort", "argsort", "unique", "trace", "real", "imag", "angle"):
            yield f"np.{f}({d}_)"
        yield f"{d}_.sum(axis=0)"
        yield f"{d}_.mean(1, keepdims=True)"
        yield f"np.linspace(0, {d}_[0, 0], 5)"
        yield f"np.full(3, {d}_[0, 0])"
        yield f"np.where({d}_, {d}_, 0)"
        yield f"np.where({d}_ > 0, 1.5, {d}_)" if d != "complex64" else f"np.where({d}_, 1.5, {d}_)"
        yield f"np.clip({d}_, 0, 2)" if d != "complex64" else f"np.square({d}_)"
        yield f"np.concatenate([{d}_, float32_])"
        yield f"np.dot({d}_, {d}_.T)"
        yield f"{d}_ @ {d}_.T"
        yield f"np.arctan2({d}_, {d}_)"
        yield f"np.maximum({d}_, 1)"
        yield f"np.logaddexp({d}_, 1.0)"
        yield f"np.add({d}_, {d}_[0, 0])"
        yield f"np.{d if d != 'bool' else 'bool_'}(1) + 1"
        yield f"np.{d if d != 'bool' else 'bool_'}(1) * 2.5"
        yield f"-{d}_"
        yield f"~{d}_"
        yield f"{d}_ << 1"
        yield f"{d}_ % 2"
        yield f"abs({d}_)"
        yield f"np.interp({d}_, [0, 1], [2, 3])"
        yield f"np.outer({d}_[0], int8_[0])"
        yield f"np.einsum('ij,ij->i', {d}_, {d}_)"
        yield f"np.histogram({d}_)[0]"
        yield f"np.linalg.norm({d}_)"
        yield f"np.fft.fft({d}_)"
        yield f"np.array([{d}_[0, 0], 1])"
        yield f"np.stack([{d}_, int32_])"
        yield f"np.pad({d}_, 1)"
        yield f"np.searchsorted({d}_[0], 1)"
        yield f"np.round({d}_, 1)"
        yield f"divmod({d}_, 2)[0]"
        yield f"np.ones_like({d}_)"
        yield f"np.nan_to_num({d}_)"
        yield f"np.tensordot({d}_, {d}_)"
    for e in ("np.arange(3)", "np.arange(3.0)", "np.arange(0, 1, 0.25)", "np.arange(3, dtype='int8')", "np.linspace(0, 1, 5)",
              "np.linspace(0, 10, 5, dtype=int)", "np.logspace(0, 2, 3)", "np.geomspace(1, 8, 4)", "np.eye(3)", "np.identity(2, int)",
              "np.zeros((2, 3))", "np.ones(2, int)", "np.full(2, 7)", "np.full(2, 7.0)", "np.full(2, True)", "np.empty(3)", "np.array([1, 2.5])",
              "np.array([True, 2])", "np.array([[1], [2]], np.float32)", "np.array(3)", "np.array([])", "np.meshgrid([1, 2], [1, 2, 3])[0]",
              "np.tri(3)", "np.diag([1, 2])", "np.bincount([1, 2, 2])", "np.bincount([1, 2], [0.5, 1])", "np.indices((2, 3))", "np.hanning(5)",
              "np.vander([1, 2, 3])", "np.polyfit([0., 1, 2], [1., 3, 5], 1)", "np.polyval([1, 2], 3)", "np.roots([1, 0, -1])",
              "np.cov(float64_)", "np.corrcoef(float64_)", "np.percentile(int32_, 50)", "np.quantile(float32_, [0.1, 0.5])",
              "np.digitize([0.5, 1.5], [0, 1, 2])", "np.cross([1, 2, 3], [4, 5, 6])", "np.kron([1, 2], [1, 1])", "np.convolve([1, 2], [1, 1.5])",
              "np.gradient(np.arange(4.0))", "np.trapezoid([1, 2, 3])", "np.isin([1, 2], [2])", "np.union1d([1], [2])", "np.ix_([0, 1], [0])[0]",
              "np.unravel_index(3, (2, 3))[0]", "np.nonzero(int8_)[0]", "np.argwhere(int8_)", "np.flatnonzero(int8_)", "np.tril(int8_)",
              "np.repeat([1, 2], 2)", "np.tile([1, 2], 2)", "np.roll(int8_, 1)", "np.take(int8_, [0, 1])", "np.choose([0, 1], [[1, 2], [3, 4]])",
              "np.select([int8_ > 0], [int8_], 0.5)", "np.piecewise(float64_, [float64_ < 1], [0, 1])", "np.heaviside(float32_, 0.5)",
              "np.ldexp(float32_, 2)", "np.frexp(float32_)[1]", "np.modf(float32_)[0]", "np.gcd(4, 6)", "np.hypot(3, 4)", "np.float32(1) + 1.5",
              "np.float32(1) + np.float64(1)", "np.int8(1) + np.int32(1)", "np.sqrt(4)", "np.sin(1)", "np.add(1, 2)", "np.abs(-3)", "np.sum([1, 2])",
              "np.mean([1, 2])", "np.linalg.inv([[1, 0], [0, 1]])", "np.linalg.det(float32_[:, :2])", "np.linalg.solve([[2, 0], [0, 1]], [1, 2])",
              "np.linalg.eigh(np.eye(2))[0]", "np.linalg.svd(float32_)[0]", "np.linalg.qr(float64_)[0]", "np.linalg.matrix_rank(float64_)",
              "np.fft.rfft(float64_)", "np.fft.fftfreq(4)", "np.fft.ifft(float64_)", "np.array(1.0) + 1", "np.array(1) * np.ones(2)",
              "np.array(1.0)[()]", "np.ones(2)[...]", "float64_[0, 0]", "float64_[0, ...]", "float64_[0, 0, ...]", "float64_[None]",
              "float64_[:, [0, 2]]", "float64_[float64_ > 0]", "np.array(2.0).astype('float32')", "np.float64(2).astype('float32')",
              "np.sum(float64_, keepdims=True)", "np.apply_along_axis(np.sum, 1, float64_)", "np.vectorize(float)([1, 2])", "np.squeeze(np.ones((1, 1)))",
              "np.max(int8_, axis=0)", "np.argmax(float64_, axis=1)", "np.concatenate([[1], [2.5]])", "np.append([1], 2.5)", "np.insert([1, 2], 0, 3)",
              "np.delete([1, 2, 3], 1)", "np.lexsort(([1, 2], [2, 1]))", "np.unique([1, 1, 2], return_counts=True)[1]",
              "np.histogram([1, 2])[1]", "np.ptp([1, 5])", "np.cumsum([True, False])", "np.busday_count"):
        yield e


def describe(expression):
    try:
        value = eval(expression, {"np": np, **{f"{d}_": a for d, a in ARRAYS.items()}})
    except Exception as error:
        return f"raises {type(error).__name__}"
    if isinstance(value, np.ndarray):
        return f"array {value.dtype} {value.shape}"
    if isinstance(value, np.generic):
        return f"scalar {value.dtype} ()"
    return f"python {type(value).__name__}"


if __name__ == "__main__":
    rows = [[e, describe(e)] for e in dict.fromkeys(expressions())]
    print("[" + ",\n".join(json.dumps(row) for row in rows) + "]")
