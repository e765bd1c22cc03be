"""NumPy's arrays: views and copies, writing in place, ufuncs, errors. Runs under CPython with NumPy 2.4 too."""
import numpy as np

# Slices, single rows, transposes and reshapes show the numbers of their base; what is picked by lists and masks is copied.
a = np.zeros((3, 4))
row = a[0]
row[:] = 1
assert a[0].tolist() == [1.0] * 4 and a.sum() == 4.0
a[1:3] += 2
assert a.tolist() == [[1.0] * 4, [2.0] * 4, [2.0] * 4]
t = a.T
t[0, 2] = 7
assert a[2, 0] == 7.0
flat = a.reshape(-1)
flat[1] = 9
assert a[0, 1] == 9.0 and t[1, 0] == 9.0
column = a[:, 1]
column *= 10
assert a[:, 1].tolist() == [90.0, 20.0, 20.0] and flat[5] == 20.0
picked = a[[0, 1]]
picked[:] = -1
assert a[1, 1] == 20.0
masked = a[a > 50]
masked[0] = 0
assert a[0, 1] == 90.0
b = a.copy()
b[0, 0] = 123
assert a[0, 0] == 1.0
c = a.T.ravel()
c[0] = 55
assert a[0, 0] == 1.0
d = a.ravel()
d[0] = 55
assert a[0, 0] == 55.0
e = np.transpose(a)[1:, ::2]
e[...] = 0
assert a[0].tolist() == [55.0, 0.0, 0.0, 0.0] and a[1].tolist() == [2.0, 20.0, 2.0, 2.0]
assert a.base is None and row.base is a and np.shares_memory(a, row) and not np.shares_memory(a, b)
assert a.strides == (32, 8) and a.T.strides == (8, 32) and a[:, ::2].strides == (32, 16)
for r in a:
    r[0] = 4
assert a[:, 0].tolist() == [4.0, 4.0, 4.0]
x = np.arange(6)
first, second = np.split(x, 2)
second[0] = 100
assert x[3] == 100
np.flip(x)[0] = 77
assert x[5] == 77
y = np.asarray(x)
assert y is x and np.array(x) is not x
z = x
z += 1
assert z is x and x.tolist() == [1, 2, 3, 101, 5, 78]
x[x > 50] = 0
assert x.tolist() == [1, 2, 3, 0, 5, 0]
x[[0, 1]] = [8, 9]
x[2:4] = 6, 7
assert x.tolist() == [8, 9, 6, 7, 5, 0]
x.fill(3)
assert x.tolist() == [3] * 6
x[::2] = np.arange(3)
x.sort()
assert x.tolist() == [0, 1, 2, 3, 3, 3]

# Ufuncs are objects.
assert np.add.reduce([1, 2, 3]) == 6 and np.multiply.outer([1, 2], [3, 4]).tolist() == [[3, 4], [6, 8]]
assert np.add.accumulate([1, 2, 3]).tolist() == [1, 3, 6] and np.add.nin == 2 and np.add.nout == 1
assert np.maximum.reduce(np.array([[1, 5], [4, 2]])).tolist() == [4, 5]
counts = np.zeros(3, int)
np.add.at(counts, [0, 0, 2], 1)
assert counts.tolist() == [2, 0, 1]
out = np.empty(3)
assert np.sqrt([1, 4, 9], out=out) is out and out.tolist() == [1.0, 2.0, 3.0]
np.multiply(out, 2, out=out, where=np.array([True, False, True]))
assert out.tolist() == [2.0, 2.0, 6.0]
np.add(out, 1, out)
assert out.tolist() == [3.0, 3.0, 7.0]
assert np.divide([1.0, 2.0], [0.0, 2.0], out=np.zeros(2), where=np.array([False, True])).tolist() == [0.0, 1.0]
assert isinstance(np.add, np.ufunc) and np.add.__name__ == "add"
np.copyto(out, 5)
np.putmask(out, out > 4, [1, 2, 3])
assert out.tolist() == [1.0, 2.0, 3.0]

# Scalars.
s = np.float64(2.5)
assert isinstance(s, float) and s[()] == 2.5 and s == 2.5 and float(s) == 2.5 and round(s) == 2
assert f"{np.float64(1.25):6.1f}" == "   1.2" and format(np.int64(3), "3d") == "  3" and [10, 20][np.int64(1)] == 20
assert hash(np.int64(3)) == hash(3) and {3: "x"}[np.int64(3)] == "x" and np.int64(3) in (1, 2, 3)
assert np.array(1.0).astype("float32").ndim == 0 and type(np.array(1.0).astype("float32")) is np.ndarray
assert type(np.array(1.0) + 1) is np.float64 and type(np.arange(3)[1]) is np.int64 and np.arange(3).sum().dtype == np.int64
assert np.float32(3).item() == 3.0 and np.int8(5).astype(float).dtype == np.float64
assert str(np.float64(0.5)) == "0.5" and int(np.float32(7.9)) == 7 and bool(np.bool_(True)) is True

# Names.
assert list(np.ndindex(2, 2)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
assert [(i, int(v)) for i, v in np.ndenumerate(np.array([[1, 2]]))] == [((0, 0), 1), ((0, 1), 2)]
assert np.binary_repr(5) == "101" and np.binary_repr(-3, 5) == "11101" and np.base_repr(255, 16) == "FF"
assert np.min_scalar_type(300) == np.uint16 and np.can_cast(np.int8, np.float32) and not np.can_cast("float64", "int64")
assert np.result_type(np.int8, np.float32) == np.float32 and np.promote_types("i4", "u4") == np.int64
assert np.fix(2.7) == 2.0 and np.vectorize(lambda v: v * 2)([1, 2]).tolist() == [2, 4]
assert np.mean([1, 2, 3]) == 2.0 and np.max([[1, 5], [3, 2]], axis=0).tolist() == [3, 5] and np.isscalar(3.0)
with np.errstate(divide="ignore"), np.printoptions(precision=3):
    pass
assert np.broadcast_shapes((2, 1), (3,)) == (2, 3) and np.ndim([[1]]) == 2 and np.size([1, 2]) == 2
np.testing.assert_allclose([1.0, 2.0], [1.0, 2.0])
np.testing.assert_array_equal(np.arange(3), [0, 1, 2])
assert [len(p) for p in np.array_split(np.arange(7), 3)] == [3, 2, 2]
known = ["poly1d", "datetime64", "ma", "matrix", "genfromtxt", "nditer", "typecodes", "char", "emath", "memmap", "recarray", "testing"]
for name in known:
    getattr(np, name)
for gone in ("NaN", "Inf", "float_", "product", "in1d", "foo", "infty", "unicode_"):
    assert not hasattr(np, gone), gone


def fails(call, kind, text):
    try:
        call()
    except kind as error:
        assert type(error).__name__ == kind.__name__, type(error)
        assert str(error) == text, str(error)
    else:
        assert False, text


def assign(target, index, value):
    target[index] = value


def iadd(target, value):
    target += value


def idiv(target, value):
    target /= value


v = np.ones(3)
fails(lambda: v + np.ones(4), ValueError, "operands could not be broadcast together with shapes (3,) (4,) ")
fails(lambda: np.maximum(v, np.ones((2, 4))), ValueError, "operands could not be broadcast together with shapes (3,) (2,4) ")
fails(lambda: v == np.ones(4), ValueError, "operands could not be broadcast together with shapes (3,) (4,) ")
fails(lambda: v[5], IndexError, "index 5 is out of bounds for axis 0 with size 3")
fails(lambda: np.ones((2, 3))[0, 4], IndexError, "index 4 is out of bounds for axis 1 with size 3")
fails(lambda: v[[0, 7]], IndexError, "index 7 is out of bounds for axis 0 with size 3")
fails(lambda: v[1, 2], IndexError, "too many indices for array: array is 1-dimensional, but 2 were indexed")
fails(lambda: v["x"], IndexError, "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
      "arrays are valid indices")
fails(lambda: v[np.array([True, False])], IndexError,
      "boolean index did not match indexed array along axis 0; size of axis is 3 but size of corresponding boolean axis is 2")
fails(lambda: v.reshape(2, 2), ValueError, "cannot reshape array of size 3 into shape (2,2)")
fails(lambda: v @ np.ones(4), ValueError, "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
      "(n?,k),(k,m?)->(n?,m?) (size 4 is different from 3)")
fails(lambda: np.sum(v, axis=2), np.exceptions.AxisError, "axis 2 is out of bounds for array of dimension 1")
fails(lambda: np.expand_dims(v, 3), np.exceptions.AxisError, "axis 3 is out of bounds for array of dimension 2")
fails(lambda: np.swapaxes(v, 0, 1), np.exceptions.AxisError, "axis2: axis 1 is out of bounds for array of dimension 1")
fails(lambda: np.transpose(v, (0, 1)), ValueError, "axes don't match array")
fails(lambda: np.broadcast_to(v, (2, 4)), ValueError,
      "operands could not be broadcast together with remapped shapes [original->remapped]: (3,)  and requested shape (2,4)")
fails(lambda: np.zeros(-1), ValueError, "negative dimensions are not allowed")
fails(lambda: np.split(v, 2), ValueError, "array split does not result in an equal division")
fails(lambda: -np.array([True]), TypeError, "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator "
      "or the logical_not function instead.")
fails(lambda: assign(v, slice(2), np.ones(3)), ValueError, "could not broadcast input array from shape (3,) into shape (2,)")
fails(lambda: assign(v, 5, 1), IndexError, "index 5 is out of bounds for axis 0 with size 3")
fails(lambda: iadd(v, np.ones((2, 3))), ValueError,
      "non-broadcastable output operand with shape (3,) doesn't match the broadcast shape (2,3)")
fails(lambda: bool(v), ValueError, "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
fails(lambda: s[0], IndexError, "invalid index to scalar variable.")
fails(lambda: np.linalg.inv(np.ones((2, 3))), np.linalg.LinAlgError, "Last 2 dimensions of the array must be square")
fails(lambda: np.squeeze(np.ones((2, 1)), 0), ValueError, "cannot select an axis to squeeze out which has size not equal to one")
fails(lambda: np.foo, AttributeError, "module 'numpy' has no attribute 'foo'")
fails(lambda: np.Inf, AttributeError, "`np.Inf` was removed in the NumPy 2.0 release. Use `np.inf` instead.")
fails(lambda: v.foo, AttributeError, "'numpy.ndarray' object has no attribute 'foo'")
try:
    idiv(np.ones(3, int), 2)
except TypeError as error:
    assert str(error) == "Cannot cast ufunc 'divide' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'"
else:
    assert False


# A floating type that is asked for is the one that a function computes in.
ends = np.linspace(0.0, 1.0, 5)
ends[-1] = np.nextafter(ends[-1], np.inf, dtype=np.float32)
ends[0] = np.nextafter(ends[0], -np.inf, dtype="float32")
assert ends[-1] == 1.0000001192092896 and ends[0] < 0 < ends[1]
assert np.add(1.0, 1e-9, dtype=np.float32) == 1.0 and np.add(1.0, 1e-9) != 1.0
assert np.multiply(np.arange(3), 2, dtype=np.float64).dtype == np.float64
assert np.sqrt(2, dtype=np.float32).dtype == np.float32
assert np.equal(1.0, 2, dtype=bool) == False and np.isfinite([1.0], dtype=bool).all()
assert np.add(2**24, 1, dtype=np.float32) == 2**24


# Arrays of objects, at places and under masks.
names = np.array([b"a\x00", None, "c"], dtype=object)
assert list(names[np.array([2, 0])]) == ["c", b"a\x00"] and list(names[[1]]) == [None]
assert list(names[np.array([True, False, True])]) == [b"a\x00", "c"] and names[np.array([[0, 1]])].shape == (1, 2)
drawn = np.random.RandomState(0).choice(names, size=2, replace=False)
assert list(drawn) == ["c", None] and np.random.RandomState(0).choice(names) == b"a\x00"

# Types are ordered by what can be cast without loss.
assert np.dtype("int8") < np.dtype("int32") and not np.dtype("int32") < np.dtype("int32")
assert np.dtype("int8") <= np.int32 and np.int32 >= np.dtype("int8") and not np.dtype("int32") <= np.dtype("float32")
assert np.dtype("float64") > "f4" and not np.dtype("float64") < "f4" and np.dtype("f4") < float
assert not np.min_scalar_type(2) > np.dtype(np.int32)
assert not np.dtype("int8") < np.dtype("uint8") and not np.dtype("int8") > np.dtype("uint8")
assert np.dtype("f4") < None and np.dtype("bool") <= np.dtype("float16")
try:
    np.dtype("f4") < 3
    assert False
except TypeError as error:
    assert "'<' not supported between instances of" in str(error)

# Numbers of every floating type say whether they are whole.
assert np.float32(2.0).is_integer() and not np.float32(2.5).is_integer() and np.int8(3).is_integer()
assert np.float32(0.1).as_integer_ratio() == (13421773, 134217728) and np.float16(2.5).as_integer_ratio() == (5, 2)
assert not hasattr(np.float32(1.0), "hex") and np.float64(1.0).hex() == "0x1.0000000000000p+0"

# Floats are rounded by a power of ten there and back, and whole percentiles are divided before they meet the array.
x = np.array([-1.24299, 0.32999, 2.5], np.float32)
assert repr(x.round(4)) == "array([-1.243,  0.33 ,  2.5  ], dtype=float32)" and str(round(np.float32(2.71828), 3)) == "2.718"
assert np.round(np.array([1.0, 8.04, 15.075]) * 1.005, 2).tolist() == [1.0, 8.08, 15.15] and np.round(np.array([15, 25, 251]), -2).tolist() == [0, 0, 300]
x = np.array([-6, -1, 0.25, 2, 5.5], np.float32)
assert np.percentile(x, [5, 50]).round(6).tolist() == [-5.0, 0.25] and np.percentile(x, [95]).round(6).tolist() == [4.8] and np.percentile(x, [5, 50]).dtype == np.float64
assert np.percentile(x, 50).dtype == np.float32 and np.percentile(x, [5, 50], method="lower").dtype == np.float32
assert np.quantile(x, [0, 1]).tolist() == [-6.0, 5.5] and np.quantile(x, [0, 1]).dtype == np.float32 and np.quantile(np.arange(7), 1) == 6

# Methods of the types of numbers.
assert callable(np.int32.is_integer) and np.int32.is_integer(np.int32(3)) and np.float32.sum(np.float32(2)) == 2
assert [hasattr(t, "is_integer") for t in (np.integer, np.float16, np.floating, np.bool_, np.generic)] == [True, True, False, False, False]
assert hasattr(np.generic, "item") and not hasattr(np.float32, "hex") and hasattr(np.uint8, "bit_count")
try:
    np.bool_.is_integer
    assert False
except AttributeError as error:
    assert "has no attribute 'is_integer'" in str(error)
