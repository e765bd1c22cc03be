"""Second derivatives through loops, branches and custom rules, against real JAX: forward of backward, backward of backward, Hessians.

    python3 tests/eval/second_order.py [--list]

Fails where a number differs. What is not evaluated is printed, with its reason. The Python with JAX is JITLENS_ORACLE_PYTHON.
"""

import argparse
import sys

import random_graphs

# Functions of one vector to a number.
FUNCTIONS = {
    "scan": "def f(x): return lax.scan(lambda c, y: (jnp.sin(c) * y + x.sum() * 0.1, c * y), x[0], x)[1].sum()",
    "scan, reversed and unrolled": "def f(x): return lax.scan(lambda c, y: (jnp.tanh(c + y), c * c * y), x[0], x, reverse=True, unroll=2)[0] ** 2",
    "scan in a scan": "def f(x): return lax.scan(lambda c, y: (lax.scan(lambda d, z: (d * jnp.cos(z), None), c + y, x)[0], None), x[1], x)[0]",
    "fori_loop": "def f(x): return (lax.fori_loop(0, 3, lambda i, c: jnp.sin(c) * x + c[i], x) ** 2).sum()",
    "while, forward": "def f(x): return (lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, jnp.sin(s[1]) * x), (0, x))[1] ** 2).sum()",
    "cond": "def f(x): return lax.cond(x[0] > 0.4, lambda x: (jnp.sin(x) * x.sum()).sum(), lambda x: (x ** 3).prod(), x)",
    "cond, the other side": "def f(x): return lax.cond(x[0] < 0.4, lambda x: (jnp.sin(x) * x.sum()).sum(), lambda x: (x ** 3).prod(), x)",
    "switch": "def f(x): return sum(lax.switch(i, [lambda x: (x ** 2).sum(), lambda x: jnp.exp(x).prod(), lambda x: jnp.tanh(x).sum() ** 2], x) for i in range(3))",
    "switch in a scan": "def f(x): return lax.scan(lambda c, i: (lax.switch(i, [lambda c: c * x[0], lambda c: jnp.sin(c) + x[1] ** 2], c), None), x[2], jnp.array([0, 1, 1, 0]))[0]",
    "custom_jvp": "@jax.custom_jvp\ndef h(x): return jnp.sin(x)\nh.defjvp(lambda p, t: (h(p[0]), jnp.cos(p[0]) * t[0] * 1.5))\ndef f(x): return (h(x) * h(x * 2)).sum()",
    "custom_vjp": "@jax.custom_vjp\ndef h(x): return jnp.sin(x)\nh.defvjp(lambda x: (h(x), x), lambda x, g: (g * jnp.cos(x) * 1.5,))\ndef f(x): return (h(x) * h(x * 2)).sum()",
    "custom_vjp in a scan": "@jax.custom_vjp\ndef h(x, y): return x * y\nh.defvjp(lambda x, y: (x * y, (x, y)), lambda r, g: (g * r[1] * 2, g * r[0]))\n"
                            "def f(x): return lax.scan(lambda c, y: (h(jnp.sin(c), y), c), x[0], x)[1].sum()",
    "checkpoint": "def f(x): return jax.checkpoint(lambda x: (jnp.sin(jnp.sin(x)) * x.sum()).sum())(x)",
    "checkpoint in a scan": "def f(x): return lax.scan(jax.checkpoint(lambda c, y: (jnp.tanh(c * y), c ** 2)), x[0], x)[1].sum()",
    "associative_scan": "def f(x): return (lax.associative_scan(lambda a, b: a * b + a, x) ** 2).sum()",
    "cumulative": "def f(x): return (jnp.cumsum(x ** 2) * jnp.cumprod(x) * lax.cumlogsumexp(x) + lax.cummax(x)).sum()",
    "custom_root": "def f(x): return (lax.custom_root(lambda y: y ** 3 + y - x, x, lambda g, y: lax.fori_loop(0, 30, lambda _, y: y - g(y) / (3 * y ** 2 + 1), y), "
                   "lambda g, y: y / g(jnp.ones_like(y))) ** 2).sum()",
    "custom_linear_solve": "def f(x):\n    a = jnp.outer(x, x) + 3 * jnp.eye(3)\n    return (lax.custom_linear_solve(lambda v: a @ v, x, lambda mv, b: jnp.linalg.solve(a, b), symmetric=True) ** 2).sum()",
    "linear algebra": "def f(x):\n    a = jnp.outer(x, x) + jnp.diag(x + 2)\n    return jnp.linalg.slogdet(a)[1] + jnp.linalg.cholesky(a).sum() + (jnp.linalg.solve(a, x) ** 2).sum()",
    "jit in vmap": "def f(x): return jax.vmap(jax.jit(lambda y: jnp.sin(y) * (x * y).sum()))(x).sum()",
    "sort and gather": "def f(x): return (jnp.sort(x) * x[jnp.array([2, 0, 0])] ** 2 + x.at[jnp.array([1, 1])].add(x[:2] ** 2) * x).sum()",
}
WAYS = {
    "forward of backward": "jax.jvp(jax.grad(f), (x,), (x * 0.5 + 1,))",
    "backward of backward": "jax.grad(lambda x: jnp.vdot(jax.grad(f)(x), x * 0.5 + 1))(x)",
    "backward of forward": "jax.grad(lambda x: jax.jvp(f, (x,), (x * 0.5 + 1,))[1])(x)",
    "jacfwd of jacrev": "jax.jacfwd(jax.jacrev(f))(x)",
    "jacrev of jacrev": "jax.jacrev(jax.jacrev(f))(x)",
    "hessian of rows": "jax.vmap(jax.hessian(f))(jnp.stack([x, x[::-1] + 0.25]))",
    "forward of forward": "jax.jvp(lambda x: jax.jvp(f, (x,), (x * 2 + 1,))[1], (x,), (x * 0.5 + 1,))",
}
ARGUMENT = "jnp.array([0.5, 0.8, 1.3])"


def main():
    python = random_graphs.oracle()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print what JAX refuses, too")
    parser.add_argument("--jitlens", default=str(random_graphs.ROOT / "target" / "debug" / "jitlens"))
    options = parser.parse_args()
    cases = []
    for what, text in FUNCTIONS.items():
        for way, call in WAYS.items():
            i = len(cases)
            # Every case has names of its own, since all of them are one program.
            text_i = text.replace("def f(", f"def f_{i}(").replace("def h(", f"def h_{i}(").replace("h.def", f"h_{i}.def").replace(" h(", f" h_{i}(")
            text_i = text_i.replace("(h(", f"(h_{i}(").replace("* h(", f"* h_{i}(")
            call = call.replace("(f)", f"(f_{i})").replace("(f,", f"(f_{i},")
            program = f"{text_i}\n@jax.jit\ndef case_{i}(x): return {call}\ncase_{i}({ARGUMENT})\n"
            cases.append({"seed": i, "text": program, "way": f"{what}: {way}", "call": call, "args": ARGUMENT, "names": "x", "plain": [False]})
    compared = refused = unknown = wrong = 0
    for start in range(0, len(cases), len(WAYS)):
        for case, raised, why, fault, _ in random_graphs.check(options.jitlens, python, cases[start:start + len(WAYS)]):
            refused += bool(raised)
            unknown += bool(why)
            wrong += bool(fault)
            compared += not (raised or why)
            if fault or why or raised and options.list:
                print(f"{case['way']}: {fault or why or 'JAX raises ' + raised}", flush=True)
    print(f"{len(FUNCTIONS)} functions in {len(WAYS)} ways: {compared} second derivatives compared, {wrong} differ, {unknown} not evaluated, {refused} refused by JAX")
    return 1 if wrong or compared < len(cases) // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
