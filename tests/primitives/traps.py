"""Records what real JAX gives where programs and intuition part: edges of numbers, of integers, of indices, of short floats.

    python tests/primitives/traps.py

`traps.json` has two programs (32 and 64 bits), whose functions `case_…` are traced and evaluated by the Rust test, and the results as the
bytes that JAX gave for them, compiled and operation by operation. `close` is set where the last bits of a function may differ.
"""
import json
import pathlib
import warnings

import jax
import jax.numpy as jnp
import numpy as np

warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).parent
HEADER = """import jax, jax.numpy as jnp, numpy as np
from jax import lax
import jax.random as jr
nan, inf = float("nan"), float("inf")
def a(values, dtype="float32"): return jnp.asarray(np.array(values)).astype(dtype)
def bits(x): return lax.bitcast_convert_type(x, {2: jnp.uint16, 4: jnp.uint32}[x.dtype.itemsize])
def raw(*words): return lax.bitcast_convert_type(jnp.array(words, jnp.uint32), jnp.float32)
"""
EDGE = "a([0.0, -0.0, 0.75, -0.75, 2.5, -3.5, inf, -inf, nan, 5e-41, -5e-41, 88.0, -120.0, 2e38], '{}')"
PAIR = ("a([0.0, -0.0, 1.5, -1.5, nan, 4.0, inf, -inf, 7.0, -7.0, 1e-40, 3e38], '{0}')",
        "a([-0.0, 0.0, nan, 2.0, 3.0, -inf, inf, inf, 2.5, 2.5, 1.0, 3e38], '{0}')")
LIMITS = {"int8": (-128, 127), "int16": (-32768, 32767), "int32": (-2**31, 2**31 - 1), "uint8": (0, 255), "uint32": (0, 2**32 - 1),
          "int64": (-2**63, 2**63 - 1), "uint64": (0, 2**64 - 1), "uint16": (0, 65535)}
CASES = []          # (x64, close, function, arguments)


def case(function, *args, x64=False, close=False):
    CASES.append((x64, close, function, args))


for t in ("float32", "bfloat16", "float16"):
    for name in "neg abs sign square sqrt floor ceil round is_finite exp log tanh logistic".split():
        case(f"lax.{name}" if name != "round" else "jnp.round", EDGE.format(t))
    for name in "log1p expm1 sin cos tan rsqrt cbrt asin acos atan sinh cosh asinh acosh atanh erf erfc erf_inv lgamma digamma".split():
        case(f"lax.{name}", EDGE.format(t).replace("5e-41, -5e-41, ", "0.25, -0.25, "), close=True)
    for name in "max min add sub mul div rem eq ne lt ge".split():
        case(f"lax.{name}", *[p.format(t) for p in PAIR])
    for name in "pow atan2".split():
        case(f"lax.{name}", *[p.format(t).replace("1e-40", "0.5") for p in PAIR], close=True)
    case("lambda x: (lax.sort(x), jnp.argsort(x), jnp.argmax(x), jnp.argmin(x), jnp.max(x), jnp.min(x))", f"a([2.0, nan, -inf, 0.0, -0.0, inf, 2.0, nan], '{t}')")
    case("lambda x: lax.top_k(x, 4)", f"a([2.0, nan, 9.0, 9.0, inf, 2.0], '{t}')")
    case("lambda x: (lax.cummax(x), lax.cummin(x), lax.cumsum(x), lax.cumprod(x))", f"a([2.0, 1.0, nan, 3.0], '{t}')")
    case("lambda x: jnp.cumsum(x)[250:270]", f"jnp.ones(300, '{t}')")
    case("lambda x, y: (x @ y, x.sum(), x.mean())", f"jnp.ones((2, 700), '{t}')", f"jnp.ones((700, 2), '{t}')")
    case("lambda x, i: x.at[i].add(1.0)", f"jnp.full(2, 255.0, '{t}')", "jnp.array([0, 0, 1, 0, 5, -1])")
for name in "add mul max sqrt exp log neg abs sign floor tanh".split():
    args = ["raw(1, 0x7fffff, 0x80000003, 0x400000)"] * (2 if name in ("add", "mul", "max") else 1)
    case(f"lambda *x: bits(lax.{name}(*x))", *args)
case("lambda x: (x == 0, x > 0, x < 0, x @ x)", "raw(5, 0x80000005, 0x700000, 0)")
for t, (low, high) in LIMITS.items():
    x64 = "64" in t
    values = sorted({v for v in (low, low + 1, -7, -1, 0, 1, 2, 5, high - 1, high) if low <= v <= high})
    left = [v for v in values for _ in values]
    right = [v for _ in values for v in values]
    args = [f"jnp.asarray(np.array({left}, '{t}'))", f"jnp.asarray(np.array({right}, '{t}'))"]
    for name in "add sub mul div rem max min shift_left shift_right_arithmetic shift_right_logical".split():
        case(f"lax.{name}", *args, x64=x64)
    case("lambda x, y: (x // y, x % y, x & y, x ^ y, ~x)", *args, x64=x64)
    case("lambda x: (lax.population_count(x), lax.clz(x), lax.neg(x), lax.sign(x), lax.integer_pow(x, 5))", args[0], x64=x64)
    case("lambda x: (x.sum(), x.prod(), x.max(), lax.cumsum(x), lax.argmax(x, 0, jnp.int32))", args[0], x64=x64)
    for u in ("int8", "uint8", "int32", "uint32", "float32", "bfloat16", "float16", "bool"):
        case(f"lambda x: lax.convert_element_type(x, '{u}')", args[0], x64=x64)
for t in ("float32", "bfloat16", "float16"):
    for u in ("int8", "uint8", "int16", "int32", "uint32", "bool", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"):
        case(f"lambda x: lax.convert_element_type(x, '{u}').astype('float32')", f"a([0.4, -0.6, 1.5, 2.5, 127.6, -129.0, 300.0, 6e4, 7e4, 5e9, -5e9, inf, -inf, nan], '{t}')")
case("lambda x: (lax.reduce_precision(x, 4, 3), lax.reduce_precision(x, 8, 7))", "a([1.06, 1.07, 250.0, 480.0, 1e-3, -0.01, inf])")
INDEX = "jnp.array([0, 2, 3, -1, -3, -4, 50])"
for mode in ("None", "'fill'", "'clip'", "'wrap'", "'promise_in_bounds'"):
    if mode != "'wrap'":
        case(f"lambda x, i: x.at[i].get(mode={mode})", "a([1.0, 2.0, 3.0])", INDEX)
    case(f"lambda x, i: x.at[i].set(a([1., 2., 3., 4., 5., 6., 7.]), mode={mode})" if mode != "'wrap'" else "lambda x, i: jnp.take(x, i, mode='wrap')",
         "jnp.zeros(3)", INDEX)
for t in ("int32", "uint8", "bool", "bfloat16", "complex64"):
    case("lambda x, i: x.at[i].get(mode='fill')", f"jnp.ones(3, '{t}')", INDEX)
for op in ("add", "multiply", "min", "max"):
    case(f"lambda x, i: x.at[i].{op}(a([1., nan, 3., 4., 5., 6., -7.]))", "a([2.0, nan, 3.0])", INDEX)
for start in (-9, -1, 0, 2, 4, 77):
    case("lambda x, i: (lax.dynamic_slice(x, (i,), (2,)), lax.dynamic_update_slice(x, x[:2] + 9, (i,)))", "jnp.arange(5.0)", f"jnp.int32({start})")
    case("lambda i: lax.switch(i, [lambda: 10, lambda: 11, lambda: 12])", f"jnp.int32({start})")
case("lambda x: (lax.pad(x, 7., ((-1, 2, 1),)), lax.pad(x, 7., ((2, -2, 0),)), lax.rev(x, (0,)))", "jnp.arange(4.0)")
case("lambda x: (lax.reduce_window(x, -jnp.inf, lax.max, (3,), (2,), 'SAME'), lax.reduce_window(x, 0., lax.add, (2,), (1,), 'VALID', None, (2,)))", "jnp.arange(7.0)")
case("lambda x, w: (lax.conv_general_dilated(x, w, (2,), 'SAME'), lax.conv_general_dilated(x, w, (1,), ((2, 1),), lhs_dilation=(2,)))",
     "jnp.arange(5.0).reshape(1, 1, 5)", "a([[[1., 10., 100.]]])")
case("lambda x: jax.grad(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (3,), (1,), 'VALID').sum())(x)", "a([1., 3., 3., 2., 3.])")
case("lambda x: (lax.scan(lambda c, y: (c + y, c), 0., x, reverse=True), lax.fori_loop(3, 1, lambda i, c: c + 1, 0))", "jnp.arange(3.0)")
case("lambda x: (jnp.max(x), x.sum(), jnp.prod(x), jnp.all(x > 0), jnp.any(x > 0))", "a([True, False], 'bool')")
C = "a([complex(1, 2), complex(-1, 0.5), complex(0, 0), complex(3e20, 4e20)], 'complex64')"
case("lambda x: (x * x, x + x, lax.real(x), lax.imag(x), lax.conj(x), lax.sort(x))", C)
case("lambda x: (x / (x + 1), lax.abs(x), lax.sqrt(x), lax.exp(x / 1e21), lax.sign(x))", C, close=True)
for seed in (0, 7):
    key = f"jr.key({seed})"
    case(f"lambda: (jr.bits({key}, (3, 2)), jr.bits({key}, (3,), jnp.uint8), jr.key_data(jr.split({key}, 3)), jr.key_data(jr.fold_in({key}, 5)))")
    case(f"lambda: (jr.uniform({key}, (5,)), jr.randint({key}, (5,), -3, 9), jr.permutation({key}, 7), jr.bernoulli({key}, 0.4, (6,)))")
    case(f"lambda: (jr.normal({key}, (5,)), jr.gumbel({key}, (3,)), jr.exponential({key}, (3,)), jr.truncated_normal({key}, -1., 1., (3,)))", close=True)


def encoded(outs):
    rows = []
    for x in jax.tree.leaves(outs):
        x = np.asarray(x)
        rows.append({"t": x.dtype.name, "s": list(x.shape), "hex": x.tobytes().hex()})
    return rows


def main():
    programs = []
    for wide in (False, True):
        jax.config.update("jax_enable_x64", wide)
        scope = {}
        exec(HEADER, scope)  # noqa: S102
        text, rows = HEADER, []
        if wide:
            text = "import jax\njax.config.update('jax_enable_x64', True)\n" + text
        for i, (x64, close, function, args) in enumerate(CASES):
            if x64 != wide:
                continue
            text += f"f_{i} = {function}\n@jax.jit\ndef case_{i}(*args): return f_{i}(*args)\ncase_{i}({', '.join(args)})\n"
            f = eval(function, scope)  # noqa: S307
            given = [eval(arg, scope) for arg in args]  # noqa: S307
            try:
                with jax.disable_jit():
                    eager = encoded(f(*given))
                compiled = encoded(jax.jit(f)(*given))
            except Exception as error:
                raise RuntimeError(f"{function} {args}") from error
            row = {"name": f"case_{i}", "what": function, "out": eager, "close": close}
            if compiled != eager:
                row["compiled"] = compiled
            rows.append(row)
        programs.append({"text": text, "cases": rows})
    (HERE / "traps.json").write_text(json.dumps(programs, indent=0) + "\n")
    print(sum(len(p["cases"]) for p in programs), "cases")


main()
