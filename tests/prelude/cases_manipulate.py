"""Shapes, axes, joins and splits."""
import jax.numpy as jnp
import numpy as np
from check import array, prelude, weak


def cases(C):
    ours = prelude("numpy")

    def call(name, *args, **kwargs):
        C.call(name, getattr(ours, name), getattr(jnp, name), *args, **kwargs)
    x, y, v = array("float32", 2, 3, 4), array("int32", 3, 4), array("bfloat16", 4)
    odd = (1.0, 2, [1, 2], None, np.arange(4), array("float32"), weak(1.0, 2))
    for shape in ((24,), 24, -1, (-1, 4), (4, -1), (2, -1, 2), (-1, -1), (5, 5), (7, -1), (2.0, 12), "ab", np.int32(24), (np.int64(6), 4),
                  jnp.int32(24), array("int32"), (), (2, 3, 4), (0, -1), [6, 4], None):
        call("reshape", x, shape)
        call("reshape", x, shape, order="F")
        call("resize", x, shape)
        call("broadcast_to", y, shape)
    call("reshape", x, (24,), order="A")
    call("reshape", x, (24,), order="Q")
    call("reshape", array("float32", 0, 3), (-1, 3))
    call("reshape", array("float32", 0, 3), (-1, 0))
    for value in odd:
        for name in ("ravel", "transpose", "squeeze", "flip", "fliplr", "flipud", "matrix_transpose", "rot90", "atleast_1d", "atleast_2d",
                     "atleast_3d", "unstack", "tile", "roll", "expand_dims", "swapaxes", "moveaxis", "repeat"):
            extra = {"tile": (2,), "roll": (1,), "expand_dims": (0,), "swapaxes": (0, 0), "moveaxis": (0, 0), "repeat": (2,)}.get(name, ())
            call(name, value, *extra)
        call("reshape", value, (1, -1))
        call("broadcast_to", value, (3, 2))
        call("squeeze", value, 0)
    for value in (x, y, v):
        for name in ("ravel", "transpose", "squeeze", "flip", "fliplr", "flipud", "matrix_transpose", "rot90", "atleast_1d", "atleast_2d",
                     "atleast_3d", "unstack"):
            call(name, value)
        call("ravel", value, order="F")
        call("ravel", value, order="K")
    for axes in ((0, 1, 2), (2, 0, 1), (-1, 0, 1), (0, 1), (0, 0, 1), (0, 1, 5), None, [2, 1, 0], 1):
        call("transpose", x, axes)
        call("permute_dims", x, axes)
    for axis in (0, 1, -1, 2, 3, (0, 1), (0, 0), [0], 1.5, None, "a", np.int32(0), ()):
        call("squeeze", array("float32", 1, 3, 1), axis)
        call("expand_dims", x, axis)
        call("flip", x, axis)
        call("unstack", x, axis=axis)
        for other in (0, -1, (1, 2), 4):
            call("moveaxis", x, axis, other)
            call("swapaxes", x, axis, other)
            call("rollaxis", x, axis, other)
    for k in (0, 1, 2, 3, -1, 7):
        call("rot90", x, k)
        call("rot90", x, k, (1, 2))
    call("rot90", x, 1, (0, 0))
    for shift in (1, -1, 0, 5, (1, 2), (1, 2, 3), array("int32"), array("int32", 2), np.int32(2), 1.5, [1, 2]):
        for axis in (None, 0, 1, (0, 1), -1, 3):
            call("roll", x, shift, axis)
    call("roll", array("float32", 0, 2), 1, 0)
    for shapes in ((), ((2, 3), (3,)), ((2, 3), (2,)), (2, 3), ((1,), 4), ([2, 1], (1, 3))):
        call("broadcast_shapes", *shapes)
    call("broadcast_arrays", x, y, v)
    call("broadcast_arrays", x, array("float32", 2))
    call("broadcast_arrays", x, 1)
    call("broadcast_arrays")
    call("broadcast_arrays", [1], 2)
    for reps in (2, (2,), (1, 2), (2, 1, 1, 2), 0, (1.5,), np.int32(2), [2, 2], "a", None, -1, jnp.int32(2), array("int32")):
        call("tile", y, reps)
        call("tile", v, reps)
        for axis in (None, 0, -1, 5):
            call("repeat", y, reps, axis)
    call("repeat", v, np.array([1, 2, 0, 3]))
    call("repeat", v, [1, 2, 0, 3])
    call("repeat", v, array("int32", 4), total_repeat_length=9)
    call("repeat", y, 2, 1, total_repeat_length=8)
    call("repeat", y, np.array([1, 0, 2]), 0)
    call("repeat", y, np.array([1, 0]), 0)
    call("repeat", 3.0, 4)
    call("atleast_2d", x, v, 1)
    call("atleast_3d", y, v, 1)
    for arrays in ([x, x], [y, y], (v, v), [v], [], x, y, v, [x, y], [v, 1], [1, 2], [v, array("float32", 4)], [y, array("float32", 3, 4)],
                   [array("int32", 2), array("bool", 3)], [array("float32", 2, 3), array("float32", 3, 3)], [weak(1.0, 4), v], [weak(1.0, 2), weak(2, 2)],
                   [[1, 2], [3, 4]], 3, None, [None], [v, None], np.ones((2, 3)), (i for i in ()), [array("float32", 2, 3), array("float32", 2)],
                   {"a": v}, [v, [1.0] * 4]):
        for name in ("concatenate", "concat", "stack", "vstack", "hstack", "dstack", "column_stack", "block"):
            call(name, arrays)
            if name in ("concatenate", "stack"):
                for axis in (1, -1, 3, None):
                    call(name, arrays, axis)
                call(name, arrays, dtype=jnp.float32)
    call("stack", [v, v], out=1)
    call("block", [[array("float32", 2, 2), array("float32", 2, 1)], [array("float32", 1, 2), array("float32", 1, 1)]])
    call("block", [1.0, v])
    call("block", [[v], v])
    call("append", v, v)
    call("append", y, y, 1)
    call("append", y, v)
    call("append", y, v, 0)
    call("append", v, 1)
    for where in (1, 2, 3, 4, (1,), (1, 2), [1, 5], np.array([1, 2]), 0, 2.0, 1.5, array("int32"), jnp.array([1, 2]), -1, ()):
        for name in ("split", "array_split", "vsplit", "hsplit", "dsplit"):
            call(name, x, where)
            call(name, array("float32", 12), where)
        call("split", x, where, 1)
        call("split", x, where, axis=-1)
        call("split", x, where, axis=3)
    call("trim_zeros", np.array([0, 0, 1, 2, 0]))
    call("trim_zeros", np.array([0, 0, 1, 2, 0]), "f")
    call("trim_zeros", v)
