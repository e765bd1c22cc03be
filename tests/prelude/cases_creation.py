"""Arrays out of shapes and values."""
import jax
import jax.numpy as jnp
import numpy as np
from check import array, prelude, weak


def cases(C):
    ours = prelude("numpy")

    def call(name, *args, **kwargs):
        C.call(name, getattr(ours, name), getattr(jnp, name), *args, **kwargs)
    shapes = [3, (), (2, 3), [2, 2], (0, 3), np.int32(4), jnp.int32(2), (2.0, 1), 2.5, "ab", (-1, 2), None, ((1, 2), 3), np.array([2, 3])]
    for name in ("zeros", "ones", "empty"):
        for shape in shapes:
            call(name, shape)
        for dtype in (int, float, bool, complex, "int32", jnp.bfloat16, np.float32, np.dtype("uint8"), "nonsense", np.str_, "int64"):
            call(name, (2, 3), dtype)
            call(name, (2, 3), dtype=dtype)
        call(name, 2, 3)
        call(name)
        call(name, (i for i in range(2)))
    for value in (1, 2.5, True, 1j, jnp.float32(3), array("int32", 3), [1, 2], np.arange(3), None):
        call("full", (2, 3), value)
        call("full", (2, 3), value, jnp.float32)
        call("full_like", array("int32", 2, 3), value)
        call("full_like", array("float32", 2, 3), value, dtype=int, shape=(4, 3))
    for name in ("zeros_like", "ones_like", "empty_like"):
        for x in (array("float32", 2, 3), array("int32"), weak(1.0, 2), 1, 2.0, True, np.arange(3), [1, 2], None,
                  jax.ShapeDtypeStruct((2, 3), jnp.int32)):
            call(name, x)
            call(name, x, dtype=jnp.float32)
            call(name, x, shape=(4,))
    objects = [1, 2.5, True, 1j, None, [1, 2], [1, 2.0], [True, False], [], [[]], [[1, 2], [3, 4]], [[1, 2], [3]], (1, 2), [1j, 2],
               np.arange(3), np.float64(2), np.int64(2), np.bool_(True), np.ones((2, 2), bool), array("float32", 2), array("int32"),
               [array("float32"), 1], [array("float32", 2), array("int32", 2)], [[array("float32"), 1.0], [2, array("int32")]],
               [array("float32", 2), [1, 2]], [array("float32", 2), array("float32", 3)], [np.float32(1), 2], [np.arange(2), [1, 2]],
               weak(1.0, 2), [weak(1.0), weak(2)], "abc", ["a", "b"], {"a": 1}, object, [1, None], [array("float32")] * 20,
               (array("float32"), array("float32")), range(3), [1, 2 ** 40], 2 ** 40, [range(2)], {1, 2}]
    for name in ("array", "asarray"):
        for x in objects:
            call(name, x)
            call(name, x, dtype=jnp.float32)
            call(name, x, dtype=int)
            call(name, x, jnp.uint8)
            call(name, x, copy=True)
        call(name, [1, 2], bool)
        call(name, [1.5, 2], "bfloat16")
        call(name, array("float32", 2), copy=False)
        call(name)
        call(name, 1, bogus=2)
    for x in objects:
        call("array", x, ndmin=2)
        call("array", x, copy=False)
        call("copy", x)
    for args in ((3,), (0,), (-1,), (2.5,), (1, 4), (1.0, 4), (0, 10, 2), (0, 1, 0.25), (10, 0, -3), (jnp.int32(3),), (np.int32(3),),
                 (np.float32(3),), (1, None, 2), (True,), ([1, 2],), (None,), ("a",), (1j,), (0, 3, 0.1), (np.arange(2),), (3.0,), ()):
        call("arange", *args)
        call("arange", *args, dtype=jnp.float32)
        call("arange", *args, dtype="bfloat16")
        call("arange", *args, dtype=int)
    call("arange", 5, step=2)
    call("arange", 1, step=2)
    call("arange", start=0, stop=3)
    for args in ((0, 1), (0, 1, 5), (0.0, 10, 3), (0, 1, 1), (0, 1, 0), (0, 1, -1), (array("float32", 2), 1.0, 3),
                 (array("float32", 2), array("int32", 2), 4), (array("float32"), array("float32"), 4), (1j, 2, 3), ([1], 2, 3), (0, 1, 2.5)):
        for name in ("linspace", "logspace", "geomspace"):
            call(name, *args)
            call(name, *args, endpoint=False)
            call(name, *args, dtype=int)
            call(name, *args, axis=-1)
        call("linspace", *args, retstep=True)
    call("linspace", 0, 1, array("int32"))
    for args in ((3,), (2, 3), (3, None, 1), (3, 4, -1), (0,), (-1,), (2.5,), (3, 3, 1.5), ("a",), (array("int32"),), (3, None, array("int32"))):
        call("eye", *args)
        call("eye", *args, dtype=int)
        call("tri", *args)
    call("identity", 3)
    call("identity", 3, dtype=bool)
    for name in ("tril", "triu"):
        for x in (array("float32", 3, 3), array("int32", 2, 3), array("bool", 2, 3, 4), array("float32", 3), 1.0, [[1, 2], [3, 4]], weak(1.0, 2, 2)):
            for k in (0, 1, -1):
                call(name, x, k)
        call(name, array("float32", 3, 3), k=1)
    for args in ((array("float32", 3),), (array("float32", 3), array("int32", 2)), (array("float32", 3), array("int32", 2), array("bool", 4)),
                 (array("float32", 2, 2),), (1.0,), (), ([1, 2], [3])):
        for kwargs in ({}, {"indexing": "ij"}, {"sparse": True}, {"indexing": "no"}, {"copy": False}, {"indexing": "ij", "sparse": True}):
            call("meshgrid", *args, **kwargs)
    for x in (array("float32", 3), array("int32", 3, 3), array("bool", 3, 3), array("float32", 2, 3), array("float32", 2, 3, 4), 1.0, array("float32"), [1, 2]):
        for k in (0, 1, -1):
            call("diag", x, k)
            call("diagonal", x, k)
            call("diagflat", x, k)
            call("trace", x, k)
    call("trace", array("int32", 3, 3), dtype=jnp.float32)
    call("trace", array("float32", 3, 3, 3), 0, 1, 2)
    call("trace", array("float32", 3, 3, 3), 0, 1, 1)
    call("diagonal", array("float32", 3, 4, 5), 0, 1, 2)
    for x in (array("float32", 3), array("int32", 3), array("float32", 2, 2), [1, 2]):
        call("vander", x)
        call("vander", x, 4)
        call("vander", x, 2, True)
    call("indices", (2, 3))
    call("indices", (2, 3), sparse=True)
    call("indices", (2,), dtype=float)
    call("indices", ())
    C.call("fromfunction", ours.fromfunction, jnp.fromfunction, lambda i, j: i + j, (3, 4))
    C.call("fromfunction", ours.fromfunction, jnp.fromfunction, lambda i, j: i + j, (3, 4), dtype=int)
    for dtype in (int, float, bool, complex, "int8", jnp.bfloat16, None, "zzz"):
        for x in (array("float32", 2), array("int32", 2), array("complex64", 2), array("bool", 2), 1, 2.0):
            call("astype", x, dtype)
            call("astype", x, dtype, copy=True)
