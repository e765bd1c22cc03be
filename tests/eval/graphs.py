"""Random programs: functions of a few arrays, built of operations that fit the types and shapes at hand.

The text of each is both run under real JAX and evaluated by jitlens. What decides about something (a comparison, an index, a rounding) is made of
exact values only, so that last bits of other functions decide about nothing.
"""

import random

FLOATS = ["float32", "float32", "float32", "bfloat16", "float16"]
INTS = ["int32", "int32", "uint8", "int8", "int16", "uint32"]
SHORT = ["float8_e4m3fn", "float8_e5m2"]


class Value:
    def __init__(self, name, dtype, shape, exact, wild=False):
        self.name, self.dtype, self.shape, self.exact, self.wild = name, dtype, tuple(shape), exact, wild

    @property
    def kind(self):
        if self.dtype in SHORT:
            return "short"
        if self.dtype.startswith(("float", "bfloat")):
            return "float"
        return "complex" if self.dtype.startswith("complex") else "bool" if self.dtype == "bool" else "int"

    @property
    def size(self):
        n = 1
        for d in self.shape:
            n *= d
        return n


class Graph:
    """A function `g(a, b, …)` as text, with its inputs and results."""

    def __init__(self, seed, differentiable):
        self.rng = random.Random(seed)
        self.lines, self.values, self.count, self.differentiable = [], [], 0, differentiable
        rng = self.rng
        # What is differentiated are the first two; indices and choices may stand behind them.
        kinds = ["float"] * 2 + rng.choices([[], ["int"], ["bool"], ["int", "bool"]], [5, 3, 1, 1])[0] if differentiable else rng.choices(
            ["float", "int", "bool", "complex", "short"], [6, 4, 1, 1, 1], k=rng.randint(1, 3))
        wide = "float32" if rng.random() < 0.85 else rng.choice(["bfloat16", "float16"])
        base = [rng.randint(1, 5) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.05:
            base = [rng.choice([4097, 9000])]
        self.inputs = []
        for i, kind in enumerate(kinds):
            dtype = {"float": rng.choice(FLOATS) if not differentiable else wide, "int": rng.choice(INTS), "bool": "bool", "complex": "complex64",
                     "short": rng.choice(SHORT)}[kind]
            shape = base if rng.random() < 0.7 else base[rng.randint(0, len(base)):]
            self.inputs.append(Value("abcd"[i], dtype, shape, True))
        self.values += self.inputs
        for _ in range(rng.randint(2, 9)):
            for _ in range(20):
                if self.step():
                    break

    def pick(self, *kinds, exact=False, rank=0, most=1 << 30):
        found = [v for v in self.values if (not kinds or v.kind in kinds) and (v.exact or not exact) and len(v.shape) >= rank and 0 < v.size <= most and not v.wild]
        # Late values are taken more often, so that graphs get deep.
        return self.rng.choices(found, [1 + i for i in range(len(found))])[0] if found else None

    def add(self, text, dtype, shape, exact):
        name = f"v{self.count}"
        self.count += 1
        self.lines.append(f"    {name} = {text}")
        self.values.append(Value(name, dtype, shape, exact))
        return True

    def partner(self, x, exact=False):
        """Another value of the same type that broadcasts to the shape of `x`."""
        fits = [v for v in self.values if v.dtype == x.dtype and (v.exact or not exact) and broadcasts(v.shape, x.shape)]
        return self.rng.choice(fits)

    def step(self):
        name = self.rng.choice(STEPS)
        return getattr(self, name)()

    # Each of them adds a line, or says that nothing fits.
    def unary(self):
        x = self.pick("float")
        if not x:
            return False
        f = self.rng.choice(["jnp.sin({0})", "jnp.cos({0})", "jnp.tanh({0})", "jnp.exp(-jnp.abs({0}))", "jax.nn.sigmoid({0})", "jnp.abs({0})", "-{0}",
                             "lax.square({0} * 0.25)", "jnp.sqrt(jnp.abs({0}) + 0.5)", "jnp.log1p(jnp.abs({0}))", "lax.rsqrt(jnp.abs({0}) + 1)", "lax.erf({0})",
                             "jnp.arctan({0})", "jax.nn.gelu({0})", "jax.nn.relu({0})", "lax.integer_pow({0} * 0.5, 3)", "jnp.expm1(-jnp.abs({0}))",
                             "lax.cbrt(jnp.abs({0}) + 1)", "jax.nn.softplus({0})", "jnp.log(jnp.abs({0}) + 1)", "jnp.arcsinh({0})", "lax.lgamma(jnp.abs({0}) + 1)"])
        return self.add(f.format(x.name), x.dtype, x.shape, x.exact and f in ("-{0}", "jnp.abs({0})", "jax.nn.relu({0})"))

    def rounded(self):
        x = self.pick("float", exact=True)
        if not x or self.differentiable:
            return False
        f = self.rng.choice(["jnp.floor({0})", "jnp.ceil({0})", "jnp.round({0})", "jnp.sign({0})", "lax.reduce_precision({0}, 5, 4)", "jnp.trunc({0})"])
        return self.add(f.format(x.name), x.dtype, x.shape, True)

    def binary(self):
        x = self.pick("float")
        if not x:
            return False
        y = self.partner(x)
        f = self.rng.choice(["{0} + {1}", "{0} - {1}", "{0} * {1} * 0.25", "jnp.maximum({0}, {1})", "jnp.minimum({0}, {1})", "{0} / (jnp.abs({1}) + 1)",
                             "(jnp.abs({0}) + 0.5) ** (jnp.tanh({1}))", "jnp.arctan2({0}, jnp.abs({1}) + 1)", "jnp.logaddexp({0}, {1})", "jnp.hypot({0}, {1} + 8)"])
        return self.add(f.format(x.name, y.name), x.dtype, x.shape, x.exact and y.exact and f.startswith("jnp.m"))

    def quotient(self):
        """What XLA writes in another way once it is compiled: quotients, powers, exponentials and roots of each other, by what is repeated along axes."""
        x = self.pick("float")
        if not x:
            return False
        y, rng = self.partner(x).name, self.rng
        along = rng.randrange(len(x.shape)) if x.shape else None
        by = rng.choice([f"(jnp.abs({y}) + 1)", f"jnp.exp({y} * 0.125)", f"jnp.sqrt(jnp.abs({y}) + 0.5)", f"{rng.choice([3, 0.3, 7])}"]
                        + ([f"(jnp.abs({x.name}).mean({along}, keepdims=True) + 0.5)", f"jnp.exp({x.name} * 0.125).sum({along}, keepdims=True)"] if x.shape else []))
        f = rng.choice(["{x} / {by}", "{x} / {by} / {by}", "{x} / (3 / {by})", "({x} / {by}) * ({y} / 3)", "jnp.exp(-jnp.abs({x})) / {by}", "jnp.log({by} ** 2 + 0 * {x})",
                        "jnp.log(jnp.exp({x} * 0.125))", "1 / jnp.sqrt({x} * {x} + {by})", "{x} * lax.rsqrt({x} * {x} + {by})", "{x} * {by} / {by}", "-({x} - {y}) / {by}",
                        "jnp.sqrt({x} * {x} + 1) * jnp.sqrt({x} * {x} + 1)", "({by} + 0 * {x}) ** -1", "jnp.exp({x} * 0.125) * jnp.exp({y} * 0.125)", "(0.5 * {x} + {x} * {by}) * 0.25"])
        return self.add(f"({f.format(x=x.name, y=y, by=by)}).astype('{x.dtype}')", x.dtype, x.shape, False)

    def whole(self):
        x = self.pick("int")
        if not x:
            return False
        y = self.partner(x)
        f = self.rng.choice(["{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} // {1}", "{0} % {1}", "{0} & {1}", "{0} | {1}", "{0} ^ {1}", "~{0}", "{0} << ({1} & 7)",
                             "{0} >> ({1} & 7)", "jnp.maximum({0}, {1})", "jnp.minimum({0}, {1})", "lax.population_count({0})", "lax.clz({0})", "-{0}",
                             "lax.rem({0}, jnp.broadcast_to({1}, {0}.shape))", "lax.div({0}, jnp.broadcast_to({1}, {0}.shape))", "{0} ** 3",
                             "lax.shift_right_logical({0}, jnp.broadcast_to({1}, {0}.shape))", "jnp.abs({0})"])
        return self.add(f.format(x.name, y.name), x.dtype, x.shape, True)

    def truth(self):
        x = self.pick(exact=True)
        if not x or x.kind in ("complex", "short"):
            return False
        y = self.partner(x, exact=True)
        f = self.rng.choice(["{0} & {1}", "{0} | ~{1}", "{0} ^ {1}"] if x.kind == "bool" else ["{0} > {1}", "{0} <= {1}", "{0} == {1}", "{0} != {1}"])
        return self.add(f.format(x.name, y.name), "bool", x.shape, True)

    def where(self):
        p, x = self.pick("bool"), self.pick()
        if not p or not x or not broadcasts(p.shape, x.shape):
            return False
        y = self.partner(x)
        return self.add(f"jnp.where({p.name}, {x.name}, {y.name})", x.dtype, x.shape, x.exact and y.exact)

    def cast(self):
        x = self.pick()
        if not x or self.differentiable:
            return False
        to = self.rng.choice(FLOATS + INTS + ["bool"] + SHORT)
        if x.kind == "complex" or (x.kind in ("float", "short") and not x.exact) or x.dtype == to or x.size > 400:
            return False
        if x.kind in ("float", "short") and to in INTS:
            return self.add(f"{x.name}.astype('int32').astype('{to}')", to, x.shape, True)
        return self.add(f"{x.name}.astype('{to}')", to, x.shape, True)

    def short(self):
        x = self.pick("short")
        if not x:
            return False
        y = self.partner(x)
        f = self.rng.choice(["lax.add({0}, {1})", "lax.mul({0}, {1})", "lax.max({0}, {1})", "lax.neg({0})", "{0}.astype('float32')", "lax.abs({0})"])
        y = y if y.shape == x.shape else x
        return self.add(f.format(x.name, y.name), "float32" if "astype" in f else x.dtype, x.shape, True)

    def reduce(self):
        x = self.pick("float", "int", "bool", rank=1)
        if not x:
            return False
        axis = self.rng.randrange(len(x.shape))
        names = {"float": ["sum", "max", "min", "mean"], "int": ["sum", "max", "min", "prod"], "bool": ["all", "any", "sum"]}[x.kind]
        f = self.rng.choice(names)
        keep = self.rng.random() < 0.4
        shape = [1 if i == axis else d for i, d in enumerate(x.shape) if keep or i != axis]
        dtype = x.dtype
        if x.kind == "int" and f in ("sum", "prod"):
            dtype = "uint32" if x.dtype.startswith("u") else "int32"
        if x.kind == "bool" and f == "sum":
            dtype = "int32"
        return self.add(f"{x.name}.{f}(axis={axis}, keepdims={keep})", dtype, shape, x.exact and f not in ("mean",) and not (x.kind == "float" and f == "sum"))

    def softmax(self):
        x = self.pick("float", rank=1)
        if not x:
            return False
        f = self.rng.choice(["jax.nn.softmax({}, axis=-1)", "jax.nn.log_softmax({}, axis=0)", "jnp.var({}, axis=-1, keepdims=True) + 0 * {}", "jax.nn.standardize({} * 0.5 + 1)"])
        return self.add(f.format(x.name, x.name), x.dtype, x.shape, False)

    def argument(self):
        x = self.pick("float", "int", "bool", exact=True, rank=1)
        if not x or self.differentiable:
            return False
        axis = self.rng.randrange(len(x.shape))
        f = self.rng.choice(["argmax", "argmin"])
        return self.add(f"jnp.{f}({x.name}, axis={axis})", "int32", x.shape[:axis] + x.shape[axis + 1:], True)

    def running(self):
        x = self.pick("float", "int", rank=1, most=400)
        if not x:
            return False
        axis = self.rng.randrange(len(x.shape))
        f = self.rng.choice(["cumsum", "cummax", "cummin", "cumprod"] + ["cumlogsumexp"] * (x.kind == "float"))
        scale = " * 0.25" if x.kind == "float" else ""
        return self.add(f"lax.{f}({x.name}{scale}, axis={axis}, reverse={self.rng.random() < 0.5})", x.dtype, x.shape, x.exact and x.kind == "int")

    def sort(self):
        x = self.pick("float", "int", "bool", exact=True, rank=1, most=400)
        if not x:
            return False
        axis = self.rng.randrange(len(x.shape))
        if x.kind != "bool" and self.rng.random() < 0.3:
            k = self.rng.randint(1, x.shape[-1])
            return self.add(f"lax.top_k({x.name}, {k})[0]", x.dtype, x.shape[:-1] + (k,), True)
        if self.rng.random() < 0.3 and not self.differentiable:
            return self.add(f"jnp.argsort({x.name}, axis={axis})", "int32", x.shape, True)
        return self.add(f"jnp.sort({x.name}, axis={axis}, descending={self.rng.random() < 0.3})", x.dtype, x.shape, True)

    def shape(self):
        x = self.pick()
        if not x:
            return False
        s, rank, rng = x.shape, len(x.shape), self.rng
        what = rng.randrange(9)
        if what == 0:
            return self.add(f"{x.name}.reshape(-1)", x.dtype, (x.size,), x.exact)
        if what == 1 and rank > 1:
            p = rng.sample(range(rank), rank)
            return self.add(f"jnp.transpose({x.name}, {tuple(p)})", x.dtype, [s[i] for i in p], x.exact)
        if what == 2 and rank < 4:
            return self.add(f"jnp.expand_dims({x.name}, 0)", x.dtype, (1, *s), x.exact)
        if what == 3 and rank < 4 and x.size < 300:
            return self.add(f"jnp.broadcast_to({x.name}, {(2, *s)})", x.dtype, (2, *s), x.exact)
        if what == 4 and rank:
            return self.add(f"jnp.flip({x.name}, {rng.randrange(rank)})", x.dtype, s, x.exact)
        if what == 5 and rank:
            axis = rng.randrange(rank)
            y = next((v for v in self.values if v.dtype == x.dtype and len(v.shape) == rank and all(i == axis or a == b for i, (a, b) in enumerate(zip(v.shape, s)))))
            return self.add(f"jnp.concatenate([{x.name}, {y.name}], {axis})", x.dtype, [d + (y.shape[i] if i == axis else 0) for i, d in enumerate(s)], x.exact and y.exact)
        if what == 6 and rank:
            low, high, inner = rng.randint(-1, 2), rng.randint(-1, 2), rng.randint(0, 1)
            n = low + high + s[0] + max(s[0] - 1, 0) * inner
            if n <= 0:
                return False
            config = [(low, high, inner)] + [(0, 0, 0)] * (rank - 1)
            return self.add(f"lax.pad({x.name}, jnp.zeros((), {x.name}.dtype), {config})", x.dtype, (n, *s[1:]), x.exact)
        if what == 7 and rank:
            start, by = rng.randint(0, s[0] - 1), rng.randint(1, 3)
            return self.add(f"{x.name}[{start}::{by}]", x.dtype, (len(range(start, s[0], by)), *s[1:]), x.exact)
        if what == 8 and rank:
            return self.add(f"jnp.roll({x.name}, {rng.randint(-3, 3)}, axis={rng.randrange(rank)})", x.dtype, s, x.exact)
        return False

    def dynamic(self):
        x, i = self.pick(rank=1), self.pick("int", exact=True)
        if not x or not i or i.dtype == "uint32":
            return False
        n = self.rng.randint(1, x.shape[0])
        rest = ", 0" * (len(x.shape) - 1)
        at = f"({i.name}.ravel()[0].astype('int32'){rest or ','})"
        if self.rng.random() < 0.5:
            return self.add(f"lax.dynamic_slice({x.name}, {at}, {(n, *x.shape[1:])})", x.dtype, (n, *x.shape[1:]), x.exact)
        return self.add(f"lax.dynamic_update_slice({x.name}, {x.name}[:{n}][::-1], {at})", x.dtype, x.shape, x.exact)

    def index(self):
        x, i = self.pick(rank=1), self.pick("int", exact=True, most=30)
        if not x or not i or x.size > 3000:
            return False
        at = f"{i.name}.astype('int32')"
        rng = self.rng
        if rng.random() < 0.5:
            mode = rng.choice(["'fill'", "'clip'", "'wrap'", "None"])
            text = f"jnp.take({x.name}, {at}, axis=0, mode={mode})" if mode == "'wrap'" else f"{x.name}.at[{at}].get(mode={mode})"
            return self.add(text, x.dtype, i.shape + x.shape[1:], x.exact and x.kind != "float")
        how = rng.choice(["set", "add", "max", "min", "multiply"] if x.kind in ("float", "int") else ["set"])
        mode = rng.choice(["'drop'", "'clip'", "None"])
        # Which of several writes to one place stays is the last one's on CPU, but nothing says so: all write the same.
        value = f"{x.name}[0] * 2 + 1" if x.kind == "int" else f"{x.name}[-1]"
        return self.add(f"{x.name}.at[{at}].{how}({value}, mode={mode})", x.dtype, x.shape, x.exact and how != "multiply" and how != "add" or x.kind == "int")

    def product(self):
        x = self.pick("float", "int", rank=2, most=400)
        if not x:
            return False
        n, k = x.shape[-2], x.shape[-1]
        w = self.rng.randint(1, 4)
        scale = " * 0.125" if x.kind == "float" else ""
        y = f"(jnp.arange({k * w}).reshape({k}, {w}) % 5).astype('{x.dtype}'){scale}"
        how = self.rng.randrange(4)
        if how == 0:
            return self.add(f"{x.name} @ ({y})", x.dtype, (*x.shape[:-1], w), x.kind == "int")
        if how == 1:
            return self.add(f"jnp.einsum('...ij,...kj->...ik', {x.name}, {x.name}){scale}", x.dtype, (*x.shape[:-1], n), x.kind == "int")
        if how == 2 and x.dtype in ("bfloat16", "float16", "int8"):
            wide = "int32" if x.kind == "int" else "float32"
            return self.add(f"jnp.matmul({x.name}, {y}, preferred_element_type='{wide}')", wide, (*x.shape[:-1], w), x.kind == "int")
        if how == 3 and k > 1 and x.dtype == "float32":
            rows = x.size // k
            padding = self.rng.choice(["SAME", "VALID"])
            out = k if padding == "SAME" else k - 1
            text = (f"lax.conv_general_dilated({x.name}.reshape({rows}, 1, {k}), jnp.array([[[0.5, -1.0]], [[0.25, 0.125]]], '{x.dtype}'), (1,), '{padding}')")
            return self.add(text, x.dtype, (rows, 2, out), False)
        return False

    def window(self):
        x = self.pick("float", "int", rank=1, most=400)
        if not x or x.shape[-1] < 3:
            return False
        ones = (1,) * (len(x.shape) - 1)
        stride = self.rng.randint(1, 2)
        op = self.rng.choice(["max", "add", "min"])
        if self.differentiable and op != "add" and not x.exact:
            return False
        if op != "add":
            bound = "inf" if op == "min" else "-inf"
            start = f"float('{bound}')" if x.kind == "float" else f"jnp.iinfo('{x.dtype}').{'max' if op == 'min' else 'min'}"
            start = f"np.array({start}, jnp.dtype('{x.dtype}'))"
        else:
            start = f"np.array(0, jnp.dtype('{x.dtype}'))"
        n = (x.shape[-1] - 2) // stride + 1
        return self.add(f"lax.reduce_window({x.name}, {start}, lax.{op}, {(*ones, 2)}, {(*ones, stride)}, 'VALID')", x.dtype, (*x.shape[:-1], n), x.exact and op != "add" or x.kind == "int")

    def complex(self):
        rng = self.rng
        x = self.pick("complex", most=400)
        if not x:
            x = self.pick("float", rank=1, most=400)
            if not x or x.dtype != "float32":
                return False
            if rng.random() < 0.5:
                return self.add(f"jnp.fft.fft({x.name})", "complex64", x.shape, False)
            return self.add(f"lax.complex({x.name}, {x.name} * 0.5)", "complex64", x.shape, x.exact)
        f = rng.choice(["{0} * {0} * 0.125", "jnp.conj({0})", "{0} + 1j", "jnp.exp({0} * 0.1j)", "{0} / ({0} * jnp.conj({0}) + 1)", "real", "imag", "abs", "fft", "sum"])
        if f in ("real", "imag"):
            return self.add(f"jnp.{f}({x.name})", "float32", x.shape, x.exact)
        if f == "abs":
            return self.add(f"jnp.abs({x.name} + 1)", "float32", x.shape, False)
        if f in ("fft", "sum"):
            return bool(x.shape) and (self.add(f"jnp.fft.ifft({x.name}, axis=0)", "complex64", x.shape, False) if f == "fft" else self.add(f"{x.name}.sum(0)", "complex64", x.shape[1:], False))
        return self.add(f.format(x.name), "complex64", x.shape, x.exact and "conj" in f)

    def body(self, x):
        """A function of one array to another one of the same type and shape."""
        if x.kind == "float":
            return self.rng.choice(["jnp.sin({0}) + {1}", "{0} * 0.5 + {1}", "jnp.maximum({0}, {1}) * 0.75", "jnp.tanh({0} - {1})", "jnp.where({1} > 0, {0}, {1} * 0.5)"])
        if x.kind == "int":
            return self.rng.choice(["{0} + {1}", "{0} ^ {1}", "jnp.maximum({0}, {1})", "{0} * 3 - {1}"])
        return "{0} ^ {1}" if x.kind == "bool" else "{0} * 0.5 + {1}"

    def loop(self):
        x = self.pick("float", "int", "bool", "complex", rank=1, most=2000)
        if not x:
            return False
        if "where" in (body := self.body(x)) and not x.exact:
            return False
        f = body.format("c", "x")
        what = self.rng.randrange(3)
        row = x.shape[1:]
        if what == 0:
            text = f"lax.scan(lambda c, x: (({f}).astype(c.dtype), c), {x.name}[0], {x.name}, reverse={self.rng.random() < 0.5}, unroll={self.rng.choice([1, 1, 2])})"
            return self.add(f"{text}[1]", x.dtype, x.shape, x.kind in ("int", "bool"))
        if what == 1:
            return self.add(f"lax.fori_loop(0, {self.rng.randint(0, 4)}, lambda i, c: ({body.format('c', x.name + '[i % ' + str(x.shape[0]) + ']')}).astype(c.dtype), {x.name}[0])", x.dtype, row, x.kind in ("int", "bool"))
        if self.differentiable:
            return self.add(f"lax.associative_scan(lambda p, q: p * 0.5 * q, {x.name} * 0.5)", x.dtype, x.shape, False) if x.kind == "float" else False
        text = f"lax.while_loop(lambda s: s[0] < {self.rng.randint(0, 5)}, lambda s: (s[0] + 1, ({body.format('s[1]', x.name)}).astype(s[1].dtype)), (0, {x.name}))[1]"
        return self.add(text, x.dtype, x.shape, x.kind in ("int", "bool"))

    def branch(self):
        x, p = self.pick("float", "int", "complex"), self.pick("bool", "int", exact=True)
        if not x or not p or p.dtype == "uint32" or ("where" in (body := self.body(x)) and not x.exact):
            return False
        f = body.format("x", "x")
        if p.kind == "bool":
            text = f"lax.cond({p.name}.ravel()[0], lambda x: ({f}).astype(x.dtype), lambda x: -x, {x.name})"
        else:
            text = f"lax.switch({p.name}.ravel()[0].astype('int32') % 4 - 1, [lambda x: -x, lambda x: ({f}).astype(x.dtype), lambda x: x], {x.name})"
        return self.add(text, x.dtype, x.shape, x.kind == "int")

    def inner(self):
        x = self.pick("float", rank=1, most=400)
        if not x:
            return False
        f = self.rng.choice(["jnp.sin(x) * x", "jnp.tanh(x * 0.5)", "x * x * 0.25", "jax.nn.sigmoid(x)"])
        how = self.rng.choice(["jax.vmap(lambda x: {f} + x.sum())({x})", "jax.grad(lambda x: ({f}).sum())({x})", "jax.checkpoint(lambda x: {f})({x})",
                               "jax.jvp(lambda x: {f}, ({x},), ({x},))[1]", "jax.jit(lambda x: {f})({x})", "jax.vmap(jax.grad(lambda x: ({f}).sum()))({x})"])
        return self.add(how.replace("{f}", f).replace("{x}", x.name), x.dtype, x.shape, False)

    def together(self):
        """Several operands sorted by the first ones."""
        x = self.pick("float", "int", "bool", exact=True, rank=1, most=400)
        others = [v for v in self.values if x and v.shape == x.shape and not v.wild]
        if not others:
            return False
        rng = self.rng
        y, z = rng.choice(others), rng.choice(others)
        keys = 2 if y.exact and y.kind != "complex" and y.kind != "short" and rng.random() < 0.4 else 1
        which = rng.randrange(3)
        taken = (x, y, z)[which]
        text = f"lax.sort(({x.name}, {y.name}, {z.name}), dimension={rng.randrange(len(x.shape))}, num_keys={keys})[{which}]"
        return self.add(text, taken.dtype, x.shape, taken.exact)

    def contracted(self):
        """A product with axes of the batch and axes that are summed over, wherever they stand."""
        x = self.pick("float", "int", "complex", rank=2, most=200)
        if not x:
            return False
        rng, rank = self.rng, len(x.shape)
        y = rng.choice([v for v in self.values if v.dtype == x.dtype and v.shape == x.shape])
        axes = rng.sample(range(rank), rank)
        batch = axes[:rng.randint(0, rank - 1)]
        summed = axes[len(batch):len(batch) + rng.randint(1, rank - len(batch))]
        kept = [d for i, d in enumerate(x.shape) if i not in batch + summed]
        text = f"lax.dot_general({x.name}, {y.name}, (({summed}, {summed}), ({batch}, {batch})))"
        text += " * 0.125" if x.kind != "int" else ""
        return self.add(text, x.dtype, [x.shape[i] for i in batch] + kept + kept, x.kind == "int")

    def along(self):
        x = self.pick(rank=1, most=400)
        i = self.pick("int", exact=True, most=30)
        if not x or not i or i.dtype == "uint32":
            return False
        rng, axis = self.rng, self.rng.randrange(len(x.shape))
        if rng.random() < 0.5:
            n, by = x.shape[axis], rng.choice([1, 3, 7])
            text = f"jnp.take_along_axis({x.name}, (jnp.arange({x.size}).reshape({x.shape}) * {by} + 1) % {n}, axis={axis})"
            return self.add(text, x.dtype, x.shape, x.exact)
        # Windows of rows, each from where an index says: what lies outside is moved inside.
        rows = rng.randint(1, x.shape[0])
        rest, zeros = x.shape[1:], ", 0" * (len(x.shape) - 1) or ","
        at = f"{i.name}.ravel().astype('int32')"
        if rng.random() < 0.6:
            text = f"jax.vmap(lambda i: lax.dynamic_slice({x.name}, (i{zeros}), {(rows, *rest)}))({at})"
            return self.add(text, x.dtype, (i.size, rows, *rest), x.exact) if i.size * x.size < 600 else False
        text = f"jax.vmap(lambda i: lax.dynamic_update_slice({x.name}, {x.name}[::-1][:{rows}], (i{zeros})))({at})"
        return self.add(text, x.dtype, (i.size, *x.shape), x.exact) if i.size * x.size < 600 else False

    def scattered(self):
        """A scatter with windows, into any axis."""
        x, i = self.pick("float", "int", "complex", rank=2, most=300), self.pick("int", exact=True, most=12)
        if not x or not i or i.dtype == "uint32":
            return False
        rng = self.rng
        how = rng.choice(["add", "multiply", "max", "min"] if x.kind != "complex" else ["add"])
        at = f"{i.name}.ravel().astype('int32')"
        text = f"{x.name}.at[:, {at}].{how}({x.name}[:, :1] * 2, mode={rng.choice(['None', chr(39) + 'clip' + chr(39), chr(39) + 'drop' + chr(39)])})"
        return self.add(text, x.dtype, x.shape, x.kind == "int" or x.exact and how in ("max", "min"))

    def reduced(self):
        """A reduction of several arrays by a function of one's own."""
        x = self.pick("float", "int", exact=True, rank=1, most=400)
        if not x or self.differentiable:
            return False
        axis = self.rng.randrange(len(x.shape))
        start = "-jnp.inf" if x.kind == "float" else f"jnp.iinfo('{x.dtype}').min"
        shape = x.shape[:axis] + x.shape[axis + 1:]
        first = "(p[0] > q[0]) | ((p[0] == q[0]) & (p[1] < q[1]))"
        which = self.rng.randrange(2)
        text = (f"lax.reduce(({x.name}, lax.broadcasted_iota('int32', {x.shape}, {axis})), (jnp.asarray({start}, '{x.dtype}'), jnp.int32(2**31 - 1)), "
                f"lambda p, q: (jnp.where({first}, p[0], q[0]), jnp.where({first}, p[1], q[1])), ({axis},))[{which}]")
        return self.add(text, "int32" if which else x.dtype, shape, True)

    def windows(self):
        """Windows with margins, holes and steps."""
        x = self.pick("float", "int", rank=2, most=300)
        if not x:
            return False
        rng, rank = self.rng, len(x.shape)
        op = rng.choice(["add", "max", "min"])
        if op != "add" and self.differentiable:
            return False
        whole = lambda low, high, most: tuple(rng.randint(low, high) if rank - i <= most else 1 for i in range(rank))  # noqa: E731
        size, stride, holes, between = whole(1, 3, 2), whole(1, 2, 2), whole(1, 2, 2), whole(1, 2, 1)
        padding = tuple((rng.randint(0, 1), rng.randint(0, 2)) if rank - i <= 2 else (0, 0) for i in range(rank))
        shape = []
        for n, s, by, hole, inner, (low, high) in zip(x.shape, size, stride, holes, between, padding):
            n = low + high + (n - 1) * inner + 1 - (s - 1) * hole
            if n <= 0:
                return False
            shape.append((n - 1) // by + 1)
        bound = {"add": "0", "max": "-jnp.inf" if x.kind == "float" else f"jnp.iinfo('{x.dtype}').min", "min": "jnp.inf" if x.kind == "float" else f"jnp.iinfo('{x.dtype}').max"}[op]
        # The maximum of an empty window is an infinity, which nothing near can be made of.
        text = f"lax.reduce_window({x.name}, np.array({bound}, jnp.dtype('{x.dtype}')), lax.{op}, {size}, {stride}, {padding}, {between}, {holes})"
        text = f"jnp.clip({text}, -16, 16)" if op != "add" and x.kind == "float" else text
        return self.add(text, x.dtype, shape, x.kind == "int" or op != "add" and x.exact)

    def convolution(self):
        x = self.pick("float", rank=2, most=300)
        if not x or x.dtype != "float32":
            return False
        rng = self.rng
        h, w = x.shape[-2:]
        rows = x.size // (h * w)
        groups, (kh, kw) = rng.choice([1, 2]), (rng.randint(1, 3), rng.randint(1, 3))
        stride, inner, holes = [(rng.randint(1, 2), rng.randint(1, 2)) for _ in range(3)]
        padding = ((rng.randint(0, 2), rng.randint(0, 2)), (rng.randint(0, 2), rng.randint(0, 2)))
        out = []
        for n, k, s, i, hole, (low, high) in zip((h, w), (kh, kw), stride, inner, holes, padding):
            n = low + high + (n - 1) * i + 1 - (k - 1) * hole
            if n <= 0:
                return False
            out.append((n - 1) // s + 1)
        kernel = f"((jnp.arange({2 * (2 // groups) * kh * kw}) % 7 - 3) * 0.125).reshape({kh}, {kw}, {2 // groups}, 2)"
        image = f"jnp.stack([{x.name}.reshape({rows}, {h}, {w}), {x.name}.reshape({rows}, {h}, {w}) * 0.5], -1)"
        text = (f"lax.conv_general_dilated({image}, {kernel}, {stride}, {padding}, {inner}, {holes}, ('NHWC', 'HWIO', 'NHWC'), feature_group_count={groups})")
        return self.add(text, x.dtype, (rows, *out, 2), False)

    def chosen(self):
        x = self.pick("float", "int", "bool", "complex")
        i = self.pick("int", exact=True)
        if not x:
            return False
        y = self.rng.choice([v for v in self.values if v.dtype == x.dtype and v.shape == x.shape])
        if i and i.shape == x.shape and self.rng.random() < 0.6:
            return self.add(f"lax.select_n(jnp.clip({i.name}.astype('int32'), 0, 2), {x.name}, {y.name}, {x.name})", x.dtype, x.shape, x.exact and y.exact)
        if x.kind in ("bool", "complex") or not (x.exact and y.exact):
            return False
        low = 0 if x.dtype.startswith("u") else -1
        return self.add(f"lax.clamp(jnp.asarray({low}, '{x.dtype}'), {x.name}, jnp.maximum({y.name}, {low}))", x.dtype, x.shape, True)

    def algebra(self):
        x = self.pick("float", rank=2, most=64)
        if not x or x.dtype != "float32":
            return False
        n, k = x.shape[-2:]
        square = f"(jnp.tanh({x.name}) @ jnp.tanh({x.name}).swapaxes(-1, -2) * 0.25 + {k + 2} * jnp.eye({n}))"
        batch = x.shape[:-2]
        f, shape = self.rng.choice([
            ("jnp.linalg.cholesky({0})", (*batch, n, n)), ("jnp.linalg.inv({0})", (*batch, n, n)), ("jnp.linalg.solve({0}, {1})", (*batch, n, k)),
            ("jnp.linalg.slogdet({0})[1]", batch), ("lax.linalg.triangular_solve({0}, {1}, left_side=True, lower=True)", (*batch, n, k)),
            ("jnp.linalg.svd({0}, compute_uv=False)", (*batch, n)), ("jnp.linalg.eigvalsh({0})", (*batch, n)), ("jnp.abs(jnp.linalg.qr({0})[1])", (*batch, n, n)),
        ])
        if ("svd" in f or "eig" in f) and self.differentiable:
            return False
        return self.add(f.format(square, x.name), x.dtype, shape, False)

    def nested(self):
        """Loops and branches in each other, with carries of several types."""
        x = self.pick("float", "int", rank=1, most=200)
        if not x:
            return False
        zero = f"jnp.zeros({x.shape[1:]}, '{x.dtype}')"
        body, other = [b.format("c", "y") for b in (self.body(x), self.body(x))]
        if ("where" in body or "where" in other) and not x.exact:
            return False
        how = self.rng.randrange(4)
        exact = x.kind == "int"
        if how == 0:
            text = (f"lax.scan(lambda s, y: ((s[0] + 1, lax.cond(s[0] % 2 == 0, lambda c: ({body}).astype(c.dtype), lambda c: c, s[1])), (s[1], s[0])), (0, {zero}), {x.name})[1][0]")
            return self.add(text, x.dtype, x.shape, exact)
        if how == 1:
            text = f"lax.scan(lambda c, y: (lax.fori_loop(0, 2, lambda i, c: ({body}).astype(c.dtype), c), c), {zero}, {x.name})[0]"
            return self.add(text, x.dtype, x.shape[1:], exact)
        if how == 2:
            text = f"jax.vmap(lambda i, y: lax.switch(i % 3, [lambda c, y: ({body}).astype(c.dtype), lambda c, y: -c, lambda c, y: ({other}).astype(c.dtype)], y, y * 2))(jnp.arange({x.shape[0]}), {x.name})"
            return self.add(text, x.dtype, x.shape, exact)
        if self.differentiable:
            text = f"lax.scan(jax.checkpoint(lambda c, y: (({body}).astype(c.dtype), c)), {zero}, {x.name})[1]"
            return self.add(text, x.dtype, x.shape, exact)
        # Each row makes as many rounds as its place says.
        text = (f"jax.vmap(lambda i, y: lax.while_loop(lambda s: s[0] < i, lambda s: (s[0] + 1, (lambda c: ({body}).astype(c.dtype))(s[1])), (0, y))[1])(jnp.arange({x.shape[0]}) % 3, {x.name})")
        return self.add(text, x.dtype, x.shape, exact)

    def text(self, name):
        results = [v for v in self.values if not any(v is i for i in self.inputs)][-3:] or self.values[-1:]
        if self.differentiable:
            results = [v for v in results if v.kind in ("float", "complex")][-1:] or self.inputs[:1]
        self.results = results
        args = ", ".join(v.name for v in self.inputs)
        return "\n".join([f"def {name}({args}):", *self.lines, f"    return {', '.join(v.name for v in results)}{',' if len(results) == 1 else ''}", ""])

    def numbers(self, value, batch=()):
        """An array for an input: small multiples of a quarter, whole numbers or truths."""
        rng, size = self.rng, value.size
        shape = (*batch, *value.shape)
        for d in batch:
            size *= d
        if size > 400:
            step = {"float": "% 33 - 16) * 0.25", "int": "% 23 - 3)", "bool": "% 3 == 0)", "complex": "% 9 - 4) * 0.5j", "short": "% 9 - 4) * 0.25"}[value.kind]
            return f"jnp.asarray(((np.arange({size}) * 7 {step}).reshape({shape}).astype(jnp.dtype('{value.dtype}')))"
        if value.kind == "float":
            data = [rng.randint(-12, 12) / 4 for _ in range(size)]
        elif value.kind == "short":
            data = [rng.randint(-8, 8) / 4 for _ in range(size)]
        elif value.kind == "complex":
            data = [complex(rng.randint(-8, 8) / 4, rng.randint(-8, 8) / 4) for _ in range(size)]
        elif value.kind == "bool":
            data = [rng.random() < 0.5 for _ in range(size)]
        else:
            data = [rng.randint(0 if value.dtype.startswith("u") else -9, 20) for _ in range(size)]
        return f"jnp.asarray(np.array({data}).reshape({shape}).astype(jnp.dtype('{value.dtype}')))"


STEPS = ("unary unary unary binary binary quotient quotient whole whole truth where cast reduce reduce softmax argument running sort shape shape shape dynamic index index product product "
         "window complex loop loop branch inner rounded short together contracted contracted along along scattered reduced windows convolution chosen algebra nested nested").split()


def broadcasts(small, large):
    return len(small) <= len(large) and all(a in (1, b) for a, b in zip(small[::-1], large[::-1]))


TOTAL = "lambda *args: sum(jnp.real(y).astype('float32').sum() for y in {g}(*args))"
# What is differentiated are the first two arguments.
FIRST = "(lambda *first: {g}(*first, *args[2:]))"
WAYS = {
    "plain": "{g}(*args)",
    "vmap": "jax.vmap({g})(*args)",
    "vmap of the last axes": "jax.vmap({g}, in_axes=-1, out_axes=-1)(*(jnp.moveaxis(a, 0, -1) for a in args))",
    "vmap of one": "jax.vmap({g}, in_axes=(0, *(None,) * (len(args) - 1)))(args[0], *(a[0] for a in args[1:]))",
    "vmap of vmap": "jax.vmap(jax.vmap({g}))(*(jnp.stack([a, a[::-1]]) for a in args))",
    "scanned": "lax.scan(lambda c, args: (c + 1, {g}(*args)), 0, args)",
    "gradient": f"jax.grad({TOTAL}, (0, 1))(*args)",
    "tangent": f"jax.jvp({FIRST}, args[:2], tuple(a * 0.5 + 1 for a in args[:2]))",
    "tangents of rows": "jax.vmap(lambda *args: jax.jvp(" + FIRST + ", args[:2], tuple(a * 0.5 + 1 for a in args[:2])))(*args)",
    "gradients of rows": f"jax.vmap(jax.grad({TOTAL}, (0, 1)))(*args)",
    "gradient of rows": f"jax.grad(lambda *args: sum(jnp.real(y).astype('float32').sum() for y in jax.vmap({{g}})(*args)), (0, 1))(*args)",
    "second": f"jax.jvp(lambda *first: jax.grad({TOTAL}, (0, 1))(*first, *args[2:]), args[:2], tuple(a * 0.25 + 1 for a in args[:2]))[1]",
    "gradient of gradient": f"jax.grad(lambda *first: sum((x.astype('float32') * 0.5).sum() for x in jax.grad({TOTAL}, (0, 1))(*first, *args[2:])), (0, 1))(*args[:2])",
    "linearized": f"jax.linearize({FIRST}, *args[:2])[1](*args[:2])",
    "checkpointed": "jax.grad(lambda *args: sum(jnp.real(y).astype('float32').sum() for y in jax.checkpoint({g})(*args)), (0, 1))(*args)",
    "jacobian": f"jax.jacfwd({FIRST})(*args[:2])",
}
OFTEN = {"plain": 8, "vmap": 3, "gradient": 3, "second": 2}


def function(seed, i):
    """The text of a random function `case_i` with its call, how it is transformed, and whether results are exact."""
    rng = random.Random(seed)
    way = rng.choices(list(WAYS), [OFTEN.get(way, 1) for way in WAYS])[0]
    graph = Graph(rng.randrange(1 << 40), not way.startswith(("plain", "vmap", "scanned")))
    g = graph.text(f"g_{i}")
    if way == "jacobian" and max(v.size for v in graph.inputs + graph.results) > 60:
        way = "gradient"
    batch = (rng.randint(1, 3),) if way.startswith(("vmap", "scanned")) or way.endswith("of rows") else ()
    args = ", ".join(graph.numbers(v, batch) for v in graph.inputs)
    call = WAYS[way].format(g=f"g_{i}")
    return f"{g}\n@jax.jit\ndef case_{i}(*args): return {call}\ncase_{i}({args})\n", way, call, args
