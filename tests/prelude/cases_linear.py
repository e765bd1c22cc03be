"""Products, einsum, sorting and searching, vectorize."""
import jax
import jax.numpy as jnp
import numpy as np
from check import array, prelude, weak


def cases(C):
    ours = prelude("numpy")

    def call(name, *args, **kwargs):
        C.call(name, getattr(ours, name), getattr(jnp, name), *args, **kwargs)
    shapes = [(), (3,), (4,), (2, 3), (3, 4), (3, 3), (5, 2, 3), (5, 3, 4), (1, 3, 2), (2, 1, 3, 4), (1, 1, 4, 3), (2, 5, 3, 3), (0, 3)]
    for a in shapes:
        for b in shapes:
            for name in ("dot", "matmul", "inner", "outer", "tensordot", "kron", "vdot", "vecdot", "matvec", "vecmat", "cross"):
                call(name, array("float32", *a), array("float32", *b))
    dtypes = ["float32", "int32", "bool", "bfloat16", "uint8", "complex64"]
    for a in dtypes:
        for b in dtypes:
            for name in ("dot", "matmul", "inner", "outer", "tensordot", "kron", "vdot", "cross"):
                call(name, array(a, 3, 3), array(b, 3, 3))
        for name in ("dot", "matmul", "inner", "outer", "kron"):
            call(name, array(a, 3), 2)
            call(name, array(a, 3), weak(2, 3))
            call(name, array(a, 3), weak(2.0, 3))
            call(name, array(a, 3), [1, 2, 3])
            call(name, array(a, 3), None)
            call(name, array(a, 3), np.arange(3))
            call(name, array(a, 3), array("float32", 3), precision="highest")
            call(name, array(a, 3), array("float32", 3), precision=jax.lax.Precision.HIGH)
            call(name, array(a, 3), array("float32", 3), precision="nope")
            call(name, array(a, 3), array("float32", 3), preferred_element_type=jnp.float32)
    x, y = array("float32", 2, 3, 4), array("float32", 3, 4, 5)
    for axes in (0, 1, 2, 3, 4, (0, 1), (1, 0), ([1, 2], [0, 1]), ((2, 1), (1, 0)), ([1], [0, 1]), (1, [0]), "a", (9, 0), ([0], [0]), 1.0, (-1, 1)):
        call("tensordot", x, y, axes)
    for kw in ({"axis": 0}, {"axisa": 0}, {"axisc": 0}, {"axis": 1}):
        call("cross", array("float32", 3, 3), array("float32", 3, 3), **kw)
    call("cross", array("float32", 4, 2), array("int32", 4, 3))
    call("vecdot", array("float32", 3, 2), array("float32", 3, 2), axis=0)

    m, n, v = array("float32", 3, 4), array("float32", 4, 5), array("float32", 4)
    sq, b3 = array("float32", 3, 3), array("float32", 2, 3, 4)
    one = array("float32", 1, 4)
    specs = [("ij,jk->ik", m, n), ("ij,jk", m, n), ("ij,jk->ki", m, n), ("ij->ji", m), ("ij", m), ("ji", m), ("ij->", m), ("ij->i", m), ("ii", sq), ("ii->i", sq),
             ("ii->", sq), ("ij,j->i", m, v), ("i,i->", v, v), ("i,j->ij", v, v), ("i,j->ji", v, v), ("bij,jk->bik", b3, n), ("bij,bij->b", b3, b3), ("bij,bkj->bik", b3, b3),
             ("bij,bij->bij", b3, b3), ("...ij,jk->...ik", b3, n), ("...j,jk->...k", m, n), ("...,...->...", m, m), ("i...->...i", b3), ("...", m), ("...ij->...ji", b3),
             ("ij,jk,kl->il", m, n, array("float32", 5, 2)), ("ij,jk,kl", m, n, array("float32", 5, 2)), ("i,i,i->i", v, v, v), ("i,j,k->ijk", v, v, v),
             ("ij,ik,il->jkl", m, m, m), ("bhqd,bhkd->bhqk", array("float32", 2, 3, 4, 5), array("float32", 2, 3, 6, 5)),
             ("bqhd,bkhd->bhqk", array("float32", 2, 4, 3, 5), array("float32", 2, 6, 3, 5)), ("bhqk,bkhd->bqhd", array("float32", 2, 3, 4, 6), array("float32", 2, 6, 3, 5)),
             ("ij,jk->ik", one, n), ("ij,kj->ik", one, m), ("ij,ij->ij", one, m), ("ij,ij->j", one, m), ("ij, jk -> ik", m, n), ("ab,bc,cd,de->ae", m, n, array("float32", 5, 2), array("float32", 2, 7)),
             ("abc,cd,de,bf->aef", b3, n, array("float32", 5, 2), array("float32", 3, 6)), ("ij,jk,k->i", m, n, array("float32", 5)), ("ii,ij->j", sq, m), ("iij->ij", array("float32", 3, 3, 4)),
             ("iij->j", array("float32", 3, 3, 4)), ("iii->i", array("float32", 3, 3, 3)), ("ij,jj->i", sq, sq), ("i,->i", v, 2.0), (",->", 1.0, 2.0), ("->", 3.0), ("i", v), ("i->", array("int32", 3)),
             ("ij,jk->ik", array("int32", 2, 3), array("bfloat16", 3, 2)), ("ij,jk->ik", array("bool", 2, 3), array("bool", 3, 2)), ("ij->i", array("bool", 2, 3)), ("i,i->", array("uint8", 3), array("uint8", 3)),
             ("i,i", weak(1.0, 3), weak(2, 3)), ("i,i", array("bfloat16", 3), weak(2.0, 3)), ("i,i->", array("complex64", 3), array("float32", 3)),
             ("ij,jk->il", m, n), ("ij,jk->iik", m, n), ("ij,jk->ik", m), ("ij->ij", v), ("ij,jk", m, m), ("ij-jk", m, n), ("ij->->k", m), ("i.j->", m), ("....->", m), ("...ijkl->", m), ("i!,ij", v, m),
             ("ij,jk->ik", m, [[1.0] * 5] * 4), ("ij,jk->ik", m, None), ("ij,jk->ik", m, "a"), (5, m), ("ij",), ("ab,ac->abc", m, m), ("a,ab,abc->abc", array("float32", 2), array("float32", 2, 3), b3),
             ("abcd,cd->ab", array("float32", 2, 3, 4, 5), array("float32", 4, 5)), ("nhwc,cd->nhwd", array("float32", 2, 3, 4, 5), array("float32", 5, 6)), ("ab,cd->abcd", m, n), ("ab,cd->acbd", m, n),
             ("ab,bc->c", m, n), ("ab,cd->a", m, n), ("ij,ji->", m, array("float32", 4, 3)), ("ij,ji->ij", sq, sq)]
    for spec in specs:
        call("einsum", *spec)
    call("einsum", m, [0, 1], n, [1, 2], [0, 2])
    call("einsum", m, [0, 1], n, [1, 2])
    call("einsum", m, [Ellipsis, 0], [0, Ellipsis])
    call("einsum", m, "ij", n, "jk")
    for kw in ({"precision": "high"}, {"preferred_element_type": jnp.float32}, {"preferred_element_type": int}, {"optimize": False}, {"optimize": True}, {"optimize": "greedy"}, {"out": 1},
               {"optimize": "nonsense"}, {"bogus": 1}, {"precision": jax.lax.Precision.HIGHEST}, {"preferred_element_type": jnp.bfloat16}):
        call("einsum", "ij,jk,kl->il", m, n, array("float32", 5, 2), **kw)
        call("einsum", "ij,jk->ik", m, n, **kw)
    # So many that their order is found greedily: a ring, the same names often, some without a name in common.
    ring = "abcdefghijklmnop"
    sides = [array("float32", 2 + i % 3, 2 + (i + 1) % len(ring) % 3) for i in range(len(ring))]
    call("einsum", ",".join(a + b for a, b in zip(ring, ring[1:] + "a")) + "->ai", *sides)
    call("einsum", ",".join(["ab", "bc", "d"] * 6) + "->cd", *[array("float32", *shape) for shape in [(2, 3), (3, 4), (5,)] * 6])
    call("einsum", "ab,bc,cd,de,ef->af", m, n, array("float32", 5, 2), array("float32", 2, 7), array("float32", 7, 3))

    for dtype in dtypes + ["float16", "int8"]:
        s = array(dtype, 5)
        s2 = array(dtype, 2, 3)
        for name in ("sort", "argsort", "argmax", "argmin", "nanargmax", "nanargmin", "sort_complex"):
            call(name, s)
            if name != "sort_complex":
                call(name, s2, 0)
                call(name, s2, axis=None)
                call(name, s2, 5)
                call(name, s2, axis=1.5)
        for name in ("sort", "argsort"):
            for kw in ({"stable": False}, {"descending": True}, {"descending": True, "stable": False}, {"kind": "quicksort"}, {"order": "f"}, {"dtype": jnp.int16}):
                call(name, s, **kw)
        call("argmax", s2, keepdims=True)
        call("argmax", s2, 1, keepdims=True)
        call("argmin", s2, 1, None, True)
        for kth in (0, 2, -1, 9, 1.5):
            call("partition", s, kth)
            call("argpartition", s, kth)
            call("partition", s2, 1, 0)
        call("lexsort", (s, s))
        for side in ("left", "right", "x"):
            for method in ("scan", "scan_unrolled", "sort", "compare_all", "y"):
                call("searchsorted", s, array(dtype, 3), side, method=method)
        call("searchsorted", s, 1)
        call("digitize", array("float32", 3), s)
        call("digitize", s, array("float32", 3), True)
    for name in ("sort", "argsort", "argmax", "argmin", "searchsorted", "lexsort", "partition", "nanargmax", "sort_complex"):
        extra = (1,) if name in ("searchsorted", "partition") else ()
        for value in (1.0, [3, 1], None, array("float32", 0), np.array([3, 1, 2]), weak(1.0, 3), array("float32")):
            call(name, value, *extra)
    call("argmax", v, out=1)
    call("searchsorted", m, 1)
    call("searchsorted", v, v, sorter=array("int32", 4))
    call("searchsorted", array("float32", 0), v)
    call("digitize", v, m)
    call("digitize", v, array("float32", 0))
    call("lexsort", [])
    call("lexsort", [v, m])
    call("lexsort", (m, m), 0)

    def vec(f, *args, **kwargs):
        C.call("vectorize", lambda *a: ours.vectorize(f, **kwargs)(*a), lambda *a: jnp.vectorize(f, **kwargs)(*a), *args)
    vec(lambda a, b: a + b, m, v)
    vec(lambda a, b: a + b, m, array("float32", 3, 1))
    vec(lambda a, b: a @ b, b3, v, signature="(n,m),(m)->(n)")
    vec(lambda a, b: a @ b, array("float32", 5, 1, 3, 4), array("float32", 2, 4), signature="(n,m),(m)->(n)")
    vec(lambda a, b: a @ b, m, array("float32", 3), signature="(n,m),(m)->(n)")
    vec(lambda a, b: a @ b, v, v, signature="(n,m),(m)->(n)")
    vec(lambda a: (a, a), m, signature="(n)->(n),(n)")
    vec(lambda a: a, m, signature="(n)->(n),(n)")
    vec(lambda a: a, m, signature="(n)->()")
    vec(lambda a: a, m, signature="nonsense")
    vec(lambda a, b: a + b, m, v, excluded=(1,))
    vec(lambda a, b: a + b, m, v, excluded=(-1,))
    vec(lambda a, b: a + b, m)
    vec(lambda a, b: a if b is None else b, m, None)
    C.call("apply_along_axis", ours.apply_along_axis, jnp.apply_along_axis, jnp.sum, 1, b3)
    C.call("apply_along_axis", ours.apply_along_axis, jnp.apply_along_axis, jnp.sort, 0, b3)
    C.call("apply_along_axis", ours.apply_along_axis, jnp.apply_along_axis, jnp.sort, 9, b3)
    C.call("apply_over_axes", ours.apply_over_axes, jnp.apply_over_axes, jnp.sum, b3, (0, 1))
    f1, f2 = jnp.sin, lambda t: t * 2
    C.call("piecewise", lambda x: ours.piecewise(x, [x < 0, x > 1], [f1, f2, 3.0]), lambda x: jnp.piecewise(x, [x < 0, x > 1], [f1, f2, 3.0]), v)
    C.call("piecewise", lambda x: ours.piecewise(x, [x < 0], [f1, f2, 3.0]), lambda x: jnp.piecewise(x, [x < 0], [f1, f2, 3.0]), v)
    C.call("piecewise", lambda x: ours.piecewise(x, [x < 0], [f1]), lambda x: jnp.piecewise(x, [x < 0], [f1]), v)
    for value in (1.5, array("float32", 3), array("float32", 2, 3), array("int32", 3), array("bool", 3), array("complex64", 3), array("float16", 3), array("bfloat16", 3), [1.5], None, weak(1.5, 2), np.arange(3.0)):
        for name in ("clip", "round", "around", "nan_to_num", "iscomplex", "isreal", "angle"):
            call(name, value)
        for args in ((0,), (0, 1), (None, 1), (0.5, 2), (array("float32", 3), 1), (1j,), (0, None), ("a",)):
            call("clip", value, *args)
        call("clip", value, min=0)
        call("clip", value, max=1, min=0)
        call("clip", value, a_min=0)
        for decimals in (1, -1, 50, 1.5):
            call("round", value, decimals)
        call("round", value, out=1)
        call("nan_to_num", value, nan=1, posinf=2.0, neginf=-3)
        call("angle", value, deg=True)
        for name in ("isclose", "allclose", "array_equal", "array_equiv"):
            for other in (1.0, array("float32", 3), array("int32", 2), array("complex64", 3), [1.0]):
                call(name, value, other)
                call(name, value, other, equal_nan=True)
            if name in ("isclose", "allclose"):
                call(name, value, 1.0, 1e-3, 1e-2)

        def asked(name):
            C.call(name, lambda x: jnp.array(getattr(ours, name)(x)), lambda x: jnp.array(getattr(jnp, name)(x)), value)
        for name in ("iscomplexobj", "isrealobj", "isscalar", "shape", "ndim", "size"):
            asked(name)
