"""grad, vjp, jvp, linearize, Jacobians, vmap, pmap, custom rules."""
import jax
import jax.numpy as jnp
import numpy as np
from check import array, prelude, weak
from pairs import namespace, pairs


def cases(C):
    J = namespace(prelude("_autodiff"), prelude("_jacobian"), prelude("_vmap"), prelude("_custom_jvp"), prelude("_custom_vjp"))
    run = pairs(C, J)
    x, m, i, z = array("float32", 3), array("float32", 2, 3), array("int32", 3), array("complex64", 3)
    gradients(run, x, m, i, z)
    pullbacks(run, x, m, i)
    forward(run, x, m, i)
    jacobians(run, x, m, i, z)
    batched(run, x, m, i)
    mapped(run)
    custom_jvps(run, x)
    custom_vjps(run, x)


def loss(w, b=1.0):
    return jnp.sum(jnp.tanh(w) * b)


def gradients(run, x, m, i, z):
    for J_name in ("grad", "value_and_grad"):
        g = lambda f, *a, n=J_name, **k: lambda J: getattr(J, n)(f, *a, **k)
        run(J_name, g(loss), x)
        run(J_name, g(loss), weak(2.0))
        run(J_name, g(loss), 2.0)
        run(J_name, g(loss, 1), x, 2.0)
        run(J_name, g(loss, (0, 1)), x, 2.0)
        run(J_name, g(loss, (1, 0)), x, 2.0)
        run(J_name, g(loss, (-1,)), x, 2.0)
        run(J_name, g(loss, 2), x)
        run(J_name, g(loss, -3), x)
        run(J_name, g(loss, "a"), x)
        run(J_name, g(lambda p: jnp.sum(p["w"] ** 2) + p["b"]), {"w": x, "b": 1.0})
        run(J_name, g(lambda a: (jnp.sum(a), a * 2), has_aux=True), x)
        run(J_name, g(lambda a: (jnp.sum(a), {"k": a.shape, "n": None}), has_aux=True), x, values=False)
        run(J_name, g(lambda a: jnp.sum(a), has_aux=True), x)
        run(J_name, g(lambda a: a * 2), x)
        run(J_name, g(lambda a: (jnp.sum(a), 1.0)), x)
        run(J_name, g(lambda a: None), x)
        run(J_name, g(lambda a: "s"), x)
        run(J_name, g(lambda a: jnp.sum(a).astype(jnp.int32)), x)
        run(J_name, g(lambda a: jnp.sum(a)), i)
        run(J_name, g(lambda a: jnp.sum(a * 2.0), allow_int=True), i, values=False)
        run(J_name, g(lambda a: jnp.sum(a)), z)
        run(J_name, g(lambda a: jnp.real(jnp.sum(a * a))), z)
        run(J_name, g(lambda a: jnp.sum(a * a), holomorphic=True), z)
        run(J_name, g(lambda a: jnp.sum(a * a), holomorphic=True), x)
        run(J_name, g(lambda a: jnp.sum(a.real), holomorphic=True), z)
        run(J_name, g(lambda a: 3.0), x)
        run(J_name, g(lambda a, k=1: jnp.sum(a) * k), x, k=3.0) if False else None
        run(J_name, g(loss), "text")
        run(J_name, g(loss), None)
        run(J_name, g(3), x)
        run(J_name, g(loss, reduce_axes=("a",)), x)
        run(J_name, lambda J, n=J_name: (lambda v: getattr(J, n)(loss)(v, b=2.0)), x)
        run(J_name, lambda J, n=J_name: (lambda v: getattr(J, n)(lambda **k: 1.0)(k=v)), x)
        run(J_name, lambda J, n=J_name: (lambda v: getattr(J, n)(jax.jit(loss))(v)), x)
        run(J_name, lambda J, n=J_name: (lambda v: jax.jit(getattr(J, n)(loss))(v)), x)
        run(J_name, g(lambda a: jnp.sum(a @ m.T)), m)
    run("grad of grad", lambda J: J.grad(lambda t: J.grad(lambda u: u * jnp.sin(u))(t) * t), weak(1.5))
    run("grad np", lambda J: J.grad(lambda t: jnp.sum(t ** 2)), np.ones(3))
    run("grad name", lambda J: lambda t: jnp.float32(len(J.grad(loss).__name__)) * t, x)


def pullbacks(run, x, m, i):
    def through(f, *primals, ct=None, aux=False):
        def make(J):
            def go(*a):
                out, pull, *rest = J.vjp(f, *a, has_aux=aux)
                return out, pull(out if ct is None else ct(out)), rest
            return go
        return make
    run("vjp", through(jnp.sin), x)
    run("vjp", through(lambda a, b: (a * b, {"k": a})), x, x)
    run("vjp", through(lambda a, b: (a * b, b), aux=True), x, x)
    run("vjp", through(lambda a: a * 2, aux=True), x)
    run("vjp", through(lambda a: (a, a, a), aux=True), x)
    run("vjp", through(lambda a: a * 2, ct=lambda o: (o, o)), x)
    run("vjp", through(lambda a: (a, a), ct=lambda o: o[0]), x)
    run("vjp", through(lambda a: (a, a), ct=lambda o: list(o)), x)
    run("vjp", through(lambda a: {"p": a, "q": (a, a)}, ct=lambda o: {"p": o["p"], "q": (o["p"],)}), x)
    run("vjp", through(lambda a: a * 2, ct=lambda o: o.astype(jnp.float16)), x)
    run("vjp", through(lambda a: a * 2, ct=lambda o: o[:1]), x)
    run("vjp", through(lambda a: a * 2, ct=lambda o: 1.0), x)
    run("vjp", through(lambda a: a.astype(jnp.float32) * 2), i, values=False)
    run("vjp", through(lambda a: a * 2), i)
    run("vjp", through(lambda a: jnp.ones(3)), x)
    run("vjp", lambda J: lambda a: J.vjp(jnp.sin, a)[1](a, a), x)
    run("vjp", lambda J: lambda a: J.vjp(jnp.sin, "no"), x)
    run("vjp", lambda J: lambda a: jax.jit(lambda b: J.vjp(lambda c, d: jnp.sin(c) * d, b, b))(a)[1](a), x)
    run("vjp", lambda J: lambda a: jax.tree.leaves(J.vjp(lambda c, d: jnp.sin(c) * d, a, a + 1)[1]), x)
    run("linear_transpose", lambda J: lambda a: J.linear_transpose(lambda b: 3.0 * b, a)(a), x)
    run("linear_transpose", lambda J: lambda a: J.linear_transpose(lambda b, c: (b + c, b), a, a)((a, a)), x)
    run("linear_transpose", lambda J: lambda a: J.linear_transpose(lambda b: 3 * b, a)(a), i)
    run("linear_transpose", lambda J: lambda a: J.linear_transpose(lambda b: b > 2, a)(a), i)
    run("linear_transpose", lambda J: lambda a: J.linear_transpose(lambda b: (b, b), a)(a), x)
    run("linear_transpose", lambda J: lambda a: J.linear_transpose(lambda b: b * 2, a)(a[:1]), x)
    run("linear_transpose", lambda J: lambda a: J.linear_transpose(lambda b: b * 2, jax.ShapeDtypeStruct((3,), jnp.float32))(a), x)


def forward(run, x, m, i):
    run("jvp", lambda J: lambda a, t: J.jvp(jnp.sin, (a,), (t,)), x, x)
    run("jvp", lambda J: lambda a, t: J.jvp(lambda q: {"a": q["u"] * 2}, ({"u": a},), ({"u": t},)), x, x)
    run("jvp", lambda J: lambda a, t: J.jvp(lambda b: (b * 2, b), (a,), (t,), has_aux=True), x, x)
    run("jvp", lambda J: lambda a, t: J.jvp(lambda b: b, (a,), (t,), has_aux=True), x, x)
    run("jvp", lambda J: lambda a, t: J.jvp(jnp.sin, a, t), x, x)
    run("jvp", lambda J: lambda a, t: J.jvp(jnp.sin, (a,), [t]), x, x)
    run("jvp", lambda J: lambda a, t: J.jvp(jnp.sin, (a,), (t, t)), x, x)
    run("jvp", lambda J: lambda a, t: J.jvp(jnp.sin, (a,), (t,)), x, i)
    run("jvp", lambda J: lambda a, t: J.jvp(jnp.sin, (a,), (t,)), i, i)
    run("jvp", lambda J: lambda a, t: J.jvp(jnp.sin, (a,), (t,)), x, m)
    run("jvp", lambda J: lambda a, t: J.jvp(jnp.sin, (1.0,), (t,)), x, weak(1.0))
    run("jvp", lambda J: lambda a, t: J.jvp(lambda b: 2.0, (a,), (t,)), x, x)
    run("jvp", lambda J: lambda a, t: J.jvp(4, (a,), (t,)), x, x)
    run("linearize", lambda J: lambda a, t: J.linearize(jnp.sin, a)[1](t), x, x)
    run("linearize", lambda J: lambda a, t: J.linearize(lambda b, c: (b * c, 2.0), a, a)[1](t, t), x, x)
    run("linearize", lambda J: lambda a, t: J.linearize(lambda b: (jnp.sin(b), b), a, has_aux=True)[2], x, x)
    run("linearize", lambda J: lambda a, t: J.linearize(jnp.sin, a)[1](t, t), x, x)
    run("linearize", lambda J: lambda a, t: J.linearize(jnp.sin, a)[1](t[:1]), x, x)
    run("linearize", lambda J: lambda a, t: J.linearize(jnp.sin, a)[1](t), x, i)


def jacobians(run, x, m, i, z):
    f = lambda a: jnp.stack([jnp.sum(a), jnp.prod(a)])
    tree = lambda p: {"u": p["w"] * 2, "v": jnp.sum(p["w"]) * p["b"]}
    for name in ("jacfwd", "jacrev", "jacobian", "hessian"):
        run(name, lambda J, n=name: getattr(J, n)(f), x)
        run(name, lambda J, n=name: getattr(J, n)(tree), {"w": x, "b": weak(1.0)})
        run(name, lambda J, n=name: getattr(J, n)(lambda a, b: a * b, argnums=(0, 1)), x, x)
        run(name, lambda J, n=name: getattr(J, n)(lambda a, b: a * b, argnums=1), x, x)
        run(name, lambda J, n=name: getattr(J, n)(lambda a: (a * a, a), has_aux=True), x)
        run(name, lambda J, n=name: getattr(J, n)(lambda a: a * a), i)
        run(name, lambda J, n=name: getattr(J, n)(lambda a: a * a), z)
        run(name, lambda J, n=name: getattr(J, n)(lambda a: a * a, holomorphic=True), z)
        run(name, lambda J, n=name: getattr(J, n)(lambda a: a * a, holomorphic=True), x)
        run(name, lambda J, n=name: getattr(J, n)(lambda a: jnp.sum(a ** 3)), m)
        run(name, lambda J, n=name: getattr(J, n)(lambda a: a.astype(jnp.int32)), x)
        run(name, lambda J, n=name: getattr(J, n)(f, 3), x)


def batched(run, x, m, i):
    dot = lambda a, b: jnp.dot(a, b)
    run("vmap", lambda J: J.vmap(jnp.sum), m)
    run("vmap", lambda J: J.vmap(dot), m, m)
    run("vmap", lambda J: J.vmap(dot, in_axes=(0, None)), m, x)
    run("vmap", lambda J: J.vmap(dot, in_axes=[0, None]), m, x)
    run("vmap", lambda J: J.vmap(dot, in_axes=(1, 1), out_axes=0), m, m)
    run("vmap", lambda J: J.vmap(lambda a: a * 2, in_axes=-1, out_axes=-1), m)
    run("vmap", lambda J: J.vmap(lambda a: (a, a.sum()), out_axes=(1, 0)), m)
    run("vmap", lambda J: J.vmap(lambda a: (a, a.sum()), out_axes=(1,)), m)
    run("vmap", lambda J: J.vmap(lambda a: (a, 1.0), out_axes=(0, None)), m)
    run("vmap", lambda J: J.vmap(lambda a: a, out_axes=None), m)
    run("vmap", lambda J: J.vmap(lambda a: {"k": (a, a)}, out_axes={"k": (0, None)}), m)
    run("vmap", lambda J: J.vmap(lambda p: p["w"] * p["b"], in_axes=({"w": 0, "b": None},)), {"w": m, "b": x})
    run("vmap", lambda J: J.vmap(lambda p: p["w"] * p["b"], in_axes=({"w": 0},)), {"w": m, "b": x})
    run("vmap", lambda J: J.vmap(lambda p: p[0] * p[1], in_axes=((0, 0, 0),)), (m, m))
    run("vmap", lambda J: J.vmap(lambda p: p, in_axes=([0, 0],)), (m, m))
    run("vmap", lambda J: lambda a: J.vmap(lambda q, k: q * k)(a, k=a), m)
    run("vmap", lambda J: lambda a: J.vmap(lambda q, k: q * k, in_axes=(None,))(a, k=a), m)
    run("vmap", lambda J: J.vmap(dot), m, x)
    run("vmap", lambda J: J.vmap(lambda a, b, c: a), m, x, x)
    run("vmap", lambda J: J.vmap(lambda a, *rest: a), m, x, x, m)
    run("vmap", lambda J: lambda a, b: J.vmap(lambda q, k: q)(a, k=b), m, x)
    run("vmap", lambda J: J.vmap(lambda t: t[0]), (m, x))
    run("vmap", lambda J: J.vmap(dot, in_axes=(None, None)), m, m)
    run("vmap", lambda J: J.vmap(lambda a: a, in_axes=(None,), axis_size=3, out_axes=0), m)
    run("vmap", lambda J: J.vmap(lambda a: a, axis_size=3), m)
    run("vmap", lambda J: J.vmap(lambda: jnp.ones(2), axis_size=3))
    run("vmap", lambda J: J.vmap(lambda: 1.0))
    run("vmap", lambda J: J.vmap(lambda a: a, in_axes=(0, 0)), m)
    run("vmap", lambda J: J.vmap(lambda a: a, in_axes="x"), m)
    run("vmap", lambda J: J.vmap(lambda a: a, in_axes=(1.5,)), m)
    run("vmap", lambda J: J.vmap(lambda a: a, in_axes={"a": 0}), m)
    run("vmap", lambda J: J.vmap(lambda a: a, out_axes="x"), m)
    run("vmap", lambda J: J.vmap(lambda a: a, in_axes=3), m)
    run("vmap", lambda J: J.vmap(lambda a: a, in_axes=-3), m)
    run("vmap", lambda J: J.vmap(lambda a: a), 1.0)
    run("vmap", lambda J: J.vmap(lambda a: a), weak(1.0))
    run("vmap", lambda J: J.vmap(lambda a: a), "no")
    run("vmap", lambda J: J.vmap(5), m)
    run("vmap", lambda J: J.vmap(lambda a: jax.lax.psum(a, "b"), axis_name="b"), m)
    run("vmap", lambda J: J.vmap(lambda a: a - jax.lax.pmean(a, "b"), axis_name="b"), m)
    run("vmap", lambda J: J.vmap(lambda a: jax.lax.psum(a, "c"), axis_name="b"), m)
    run("vmap", lambda J: J.vmap(lambda a: jax.lax.axis_index("b") + a, axis_name="b"), m)
    run("vmap", lambda J: J.vmap(J.vmap(lambda a, b: a * b), in_axes=(None, 0)), x, m)
    run("vmap of grad", lambda J: J.vmap(J.grad(lambda a: jnp.sum(jnp.sin(a)))), m)
    run("grad of vmap", lambda J: J.grad(lambda a: jnp.sum(J.vmap(jnp.tanh)(a))), m)
    run("vmap closure", lambda J: lambda a, b: J.vmap(lambda t: t + b)(a), m, x)
    run("vmap np", lambda J: J.vmap(lambda t: t * 2), np.ones((2, 3)))
    run("vmap str out", lambda J: J.vmap(lambda t: "no"), m)


def mapped(run):
    one = jnp.ones((1, 3))
    run("pmap", lambda J: J.pmap(lambda a: a * 2), one, jaxpr=False)
    run("pmap", lambda J: J.pmap(lambda a: jax.lax.psum(a, "i"), axis_name="i"), one, jaxpr=False)
    run("pmap", lambda J: J.pmap(lambda a, b: a * b, in_axes=(0, None)), one, 2.0, jaxpr=False)
    run("pmap", lambda J: J.pmap(lambda a, n: a * n, static_broadcasted_argnums=1), one, 3, jaxpr=False)
    run("pmap", lambda J: J.pmap(lambda a: a, devices=[]), one)
    run("pmap", lambda J: J.pmap(lambda a: a, in_axes="x"), one)
    run("pmap", lambda J: J.pmap(lambda a: a, in_axes=(None,)), one)
    run("pmap", lambda J: J.pmap(lambda a: a, in_axes=(0, 0)), one)
    run("pmap", lambda J: J.pmap(lambda a: a, axis_size=2), one)
    run("pmap", lambda J: J.pmap(lambda a: a, static_broadcasted_argnums=3), one)


def custom_jvps(run, x):
    def rule(jvp=lambda p, t: (jnp.sin(p[0]), 2.0 * t[0]), f=jnp.sin, call=None, grad=True, **k):
        def make(J):
            g = J.custom_jvp(f, **k)
            if jvp:
                g.defjvp(jvp)
            go = call or (lambda h, a: h(a))
            return (lambda a: jax.grad(lambda b: jnp.sum(go(g, b)))(a)) if grad else (lambda a: go(g, a))
        return make
    run("custom_jvp", rule(grad=False), x)
    run("custom_jvp", rule(), x)
    run("custom_jvp", rule(jvp=None), x)
    run("custom_jvp", rule(jvp=None, grad=False), x)
    run("custom_jvp", rule(jvp=lambda p, t: p[0]), x)
    run("custom_jvp", rule(jvp=lambda p, t: (p[0], (t[0],))), x)
    run("custom_jvp", rule(jvp=lambda p, t: ((p[0],), (t[0],))), x)
    run("custom_jvp", rule(jvp=lambda p, t: (p[0][:1], t[0][:1])), x)
    run("custom_jvp", rule(jvp=lambda p, t: (p[0], t[0][:1])), x)
    run("custom_jvp", rule(jvp=lambda p, t: (p[0], t[0].astype(jnp.float16))), x)
    run("custom_jvp", rule(f=lambda a: (a, a), jvp=lambda p, t: ((p[0], p[0]), (t[0], t[0][:1])), call=lambda h, a: h(a)[0]), x)
    run("custom_jvp", rule(f=lambda a, n: a * n, jvp=lambda n, p, t: (p[0] * n, t[0] * n), nondiff_argnums=(1,),
                           call=lambda h, a: h(a, 3)), x)
    run("custom_jvp", rule(f=lambda n, a: a * n, jvp=lambda n, p, t: (p[0] * n, t[0] * n), nondiff_argnames=("n",),
                           call=lambda h, a: h(3, a)), x)
    run("custom_jvp", rule(f=lambda a, b=2.0: a * b, jvp=lambda p, t: (p[0] * p[1], t[0] * p[1] + p[0] * t[1])), x)
    run("custom_jvp", rule(f=lambda a, b=2.0: a * b, jvp=lambda p, t: (p[0] * p[1], t[0] * p[1]), call=lambda h, a: h(b=1.0, a=a)), x)
    run("custom_jvp", rule(call=lambda h, a: h(a, a, a)), x)
    run("custom_jvp", rule(f=lambda a: a, call=lambda h, a: h(q=a)), x)
    run("custom_jvp", rule(f=lambda d: d["k"] * 2, jvp=lambda p, t: (p[0]["k"] * 2, t[0]["k"] * 3), call=lambda h, a: h({"k": a})), x)

    def scaled(J):
        g = J.custom_jvp(lambda a, b: a * b)
        g.defjvps(lambda t, out, a, b: 2 * t * b, None)
        return lambda a: jax.grad(lambda b: jnp.sum(g(b, b)))(a)
    run("custom_jvp", scaled, x)

    def wrong(J):
        g = J.custom_jvp(lambda a, b: a * b, nondiff_argnums=(1,))
        g.defjvps(None)
    run("custom_jvp", lambda J: lambda a: wrong(J), x)
    run("custom_jvp", lambda J: lambda a: jax.vmap(rule()(J))(a), x)


def custom_vjps(run, x):
    f0 = lambda a: jnp.sin(a)

    def rule(fwd=lambda a: (jnp.sin(a), a), bwd=lambda r, g: (g * 2.0 * r,), f=f0, call=None, grad=True, define=None, **k):
        def make(J):
            g = J.custom_vjp(f, **k)
            if fwd:
                g.defvjp(fwd, bwd, **(define or {}))
            go = call or (lambda h, a: h(a))
            return (lambda a: jax.grad(lambda b: jnp.sum(go(g, b)))(a)) if grad else (lambda a: go(g, a))
        return make
    run("custom_vjp", rule(grad=False), x)
    run("custom_vjp", rule(), x)
    run("custom_vjp", rule(fwd=None), x)
    run("custom_vjp", rule(fwd=lambda a: jnp.sin(a)), x)
    run("custom_vjp", rule(fwd=lambda a: ((a,), None)), x)
    run("custom_vjp", rule(fwd=lambda a: (a[:1], None)), x)
    run("custom_vjp", rule(fwd=lambda a: (a, None), bwd=lambda r, g: g), x)
    run("custom_vjp", rule(fwd=lambda a: (a, None), bwd=lambda r, g: (g, g)), x)
    run("custom_vjp", rule(fwd=lambda a: (a, None), bwd=lambda r, g: [g]), x)
    run("custom_vjp", rule(fwd=lambda a: (a, None), bwd=lambda r, g: (None,)), x)
    run("custom_vjp", rule(fwd=lambda a: (a, None), bwd=lambda r, g: (g[:1],)), x)
    run("custom_vjp", rule(fwd=lambda a: (a, None), bwd=lambda r, g: (g.astype(jnp.float16),)), x)
    run("custom_vjp", rule(fwd=lambda a: (a, None), bwd=lambda r, g: (g.astype(jnp.int32),)), x)
    run("custom_vjp", rule(fwd=lambda a: (a, {"r": a * 2, "n": ()}), bwd=lambda r, g: (g * r["r"],)), x)
    run("custom_vjp", rule(f=lambda a, n: a * n, fwd=lambda a, n: (a * n, None), bwd=lambda n, r, g: (g * n,), nondiff_argnums=(1,),
                           call=lambda h, a: h(a, 3)), x)
    run("custom_vjp", rule(f=lambda a, n: a * n, fwd=lambda a, n: (a * n, None), bwd=lambda n, r, g: (g * n,), nondiff_argnums=(1,),
                           call=lambda h, a: h(a, a)), x)
    run("custom_vjp", rule(f=lambda d, i: d["k"] * i, fwd=lambda d, i: (d["k"] * i, i), bwd=lambda i, g: ({"k": g * i}, None),
                           call=lambda h, a: h({"k": a}, 2)), x)
    run("custom_vjp", rule(f=lambda d, i: d["k"] * i, fwd=lambda d, i: (d["k"] * i, i), bwd=lambda i, g: ({"q": g * i}, None),
                           call=lambda h, a: h({"k": a}, 2)), x)
    run("custom_vjp", rule(f=lambda d, i: d["k"] * i, fwd=lambda d, i: (d["k"] * i, i), bwd=lambda i, g: (None, None),
                           call=lambda h, a: h({"k": a}, 2)), x)
    run("custom_vjp", rule(fwd=lambda a: (jnp.sin(a.value), a.value), define={"symbolic_zeros": True}), x)
    run("custom_vjp", rule(call=lambda h, a: h(a, a)), x)
    run("custom_vjp", lambda J: lambda a: jax.jvp(rule(grad=False)(J), (a,), (a,)), x)
    run("custom_vjp", lambda J: lambda a: jax.vmap(rule()(J))(a), x)
    run("custom_vjp", lambda J: lambda a: rule(define={"symbolic_zeros": True, "optimize_remat": True})(J)(a), x)
    gradient = lambda J: J.custom_gradient(lambda a: (a ** 2, lambda g: (g * a * 3,)))
    run("custom_gradient", lambda J: lambda a: jax.grad(lambda b: jnp.sum(gradient(J)(b)))(a), x)
    run("custom_gradient", lambda J: lambda a: gradient(J)(a), x)
    run("closure_convert", lambda J: lambda a: (lambda fc: fc[0](a, *fc[1]))(J.closure_convert(lambda b: b * a, a)), x)
