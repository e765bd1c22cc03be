"""Indexing: every kind of index, alone and mixed; `.at[]`; functions that index; methods and operators."""
import jax
import jax.numpy as jnp
import numpy as np
from check import array, prelude, weak


def cases(C):
    ours = prelude("numpy")
    indexing = prelude("_indexing")
    arrays = prelude("_array")

    def call(name, *args, **kwargs):
        C.call(name, getattr(ours, name), getattr(jnp, name), *args, **kwargs)
    x, y, v = array("float32", 3, 4, 5), array("int32", 3, 4), array("bfloat16", 5)
    i0, i1, i2 = jnp.int32(1), array("int32", 2), jnp.array([[0, 1, 2], [2, 1, 0]])
    u1 = jnp.array([0, 2], jnp.uint8)
    n1 = np.array([0, -1])
    m3, m34 = np.array([True, False, True]), np.arange(12).reshape(3, 4) % 3 == 0
    s = np.s_
    items = [0, -1, 2, 3, -4, 10, i0, np.int32(1), np.uint8(2), n1, i1, i2, u1, m3, m34, None, Ellipsis, (), True, False, np.bool_(True), 1.5,
             "a", [0, 1], [[0, 1]], 1j, np.float32(1), jnp.float32(1.0), {}, object(), array("bool", 3), array("bool"), array("float32", 2),
             slice(None), s[1:], s[:-1], s[::2], s[::-1], s[2:0:-1], s[::-2], s[1:100], s[5:], s[-100:], s[:0], s[1:i0], s[i0:], s[::i0], slice("a", None),
             slice(1.5, None), s[np.int32(1):], s[0:0], s[3:1],
             s[0, 1], s[0, -1], s[0, 9], s[i0, i0], s[0, i0], s[i0, 0], s[i0, :, 0], s[:, i0], s[..., i0], s[:, 0], s[..., 0], s[0, ...],
             s[None, 0], s[:, None], s[0, None, 1], s[None, ...], s[..., None], s[i0, None], s[..., ...], s[0, 0, 0, 0], s[:, :, :, :],
             s[0, 1:3], s[i0, 1:3], s[i0, ::2], s[i0, ::-1], s[1:2, ::2], s[::-1, ::-2], s[1:, None, i0],
             s[n1, 0], s[0, n1], s[n1, n1], s[i1, i1], s[i2, n1], s[:, n1], s[n1, :], s[:, i2], s[i1, 1:3], s[1:3, i1], s[i1, ::2], s[i1, ::-1],
             s[i1, None], s[None, i1], s[i1, ..., 0], s[n1, :, 0], s[0, :, n1], s[i1, :, i1], s[i2, None, 0], s[i0, i1], s[i1, i0], s[u1, 1],
             s[m3, 0], s[m3, :], s[:, np.array([True, False, True, False])], s[m3, n1], s[m34, 0], s[m34], s[m3, i1], s[m3, i0],
             s[True, 0], s[0, False], s[True, i1], s[None, True], s[[0, 1], 0], s[[0, 1], [1, 2]], s[[True, False, True], 0], s[[], 0], s[[0.5], 0],
             s[np.array([True, False])], s[np.zeros((3, 5), bool)], np.array([], int), np.array([], bool), s[np.array(1)], s[np.array(1), n1],
             s[array("bool", 3), 0], s[1:2, array("bool", 4)], s[()], s[0, ()], s["a", 0], s[1.0, 0], s[None], s[None, None]]
    for item in items:
        for a in (x, y, v, array("float32"), array("float32", 0, 3)):
            C.call("getitem", indexing.index, lambda a, i: a[i], a, item)
    for item in items:
        for a in (x, y):
            for method, value in (("set", 1), ("add", 2.5), ("multiply", 2), ("min", 0), ("apply", None)):
                if method == "apply":
                    value = jnp.sin if a is x else (lambda t: t * 2)
                C.call("at." + method, lambda a, i, v: getattr(indexing.At(a)[i], method)(v), lambda a, i, v: getattr(a.at[i], method)(v), a, item, value)
        C.call("at.get", lambda a, i: indexing.At(a)[i].get(), lambda a, i: a.at[i].get(), x, item)
        C.call("at.get", lambda a, i: indexing.At(a)[i].get(mode="fill", fill_value=3), lambda a, i: a.at[i].get(mode="fill", fill_value=3), x, item)
        C.call("at.get", lambda a, i: indexing.At(a)[i].get(mode="clip"), lambda a, i: a.at[i].get(mode="clip"), x, item)
    for method in ("set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max"):
        def ours_at(a, i, v, **kw):
            return getattr(indexing.At(a)[i], method)(v, **kw)

        def real_at(a, i, v, **kw):
            return getattr(a.at[i], method)(v, **kw)
        for a, item, value in ((x, 0, 1.0), (x, i1, array("float32", 2, 4, 5)), (x, i1, array("float32", 5)), (x, i1, array("float32", 3)), (y, 0, 2.5),
                               (y, 0, array("float32", 4)), (v, i0, 2), (array("bool", 3), 0, True), (array("uint8", 3), 0, 300), (array("uint8", 3), 0, -1),
                               (array("complex64", 3), 0, 2j), (x, s[::-1], 1), (x, s[1:, None], 2), (x, (True, 0), 2), (weak(1.0, 3), 0, 2),
                               (weak(1, 3), 0, 2.0), (x, 0, None), (x, 0, "a"), (x, 0, [1, 2, 3, 4, 5]), (x, 0, np.arange(5)), (y, m34, 0)):
            C.call("at." + method, ours_at, real_at, a, item, value)
        for kw in ({"mode": "drop"}, {"mode": "clip"}, {"mode": "fill"}, {"mode": "promise_in_bounds"}, {"mode": "nope"}, {"mode": jax.lax.GatherScatterMode.CLIP},
                   {"indices_are_sorted": True}, {"unique_indices": True}, {"wrap_negative_indices": False}, {"bogus": 1}):
            C.call("at." + method, ours_at, real_at, x, i1, 1.0, **kw)
    for kw in ({"mode": "drop"}, {"mode": "clip"}, {"mode": "fill"}, {"mode": "promise_in_bounds"}, {"mode": "nope"}, {"fill_value": 1}, {"mode": "fill", "fill_value": 1},
               {"mode": "fill", "fill_value": [1]}, {"indices_are_sorted": True}, {"unique_indices": True}, {"wrap_negative_indices": False}):
        for a in (x, y, array("uint8", 4), array("bool", 4)):
            for item in (0, 9, i0, i1, -1):
                C.call("at.get", lambda a, i: indexing.At(a)[i].get(**kw), lambda a, i: a.at[i].get(**kw), a, item)
    for cond in (array("bool", 3), array("float32", 3), array("int32", 2, 3), True, 1, np.array([True, False, True])):
        for a in (array("float32", 3), 1, 2.5, array("int32", 3), weak(1.0, 3), True, None, [1, 2]):
            for b in (array("float32", 3), 1, 2.5, array("bfloat16"), array("int32", 2, 1)):
                call("where", cond, a, b)
    call("where", array("bool", 3))
    call("where", np.array([True, False]))
    call("where", array("bool", 3), size=2)
    call("where", array("bool", 2, 3), size=2, fill_value=-1)
    call("where", array("bool", 3), 1)
    call("where", array("bool", 3), 1, 2, size=2)
    call("where", [True], 1, 2)
    call("where", array("bool", 3), array("float32", 2), 1)
    for name in ("nonzero", "flatnonzero", "argwhere"):
        for a in (np.array([0, 1, 2]), np.array([[0, 1], [2, 0]]), array("int32", 3), 1, np.zeros(3), [1, 0]):
            call(name, a)
            call(name, a, size=2)
            call(name, a, size=2, fill_value=7)
    for name in ("take",):
        for a in (x, y, v, 1.0, array("float32", 0, 3)):
            for idx in (0, i0, i1, i2, n1, [0, 1], 1.5, np.array([], int), array("bool", 2)):
                for axis in (None, 0, -1, 5):
                    call(name, a, idx, axis)
                for mode in ("fill", "clip", "wrap", "raise", "no"):
                    call(name, a, idx, 0, mode=mode)
    for idx in (jnp.zeros((3, 4, 1), int), jnp.zeros((3, 1, 5), int), jnp.zeros((1, 4, 5), int), jnp.zeros((3, 4, 5), jnp.uint8), jnp.zeros((2,), int), jnp.zeros((3, 4, 5)),
                jnp.zeros((3, 2, 5), int), jnp.zeros((1, 1, 2), int)):
        for axis in (0, 1, 2, -1, None, 3):
            call("take_along_axis", x, idx, axis)
            call("take_along_axis", x, idx, axis, mode="clip")
            call("take_along_axis", x, idx, axis, mode="promise_in_bounds")
            call("put_along_axis", x, idx, 1.0, axis, inplace=False)
    call("take_along_axis", v, i1, None)
    call("take_along_axis", y, jnp.zeros((3, 1), int), 1, mode="fill", fill_value=4)
    call("put_along_axis", x, i1, 1.0, 0)
    for args in ((v, i1, 1.0), (y, i1, 2), (y, i1, i1), (y, [0], 1)):
        for mode in (None, "clip", "wrap", "raise", "z"):
            call("put", *args, mode=mode, inplace=False)
    call("place", y, y > 0, i1, inplace=False)
    call("place", y, y > 0, i1)
    for a in (i0, i1, n1, 7):
        for shape in ((3, 4), 5, [2, 2], (2, 3, 4)):
            call("unravel_index", a, shape)
    for mode in ("raise", "clip", "wrap", "ignore", "zz"):
        call("ravel_multi_index", (i1, i1), (3, 4), mode)
        call("ravel_multi_index", (n1 + 1, n1 + 1), (3, 4), mode, "F")
    call("compress", np.array([True, False, True]), x)
    call("compress", np.array([True, False, True]), x, 0)
    call("compress", array("bool", 3), x, 0, size=2)
    call("compress", array("bool", 3), x, 0)
    call("extract", np.array([True, False, True, False, True]), v)
    call("extract", array("bool", 5), v, size=2)
    call("ix_", i1, n1)
    call("ix_", i1, x)
    call("ix_", array("bool", 3))
    call("choose", i1, [i1, i1, i1], mode="clip")
    call("choose", i1, [i1, i1, i1], mode="wrap")
    call("choose", i1, [i1, i1, i1])
    call("select", [v > 0, v > 1], [v, v * 2], 0)
    call("select", [array("bool", 3), array("bool", 2, 3)], [array("int32", 3), 1.0])
    call("select", [v > 0], [v, v])
    call("select", [], [])
    for name in ("triu_indices", "tril_indices"):
        for args in ((3,), (3, 1), (3, -1, 4), (i0,), (0,)):
            call(name, *args)
            call(name + "_from", array("float32", 3, 4))
    call("triu_indices_from", v)
    call("mask_indices", 3, jnp.triu, size=6)
    for args in ((3,), (3, 3), (-1,), (2.5,), (i0,)):
        call("diag_indices", *args)
    call("diag_indices_from", array("float32", 3, 3))
    call("diag_indices_from", y)
    for args in ((y, 1), (array("float32", 3, 3), array("float32", 2)), (v, 1), (array("float32", 2, 3, 4), 1)):
        call("fill_diagonal", *args, inplace=False)
    call("fill_diagonal", y, 1)
    for a in (array("int32", 4), np.array([0, 1, 1, 3]), array("bool", 3), array("float32", 3), y, np.array([-1, 2])):
        for kw in ({}, {"length": 5}, {"minlength": 7}, {"length": i0}):
            call("bincount", a, **kw)
    call("bincount", array("int32", 4), array("float32", 4), length=5)
    call("bincount", array("int32", 4), array("float32", 3), length=5)

    for name, function in arrays.PROPERTIES.items():
        if name != "at":
            for a in (x, y, v, array("complex64", 2, 2), array("float32")):
                C.call("." + name, lambda a: jnp.asarray(function(a)), lambda a: jnp.asarray(getattr(a, name)), a)
    methods = {"reshape": [(20, 3), ((20, 3),), (-1,), (3, 20.0), (7, 7), (), (i0, 3), (-1, 7)], "transpose": [(), (None,), (0, 2, 1), ((2, 1, 0),), (0,), (1, 1, 0)],
               "astype": [(int,), ("bool",), (jnp.bfloat16,), (), ("zzz",), (None,), (complex,)], "sum": [(), (0,), (0, float), (9,)], "swapaxes": [(0, 1), (0,), (0, 9)],
               "take": [(i1,), (i1, 0)], "clip": [(), (0,), (0, 1), (None, 1)], "round": [(), (1,), (-1,)], "repeat": [(2,), (2, 1)], "dot": [(v,), (y,)], "item": [(), (0,)],
               "squeeze": [(), (0,)], "argmax": [(), (0,), (7,)], "argmin": [(), (1,)], "argsort": [(), (0,)], "sort": [(), (0,), (5,)], "view": [(jnp.int32,), (jnp.int16,), (jnp.uint8,),
               (jnp.complex64,), (jnp.float64,), ()], "choose": [([1, 2],)], "compress": [(np.array([True, False]),)], "searchsorted": [(1,), (x,)], "tolist": [()], "argpartition": [(1,), (1, 0)],
               "trace": [(), (1,)], "diagonal": [(), (1,)], "nonzero": [()], "conj": [()], "flatten": [(), ("F",)], "byteswap": [()]}
    for name, function in arrays.METHODS.items():
        if name in ("to_device", "block_until_ready"):
            continue
        for args in methods.get(name, [(), (0,), (-1,), (3,), (0, 1, 2, 3, 4, 5, 6)]):
            for a in (x, y, v, array("complex64", 2, 2)):
                C.call("." + name, lambda a, *args: function(a, *args), lambda a, *args: getattr(a, name)(*args), a, *args)
        C.call("." + name, lambda a: function(a, bogus=1), lambda a: getattr(a, name)(bogus=1), x)
    import operator
    others = [1, 2.5, True, 1j, None, "a", [1], (1,), {}, np.arange(5), np.float32(2), v, array("int32", 5), array("float32", 3), weak(1.0, 5), object, array("bool", 5)]
    for name in arrays.OPERATORS:
        base = name.strip("_")
        if base in ("getitem", "setitem", "deepcopy", "copy"):
            continue
        if base in ("neg", "pos", "abs", "invert", "round"):
            for a in (v, array("int32", 3), array("bool", 3), array("complex64", 2), array("uint8", 2)):
                real = {"neg": operator.neg, "pos": operator.pos, "abs": abs, "invert": operator.invert, "round": round}[base]
                C.call(base, arrays.OPERATORS[name], real, a)
            continue
        for a in (v, array("int32", 5), array("bool", 5)):
            for other in others:
                C.call(base, lambda a, b: none(arrays.OPERATORS[name](a, b)), lambda a, b: none(getattr(type(a), name)(a, b)), a, other)
    C.call("setitem", arrays.OPERATORS["__setitem__"], lambda a, i, b: operator.setitem(a, i, b), v, 0, 1)


def none(result):
    if result is NotImplemented:
        raise NotImplementedError("NotImplemented")
    return result
