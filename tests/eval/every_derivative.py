"""First and second derivatives of every primitive that has one, against real JAX.

    python3 tests/eval/every_derivative.py [--list] [NAME ...]

`tests/primitives/derivatives.txt` lists all primitives, with the rules that JAX has for their derivatives. Each that has one either has cases of its own in
`tests/primitives/second` (which `cargo test` holds), or functions below, or stands in a table of those that no program of this kind binds, with the
reason. Under JAX is asked whether a function binds the primitive that it stands for, whether JAX has other rules than the list says, and what the
derivatives are. Fails where one differs or a primitive has no row. What is not evaluated is printed, with its reason, and counted. The Python with JAX is JITLENS_ORACLE_PYTHON.
"""

import argparse
import json
import pathlib
import subprocess
import sys

import random_graphs

PRIMITIVES = random_graphs.ROOT / "tests" / "primitives"
MESH = "mesh = jax.make_mesh((1,), ('i',), axis_types=(jax.sharding.AxisType.Auto,))\nP = jax.sharding.PartitionSpec\n"
EACH = "def f(x): return (jax.vmap(lambda y: {}, axis_name='i')(x) ** 2).sum()"


def sharded(body, out="P()"):
    return MESH + f"def f(x): return (jax.shard_map(lambda y: {body}, mesh=mesh, in_specs=P('i'), out_specs={out})(x) ** 2).sum()"


def total(text):
    """A function of one array to a number."""
    return f"def f(x): return (({text}) ** 2).sum()"


def whole(text):
    """Nothing is to be learnt of what has no derivative: it is a factor."""
    return f"def f(x): return (({text}).astype('float32') * jnp.sin(x) * x).sum()"


BITS = "(x * 10).astype('int32')"
# For each primitive the functions that bind it: of three numbers, to one.
CASES = {
    "add_any": [total("x * x + jnp.sin(x) * x")],
    "all_gather": [EACH.format("lax.all_gather(jnp.sin(y), 'i') * y")],
    "all_gather_invariant": [sharded("lax.all_gather(jnp.sin(y), 'i', axis=0, tiled=True, to='invarying') * 2" )],
    "all_to_all": ["def f(x): return (jax.vmap(lambda y: lax.all_to_all(jnp.sin(y), 'i', 0, 0), axis_name='i')(jnp.outer(x, x)) ** 2).sum()"],
    "and": [whole(f"{BITS} & 3"), whole("(x > 0.6) & (x < 1)")],
    "approx_top_k": [total("lax.approx_max_k(x, 2)[0]")],
    "argmax": [whole("jnp.argmax(x)")],
    "argmin": [whole("jnp.argmin(x)")],
    "bitcast_convert_type": [whole("lax.bitcast_convert_type(x, 'int32') % 7")],
    "check": ["from jax.experimental import checkify\ndef g(x):\n    checkify.check(x[0] > 0, 'no')\n    return (jnp.sin(x) * x).sum()\ndef f(x): return checkify.checkify(g)(x)[1]"],
    "composite": ["g = lax.composite(lambda x: jnp.sin(x) * x, 'my.sine')\n" + total("g(x)")],
    "cond": [total("lax.cond(x[0] > 0.4, lambda x: jnp.sin(x) * x, lambda x: x ** 3, x)"), total("lax.switch((x[0] * 4).astype('int32'), [jnp.sin, jnp.cos, lambda x: x * jnp.exp(x)], x)")],
    "convert_element_type": [total("(x.astype('float16') * 2).astype('float32') * x"), total("x.astype('complex64').real * x"), whole("x.astype('int32')"), whole("x > 1")],
    "custom_jvp_call": ["@jax.custom_jvp\ndef g(x): return jnp.sin(x)\ng.defjvp(lambda p, t: (g(p[0]), jnp.cos(p[0]) * t[0] * 1.5))\n" + total("g(x) * x")],
    "custom_vjp_call": ["@jax.custom_vjp\ndef g(x): return jnp.sin(x)\ng.defvjp(lambda x: (g(x), x), lambda x, t: (t * jnp.cos(x) * 1.5,))\n" + total("g(x) * x")],
    "custom_linear_solve": [total("lax.custom_linear_solve(lambda v: (jnp.outer(x, x) + jnp.eye(3)) @ v, x, lambda _, b: jnp.linalg.solve(jnp.outer(x, x) + jnp.eye(3), b), symmetric=True)")],
    "custom_vmap_call": ["g = jax.custom_batching.custom_vmap(lambda x: jnp.sin(x) * x)\ng.def_vmap(lambda n, batched, x: (jnp.sin(x) * x, batched[0]))\n" + total("g(x)")],
    "debug_callback": ["def f(x):\n    jax.debug.callback(lambda x: None, x)\n    return (jnp.sin(x) * x).sum()"],
    "debug_print": ["def f(x):\n    jax.debug.print('{}', x.shape[0])\n    return (jnp.sin(x) * x).sum()"],
    "device_put": [total("jax.device_put(jnp.sin(x)) * x")],
    "eig": ["def f(x): return jnp.abs(jnp.linalg.eigvals(jnp.outer(x, x[::-1]) + jnp.diag(x * x + jnp.arange(3.)))).sum()",
            "M = jnp.array([[1.2, 0.3, 0.1], [0.5, -1.1, 0.4], [0.7, 0.9, 2.0]])\ndef f(x):\n    w, l, v = lax.linalg.eig(M * x + jnp.diag(x), enable_eigvec_derivs=True)\n    "
            "return (jnp.abs(v * M) ** 2).sum() + jnp.real(l[0] * jnp.conj(l[2]) * w).sum()"],
    "qr": [f"M = jnp.array([[1.2, 0.3, 0.1], [0.5, -1.1, 0.4], [0.7, 0.9, 2.0]])\ndef f(x):\n    q, r, *_ = {call}\n    return (jnp.cos(q) * M[:, :q.shape[1]]).sum() + (r ** 2 * x[0]).sum()"
           for call in ("jnp.linalg.qr((M * x)[:, :2], mode='complete')", "jax.scipy.linalg.qr((M * x)[:, :2], pivoting=True, mode='economic')",
                        "jax.scipy.linalg.qr((M * x)[:, :2], pivoting=True)", "jax.scipy.linalg.qr(M * x, pivoting=True)")],
    "eq": [whole("x == x[1]")],
    "ffi_call": [total("jax.ffi.ffi_call('none', jax.ShapeDtypeStruct((3,), 'float32'))(x)")],
    "freeze": ["def f(x):\n    r = jax.new_ref(jnp.sin(x))\n    r[0] = x[1] * x[2]\n    return (jax.ref.freeze(r) ** 2).sum()"],
    "ge": [whole("x >= x[1]")],
    "get": ["def f(x):\n    r = jax.new_ref(jnp.sin(x))\n    return (r[...] * r[1] * x).sum()"],
    "gt": [whole("x > x[1]")],
    "inspect_sharding": ["def f(x):\n    jax.debug.inspect_array_sharding(x, callback=lambda s: None)\n    return (jnp.sin(x) * x).sum()"],
    "io_callback": ["from jax.experimental import io_callback\n" + total("io_callback(lambda x: x, jax.ShapeDtypeStruct((3,), 'float32'), x) * x")],
    "is_finite": [whole("jnp.isfinite(x)")],
    "jit": [total("jax.jit(lambda x, y: jnp.sin(x) * y)(x, x[::-1])")],
    "layout_constraint": ["from jax.experimental.layout import with_layout_constraint, Layout\n" + total("with_layout_constraint(jnp.sin(x), Layout(major_to_minor=(0,))) * x")],
    "le": [whole("x <= x[1]")],
    "linear_call": ["from jax.custom_derivatives import linear_call\n" + total("linear_call(lambda r, y: y * r, lambda r, t: t * r, jnp.array([1.0, -2.0, 3.0]), jnp.sin(x) * x)")],
    "lt": [whole("x < x[1]")],
    "mulhi": [whole("lax.mulhi((x * 1e9).astype('uint32'), (x * 1e9).astype('uint32')) % 7")],
    "name": ["from jax.ad_checkpoint import checkpoint_name\n" + total("checkpoint_name(jnp.sin(x), 'a') * x")],
    "ne": [whole("x != x[1]")],
    "new_ref": ["def f(x):\n    r = jax.new_ref(x)\n    r[1] = jnp.sin(r[0]) * r[2]\n    return (r[...] ** 2).sum()"],
    "not": [whole(f"~{BITS}"), whole("~(x > 1)")],
    "or": [whole(f"{BITS} | 3"), whole("(x > 1) | (x < 0.6)")],
    "pbroadcast": [EACH.format("lax.pbroadcast(jnp.sin(y), 'i', 1) * y")],
    "ppermute": [EACH.format("lax.ppermute(jnp.sin(y), 'i', [(0, 1), (1, 2), (2, 0)]) * y")],
    "psum": [EACH.format("lax.psum(jnp.sin(y), 'i') * y"), EACH.format("lax.pmean(y * y, 'i') * y")],
    "psum_invariant": [sharded("lax.psum(jnp.sin(y) * y, 'i')")],
    "pure_callback": [total("jax.pure_callback(lambda x: x, jax.ShapeDtypeStruct((3,), 'float32'), x) * x")],
    "pvary": [sharded("lax.pcast(jnp.float32(2.0), 'i', to='varying') * jnp.sin(y) * y", "P('i')")],
    "ragged_dot_general": [total("lax.ragged_dot(jnp.outer(x, x), jnp.sin(jnp.stack([jnp.outer(x, x), jnp.outer(x, x * x)])), jnp.array([2, 1], 'int32'))")],
    "random_bits": [whole("jax.random.bits(jax.random.key(0), (3,)) % 7"), total("jax.random.normal(jax.random.key(1), (3,)) * jnp.sin(x)")],
    "random_fold_in": [total("jax.random.uniform(jax.random.fold_in(jax.random.key(0), (x[0] * 4).astype('int32')), (3,)) * jnp.sin(x)")],
    "random_seed": [total("jax.random.uniform(jax.random.key((x[0] * 4).astype('int32')), (3,)) * jnp.sin(x)")],
    "random_split": [total("jax.random.uniform(jax.random.split(jax.random.key((x[0] * 4).astype('int32')))[1], (3,)) * jnp.sin(x)")],
    "random_unwrap": [whole("jax.random.key_data(jax.random.key((x[0] * 4).astype('int32')))[1] % 7")],
    "random_wrap": [total("jax.random.uniform(jax.random.wrap_key_data((x[:2] * 4).astype('uint32')), (3,)) * jnp.sin(x)")],
    "reduce": [total("lax.reduce(x, np.float32(1), lambda a, b: a * b + 0 * a, (0,)) * x"), whole("lax.reduce(x, np.float32(0), lambda a, b: jnp.maximum(a, b) * 1, (0,))")],
    "reduce_scatter": ["def f(x): return (jax.vmap(lambda y: lax.psum_scatter(jnp.sin(y), 'i'), axis_name='i')(jnp.outer(x, x)) ** 2).sum()"],
    "reduce_window": [total("lax.reduce_window(x, np.float32(1), lambda a, b: a * b, (2,), (1,), 'VALID')")],
    "remat2": [total("jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)) * x)(x)"), total("jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)) * x, policy=jax.checkpoint_policies.everything_saveable)(x)")],
    "remat_opt": ["def g(x): return jnp.sin(x)\ng = jax.custom_vjp(g)\ng.defvjp(lambda x: (jnp.sin(x), x), lambda x, t: (t * jnp.cos(x) * 1.5,), optimize_remat=True)\n" + total("g(x) * x")],
    "reshard": ["mesh = jax.make_mesh((1,), ('i',), axis_types=(jax.sharding.AxisType.Explicit,))\njax.set_mesh(mesh)\n" + total("jax.sharding.reshard(jnp.sin(x), jax.sharding.PartitionSpec('i')) * x")],
    "scan": [total("lax.scan(lambda c, y: (jnp.sin(c) * y, c * y), x[0], x)[1]"), total("lax.scan(lambda c, y: (jnp.tanh(c + y), c * c), x, x, reverse=True, unroll=2)[0]")],
    "scatter-sub": [total("(x * x).at[jnp.array([1, 1])].subtract(jnp.sin(x[:2])) * x")],
    "shard_map": [sharded("jnp.sin(y) * y", "P('i')")],
    "sharding_constraint": [total("lax.with_sharding_constraint(jnp.sin(x), jax.sharding.SingleDeviceSharding(jax.devices()[0])) * x")],
    "shift_left": [whole(f"{BITS} << 2")],
    "shift_right_arithmetic": [whole(f"{BITS} >> 1")],
    "shift_right_logical": [whole(f"lax.shift_right_logical({BITS}, jnp.ones(3, 'int32'))")],
    "stack": [total("jnp.stack([jnp.sin(x), x * x], 1) * x[:, None]")],
    "swap": ["def f(x):\n    r = jax.new_ref(jnp.sin(x))\n    old = jax.ref.swap(r, 0, x[1] * x[2])\n    return (r[...] ** 2).sum() * old"],
    "addupdate": ["def f(x):\n    r = jax.new_ref(jnp.sin(x))\n    jax.ref.addupdate(r, 0, x[1] * x[2])\n    return (r[...] ** 2).sum()"],
    "unstack": ["def f(x):\n    a, b, c = jnp.unstack(jnp.sin(x) * x)\n    return a * b * c"],
    "while": ["def f(x): return (lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, jnp.sin(s[1]) * x), (0, x))[1] ** 2).sum()",
              # Each row makes as many rounds as it likes.
              total("jax.vmap(lambda n, y: lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, jnp.sin(s[1]) * y), (0, y))[1])(jnp.arange(3), x)")],
    "xor": [whole(f"{BITS} ^ 3"), whole("(x > 1) ^ (x < 0.6)")],
}
MATRIX = "M = jnp.array([[1.2, 0.3, 0.1], [0.5, -1.1, 0.4], [0.7, 0.9, 2.0]])\nS = M @ M.T + jnp.eye(3)\n"
WAVES = "W = jnp.sin(jnp.arange(24.0) ** 2).reshape(1, 4, 6)\n"


def of_matrix(text):
    return MATRIX + total(text)


def of_waves(text):
    return WAVES + total(text)


# The same with a spread of their parameters.
SPREAD = {
    "cholesky": [of_matrix("jnp.linalg.cholesky(S + jnp.outer(x, x), upper=True) * M"), of_matrix("lax.linalg.cholesky(S * x, symmetrize_input=False) * M")],
    "triangular_solve": [of_matrix(f"lax.linalg.triangular_solve(M * x + jnp.eye(3), jnp.sin(M) * x, left_side={left}, lower={lower}, transpose_a={turned}, unit_diagonal={unit})")
                         for left, lower, turned, unit in ((True, True, False, False), (True, False, True, True), (False, True, True, False), (False, False, False, True))],
    "lu": [of_matrix("lax.linalg.lu(M * x)[0]"), of_matrix("lax.linalg.lu((M * x)[:2])[0]"), of_matrix("lax.linalg.lu((M * x)[:, :2])[0]")],
    "svd": [of_matrix("jnp.linalg.svd(M * x, compute_uv=False)"), of_matrix("jnp.abs(jnp.linalg.svd((M * x)[:2], full_matrices=False)[2]) * M[:2]"),
            of_matrix("lax.linalg.svd(M * x, compute_uv=False, subset_by_index=(0, 2))")],
    "eigh": [of_matrix("jnp.linalg.eigvalsh(S * x, UPLO='U')"), of_matrix("jnp.abs(jnp.linalg.eigh(S + jnp.outer(x, x))[1]) * M"), of_matrix("lax.linalg.eigh(S * x, lower=False, sort_eigenvalues=False)[1]")],
    "qr": [of_matrix("jnp.linalg.qr((M * x)[:2])[1]"), of_matrix("jnp.linalg.qr(M * x, mode='r')")],
    "householder_product": [of_matrix("lax.linalg.householder_product(jnp.tril(M * x, -1)[:, :2], x[:2])")],
    "tridiagonal_solve": [of_matrix("lax.linalg.tridiagonal_solve(x * 0.1, x + 2, x * 0.2, M)")],
    "conv_general_dilated": [of_waves(f"lax.conv_general_dilated({left}, {right}, {given})") for left, right, given in (
        ("W * x[0]", "jnp.sin(x.reshape(1, 1, 3) * jnp.ones((2, 4, 1)))", "(2,), 'SAME'"), ("W * x[0]", "jnp.ones((4, 2, 3)) * x", "(1,), [(2, 0)], rhs_dilation=(2,), feature_group_count=2"),
        ("W * x[0]", "jnp.ones((2, 4, 3)) * x", "(1,), [(-1, 2)], lhs_dilation=(3,)"), ("jnp.concatenate([W, W * x[1]])", "jnp.ones((2, 4, 3)) * x", "(1,), 'VALID', batch_group_count=2"),
        ("W * x[0]", "jnp.ones((3, 4, 2)) * x[:, None, None]", "(1,), 'SAME', dimension_numbers=('NCH', 'OIH', 'NHC')"))],
    "reduce_window_sum": [of_waves("lax.reduce_window(W * x[:, None, None], 0.0, lax.add, (1, 2, 3), (1, 2, 1), [(0, 0), (1, 0), (0, 2)], (1, 1, 2), (1, 2, 1))")],
    "reduce_window_max": [of_waves("lax.reduce_window(W * x[:, None, None], -jnp.inf, lax.max, (1, 2, 3), (1, 2, 1), 'SAME')")],
    "gather": [of_waves(f"(W * x[0])[0].at[jnp.array([0, 3, 9, -1])].get(mode='{mode}') * x[1]") for mode in ("clip", "fill", "promise_in_bounds")],
    "scatter": [of_waves(f"(W * x[0])[0].at[jnp.array([0, 3, 9])].set(x[:, None] ** 2, mode='{mode}')") for mode in ("clip", "drop")],
    "scatter-add": [of_waves(f"(W * x[0])[0].at[jnp.array([0, 3, 3]), 1:3].add(x[:, None] ** 2, mode='{mode}')") for mode in ("clip", "drop")],
    "scatter-mul": [of_waves("(W * x[0])[0].at[jnp.array([0, 3, 2])].multiply(x[:, None] ** 2, unique_indices=True)")],
    "cumsum": [of_waves("lax.cumsum(W * x[0], axis=1, reverse=True)")],
    "cumprod": [of_waves("lax.cumprod((W + 2) * x[:, None, None], axis=2, reverse=True)")],
    "cummax": [of_waves("lax.cummax(W * x[:, None, None], axis=2)")],
    "cummin": [of_waves("lax.cummin(W * x[:, None, None], axis=1, reverse=True)")],
    "cumlogsumexp": [of_waves("lax.cumlogsumexp(W * x[:, None, None], axis=0, reverse=True)")],
    "sort": [of_waves("lax.sort((W * x[0], jnp.cos(W) * x[1]), dimension=1, num_keys=1)[1]"), of_waves("jnp.sort(W * x[:, None, None], axis=1, descending=True)")],
    "top_k": [of_waves("lax.top_k(W * x[0], 3)[0]")],
    "fft": [of_waves("jnp.abs(jnp.fft.fft2(W * x[0]))"), of_waves("jnp.abs(jnp.fft.rfft(W * x[0], n=9, axis=1))"), of_waves("jnp.fft.irfft(W * x[0] + 1j * x[1], n=7)"), of_waves("jnp.abs(jnp.fft.ifftn(W * x[0], axes=(0, 2)))")],
}
for name, texts in SPREAD.items():
    CASES.setdefault(name, []).extend(texts)
# Those that no function of numbers on one CPU binds when it is differentiated, by what they belong to.
REASONS = {
    "the interface for types of one's own (`jax._src.hijax`)": "call_hi_primitive call_hi_primitive_linearized box_get box_set new_box log_extend log_read new_log stage",
    "kernels (`jax.experimental.pallas`), which are no equations over numbers": "pallas_call mpmd_map masked_load masked_swap run_state empty_ref free_ref",
    "sparse arrays (`jax.experimental.sparse`), whose primitives are those of Python in the prelude: `tests/suite/transforms/sparse.md`": "todense spsolve bcoo_dot_general bcoo_dot_general_sampled bcoo_extract bcoo_fromdense bcoo_sort_indices "
    "bcoo_spdot_general bcoo_sum_duplicates bcoo_todense bcoo_transpose bcsr_dot_general bcsr_extract bcsr_fromdense bcsr_todense coo_fromdense coo_matmat coo_matvec "
    "coo_todense csr_fromdense csr_matmat csr_matvec csr_todense",
    "collectives that start and end apart, or between types of explicit meshes with several devices": "all_gather_reduced preduced ragged_all_to_all unreduced_psum unreduced_reduce_scatter "
    "vary_unreduced_cast_p reduced_vary_cast_p",
    "what JAX binds inside of its own rules and lowerings alone": "call closed_call custom_lin dce_sink eq_to le_to lt_to from_edtype to_edtype tie eval_jaxpr accum_grad_in_ref",
}
WAYS = {
    "forward": "jax.jvp(f, (x,), (x * 0.5 + 1,))",
    "backward": "jax.vjp(f, x)[1](jnp.ones_like(f(x)))",
    "forward of backward": "jax.jvp(lambda x: jax.vjp(f, x)[1](jnp.float32(1.5))[0], (x,), (x * 0.5 + 1,))",
    "backward of backward": "jax.grad(lambda x: jnp.vdot(jax.grad(f)(x), x * 0.5 + 1))(x)",
    "forward of forward": "jax.jvp(lambda x: jax.jvp(f, (x,), (x * 2 + 1,))[1], (x,), (x * 0.5 + 1,))",
}
ARGUMENT = "jnp.array([0.5, 0.8, 1.3])"


def inside(path):
    """Under JAX: which primitives each function binds, and which have rules."""
    import jax
    from jax._src import core
    from jax._src.interpreters import ad

    bound = set()
    bind = core.Primitive.bind

    def noted(self, *args, **params):
        bound.add(self.name)
        return bind(self, *args, **params)

    core.Primitive.bind = noted
    def within(jaxpr):
        """The primitives of a graph and of those in it."""
        names = {eqn.primitive.name for eqn in jaxpr.eqns}
        return names.union(*(within(inner) for inner in core.subjaxprs(jaxpr)))

    found = {}
    for name, texts in json.loads(pathlib.Path(path).read_text()).items():
        found[name] = []
        for text in texts:
            bound.clear()
            scope = {}
            try:
                exec(random_graphs.HEADER + text, scope)  # noqa: S102
                x = eval(ARGUMENT, scope)  # noqa: S307
                for function in (scope["f"], jax.grad(scope["f"])):
                    bound |= within(jax.make_jaxpr(function)(x).jaxpr)
            except Exception as raised:  # noqa: BLE001
                bound.add(f"{type(raised).__name__}: {(str(raised).splitlines() or [''])[0][:150]}")
            found[name].append(sorted(bound))
            jax.set_mesh(None) if "set_mesh" in text else None
    rules = {p.name: [p in ad.primitive_jvps, p in ad.primitive_transposes or p in ad.fancy_transposes]
             for p in {*ad.primitive_jvps, *ad.primitive_transposes, *ad.fancy_transposes}}
    pathlib.Path(f"{path}.out").write_text(json.dumps({"bound": found, "rules": rules}))


def listed():
    """The primitives of the list that have a rule for derivatives, with whether it is forward and backward."""
    rows = [line.split() for line in (PRIMITIVES / "derivatives.txt").read_text().splitlines() if not line.startswith("#")]
    return {name: ["f" in rules, "b" in rules] for name, rules in rows}


def unaccounted(rules, cases):
    """What has a rule and no row, or a row and no rule; and what differs from JAX's rules."""
    recorded = {case["p"] for path in (PRIMITIVES / "second").glob("*.json") for case in json.loads(path.read_text())}
    reasons = {name for names in REASONS.values() for name in names.split()}
    differentiable = {name for name, found in rules.items() if any(found)}
    for name in sorted(differentiable - recorded - reasons - set(cases)):
        yield f"{name} has a rule for derivatives and no case"
    for name in sorted((reasons | set(cases)) - set(rules)):
        yield f"{name} is no primitive"
    for name in sorted(reasons & (recorded | set(cases))):
        yield f"{name} has a case, and stands among those that have none"


def main():
    python = random_graphs.oracle()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true", help="print what JAX refuses, too")
    parser.add_argument("--jitlens", default=str(random_graphs.ROOT / "target" / "debug" / "jitlens"))
    options = parser.parse_args()
    rules = listed()
    wrong = list(unaccounted(rules, CASES))
    chosen = {name: texts for name, texts in CASES.items() if not options.names or name in options.names}
    with random_graphs.tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "functions.json"
        path.write_text(json.dumps(chosen))
        subprocess.run([python, __file__, "--inside", str(path)], check=True)
        under = json.loads(pathlib.Path(f"{path}.out").read_text())
    wrong += [f"{name}: JAX has rules {found}, the list says {rules[name]}" for name, found in under["rules"].items() if name in rules and found != rules[name]]
    wrong += [f"{name}: JAX has rules, and the list does not know it" for name in under["rules"] if name not in rules]
    wrong += [f"{name}: is not bound by its functions, but {bound}" for name, all in under["bound"].items() for bound in all if name not in bound]
    cases = []
    for name, texts in chosen.items():
        for text in texts:
            for way, call in WAYS.items():
                i = len(cases)
                # All of them are one program: what a function needs is defined in one of its own.
                lines = "\n".join("    " + line for line in text.splitlines())
                program = f"def made_{i}():\n{lines}\n    return f\nf_{i} = made_{i}()\n@jax.jit\ndef case_{i}(x): return {call.replace('(f', f'(f_{i}').replace(' f(', f' f_{i}(')}\ncase_{i}({ARGUMENT})\n"
                cases.append({"seed": i, "name": name, "text": program, "way": f"{name}: {way}", "call": call.replace("(f", f"(f_{i}"), "args": ARGUMENT, "names": "x", "plain": [False]})
    compared, refused, unknown = set(), 0, 0
    count = 0
    for start in range(0, len(cases), 40):
        for case, raised, why, fault, _ in random_graphs.check(options.jitlens, python, cases[start:start + 40]):
            refused += bool(raised)
            unknown += bool(why)
            count += not (raised or why)
            if fault:
                wrong.append(f"{case['way']}: {fault}")
            if not (raised or why):
                compared.add(case["name"])
            if why or raised and options.list:
                print(f"{case['way']}: {why or 'JAX raises ' + raised}", flush=True)
    print("\n".join(wrong))
    differentiable = sum(any(found) for found in rules.values())
    print(f"{differentiable} of {len(rules)} primitives have rules for derivatives: {len(chosen)} of them in functions of their own here, {len(compared)} of these with numbers "
          f"({count} derivatives compared, {refused} refused by JAX, {unknown} not evaluated); {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--inside":
        inside(sys.argv[2])
    else:
        sys.exit(main())
