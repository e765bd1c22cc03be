"""`jnp.linalg`, `jnp.fft`, set operations and what is left of `jnp`."""
import jax
import jax.numpy as jnp
import numpy as np
from check import array, prelude, weak


def cases(C):
    ours = prelude("numpy")

    def call(name, *args, **kwargs):
        C.call(name, getattr(ours, name), getattr(jnp, name), *args, **kwargs)

    def lin(name, *args, **kwargs):
        C.call("linalg." + name, getattr(ours.linalg, name), getattr(jnp.linalg, name), *args, **kwargs)

    def four(name, *args, **kwargs):
        C.call("fft." + name, getattr(ours.fft, name), getattr(jnp.fft, name), *args, **kwargs)

    def square(dtype, n, *batch):
        x = np.asarray(array("float32", *batch, n, n)) + 3 * np.eye(n)
        return jnp.asarray(x, dtype)
    shapes = [square("float32", n) for n in (1, 2, 3, 4)] + [square("float32", 4, 2), square("complex64", 4), square("int32", 4), square("float32", 2, 3)]
    odd = [array("float32", 2, 3), array("float32", 3, 2), array("float32", 3), 1.0, None, [[1.0]], array("float32", 0, 0), array("float32", 2, 3, 2)]
    for name in ("cholesky", "svd", "svdvals", "eig", "eigvals", "eigh", "eigvalsh", "qr", "det", "slogdet", "inv", "pinv", "matrix_rank", "cond", "norm", "vector_norm", "matrix_norm",
                 "matrix_transpose", "diagonal", "trace"):
        for x in shapes + odd:
            lin(name, x, values=name in ("det", "norm", "inv", "trace"))
    s4 = square("float32", 4)
    lin("cholesky", s4, upper=True)
    lin("cholesky", s4, symmetrize_input=False)
    for kw in ({"full_matrices": False}, {"compute_uv": False}, {"hermitian": True}, {"hermitian": True, "compute_uv": False}):
        lin("svd", s4, values=False, **kw)
    for mode in ("reduced", "complete", "r", "raw", "full", "x"):
        lin("qr", array("float32", 4, 3), mode, values=False)
    for uplo in ("L", "U", "x"):
        lin("eigh", s4, uplo, values=False)
        lin("eigvalsh", s4, uplo)
    for method in ("lu", "qr", "x"):
        lin("slogdet", s4, method=method)
    for a in shapes[:5] + [square("float32", 3, 2)]:
        for b in (array("float32", 4), array("float32", 4, 2), array("float32", 3), array("float32", 2, 4, 1), array("float32", 3, 3), array("int32", 4)):
            lin("solve", a, b)
            lin("lstsq", a, b)
    lin("solve", array("float32", 3), array("float32", 3))
    lin("solve", array("float32", 2, 3, 3), array("float32", 2, 3))
    lin("lstsq", array("float32", 4, 2), array("float32", 4), 0.1)
    for n in (0, 1, 2, 3, 5, -1, 1.5):
        lin("matrix_power", s4, n)
    lin("matrix_power", array("float32", 2, 3), 2)
    for ord in (None, 1, 2, -1, -2, np.inf, -np.inf, "fro", "nuc", 0, 3, "x", 2.5, "inf"):
        for x in (array("float32", 4), s4, array("float32", 2, 3, 4), array("complex64", 3), array("int32", 3)):
            for axis in (None, 0, -1, (0, 1), 5, (0, 0), (0, 1, 2)):
                lin("norm", x, ord, axis)
            lin("norm", x, ord, keepdims=True)
            lin("vector_norm", x, ord=ord)
            lin("vector_norm", x, ord=ord, axis=-1, keepdims=True)
            lin("matrix_norm", x, ord=ord)
        lin("cond", s4, ord)
        lin("norm", s4, ord, axis=(0, 1), keepdims=True)
    lin("norm", s4, axis=[0, 1])
    lin("pinv", s4, 0.1)
    lin("pinv", s4, 0.1, rcond=0.1)
    lin("matrix_rank", s4, 0.1)
    lin("multi_dot", [array("float32", 3), s4[:3, :], array("float32", 4, 2)])
    lin("multi_dot", [s4])
    lin("multi_dot", [s4, array("float32", 3)])
    lin("tensorinv", array("float32", 2, 2, 4), 2)
    lin("tensorinv", array("float32", 2, 3, 4), 2)
    lin("tensorsolve", array("float32", 2, 2, 4), array("float32", 2, 2))
    lin("cross", array("float32", 3), array("float32", 3))
    lin("cross", array("float32", 2), array("float32", 3))
    lin("outer", array("float32", 2), array("float32", 3))
    lin("outer", s4, s4)
    lin("vecdot", s4, s4)
    lin("matmul", s4, s4)
    lin("tensordot", s4, s4, axes=1)
    for name in ("det", "slogdet", "inv", "solve", "pinv", "cholesky", "norm"):
        def loss(f):
            def total(x):
                out = f(x, jnp.ones(x.shape[:-1])) if name == "solve" else f(x)
                return sum(jnp.sum(jnp.abs(leaf)) for leaf in jax.tree_util.tree_leaves(out))
            return jax.grad(total)
        for x in (square("float32", 2), square("float32", 4), square("float32", 4, 2)[0]):
            C.call("grad " + name, loss(getattr(ours.linalg, name)), loss(getattr(jnp.linalg, name)), x)

    x1, x3 = array("float32", 8), array("complex64", 2, 4, 6)
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        for x in (x1, x3, array("int32", 4), array("bool", 4), array("bfloat16", 4), 1.0, [1.0, 2.0], None):
            four(name, x)
        for kw in ({"n": 5}, {"n": 12}, {"n": 0}, {"axis": 0}, {"axis": 7}, {"axis": (0, 1)}, {"norm": "ortho"}, {"norm": "forward"}, {"norm": "backward"}, {"norm": "x"}):
            four(name, x1, **kw)
    for name in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"):
        for x in (x3, array("float32", 4, 6), x1):
            four(name, x)
            four(name, x, s=(3, 5))
            four(name, x, axes=(0, 1))
            four(name, x, axes=(0, 0))
            four(name, x, axes=(0,))
            four(name, x, norm="ortho")
    four("fftn", array("float32", 2, 2, 2, 2))
    four("ifftn", array("float32", 2, 2, 2, 2))
    for name in ("fftfreq", "rfftfreq"):
        for args in ((4,), (5, 0.1), ([1],), (4, [1])):
            four(name, *args)
    for name in ("fftshift", "ifftshift"):
        for args in ((x1,), (x3,), (x3, 1), (x3, (0, 1)), (x3, 9)):
            four(name, *args)

    n1, n2 = np.array([3, 1, 2, 3, 1]), np.array([[1, 2], [1, 2], [3, 4]])
    for a in (n1, n2, n1 / 2, np.array([], int), array("int32", 4), [1, 2], None):
        for kw in ({}, {"size": 3}, {"size": 5, "fill_value": 9}, {"return_index": True}, {"return_inverse": True}, {"return_counts": True}, {"axis": 0}, {"return_counts": True, "size": 4}):
            call("unique", a, **kw)
        for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
            call(name, a)
            call(name, a, size=3)
        for b in (np.array([1, 3]), array("int32", 3)):
            for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
                call(name, a, b)
                call(name, a, b, size=4)
                if name != "union1d":
                    call(name, a, b, assume_unique=True)
                    call(name, a, b, assume_unique=True, size=3, fill_value=0)
            for method in ("auto", "compare_all", "binary_search", "sort", "x"):
                call("isin", a, b, method=method)
                call("isin", a, b, invert=True, method=method)
        call("intersect1d", a, np.array([1, 3]), return_indices=True)
        call("intersect1d", a, np.array([1, 3]), return_indices=True, size=3)
    for name in ("blackman", "bartlett", "hamming", "hanning"):
        for m in (0, 1, 5, 2.5, jnp.int32(3)):
            call(name, m)
    call("kaiser", 5, 2.0)
    call("kaiser", 1, 2.0)
    v, m = array("float32", 6), array("int32", 3, 4)
    for obj in (1, -1, 9, slice(1, 3), [0, 2], np.array([0, 2]), np.array([True, False, True]), array("int32", 2), 1.5, None):
        call("delete", v, obj)
        call("delete", m, obj, 0)
        call("insert", v, obj, 7)
        call("insert", m, obj, 7, axis=1)
    call("delete", v, array("int32", 2), assume_unique_indices=True)
    call("insert", m, 1, array("int32", 4), axis=0)
    for x in (array("bool", 10), array("uint8", 3, 4), array("float32", 3)):
        for kw in ({}, {"axis": 0}, {"bitorder": "little"}, {"bitorder": "x"}):
            call("packbits", x, **kw)
            call("unpackbits", x, **kw)
    call("unpackbits", array("uint8", 3), count=10)
    call("i0", v)
    call("i0", array("complex64", 2))
    s = np.s_
    for key in (s[0:3], s[0:3, 1:5], s[0:1:5j], s[:2, :3, 0:1:0.5], s[array("int32"):3]):
        for name in ("mgrid", "ogrid"):
            C.call(name, lambda k: getattr(ours, name)[k], lambda k: getattr(jnp, name)[k], key)
    for key in (s[1:4], s[1, 2, 3], s[v, 0, v], s["r", 1, 2], s["c", 1, 2], s["0,2", v, v], s["-1", v], s["x", 1], s[v, v], s[1:3:5j], s[1, "r"]):
        for name in ("r_", "c_"):
            C.call(name, lambda k: getattr(ours, name)[k], lambda k: getattr(jnp, name)[k], key)
    for name in ("s_", "index_exp"):
        C.call(name, lambda x: x[getattr(ours, name)[0:2]], lambda x: x[getattr(jnp, name)[0:2]], v)
