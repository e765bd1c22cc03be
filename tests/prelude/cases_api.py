"""make_jaxpr, eval_shape, checkpoint, device and configuration functions."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from check import array, prelude
from pairs import namespace, pairs


def cases(C):
    J = namespace(prelude("_staging"), prelude("_remat"), prelude("_devices"), prelude("_config"))
    run = pairs(C, J)
    x, i = array("float32", 3), array("int32", 3)
    text = lambda f: lambda *a: (str(f(*a)), jnp.zeros(len(str(f(*a)))))[1]
    f = lambda a, n=2: jnp.sin(a) * n
    big = np.ones(5)
    run("make_jaxpr", lambda J: text(J.make_jaxpr(f)), x)
    run("make_jaxpr", lambda J: text(J.make_jaxpr(f, static_argnums=1)), x, 3)
    run("make_jaxpr", lambda J: text(J.make_jaxpr(lambda a: (a, big * 2), return_shape=True)), x)
    run("make_jaxpr", lambda J: text(J.make_jaxpr(lambda a: jax.lax.psum(a, "i"), axis_env=[("i", 4)])), x)
    run("make_jaxpr", lambda J: text(J.make_jaxpr(lambda a: jax.lax.psum(a, "i"))), x)
    run("make_jaxpr", lambda J: text(lambda a: J.make_jaxpr(f).__name__), x)
    run("make_jaxpr", lambda J: text(J.make_jaxpr(f)), jax.ShapeDtypeStruct((2,), jnp.int8))
    run("make_jaxpr", lambda J: text(J.make_jaxpr(f)), "no")
    run("make_jaxpr", lambda J: text(J.make_jaxpr(3)), x)
    run("make_jaxpr", lambda J: text(J.make_jaxpr(lambda a: "s")), x)
    run("eval_shape", lambda J: text(lambda a: J.eval_shape(f, a)), x)
    run("eval_shape", lambda J: text(lambda a: J.eval_shape(lambda q: {"k": (q, None)}, a)), x)
    run("eval_shape", lambda J: text(lambda a: J.eval_shape(f, a, n=3.0)), i)
    run("eval_shape", lambda J: text(lambda a: J.eval_shape(jax.jit(f), a)), i)
    run("eval_shape", lambda J: text(lambda a: J.eval_shape(jnp.dot, jax.ShapeDtypeStruct((2, 3), jnp.float32), jax.ShapeDtypeStruct((2,), jnp.float32))), i)
    run("eval_shape", lambda J: text(lambda a: J.eval_shape(functools.partial(f, n=2), a)), i)
    run("named_call", lambda J: J.named_call(f, name="x"), x)
    run("named_scope", lambda J: lambda a: J.named_scope("x")(f)(a), x)
    run("named_scope", lambda J: lambda a: J.named_scope(3), x)
    run("compile time", lambda J: lambda a: with_context(J.ensure_compile_time_eval(), lambda: jnp.sin(1.0) + a.shape[0]), x)
    run("disable_jit", lambda J: lambda a: with_context(J.disable_jit(), lambda: jax.jit(lambda b: b * 2)(a)), x)

    run("checkpoint", lambda J: J.checkpoint(jnp.sin), x)
    run("checkpoint", lambda J: jax.grad(lambda a: J.checkpoint(lambda b: jnp.sin(jnp.sin(b)))(a).sum()), x)
    run("checkpoint", lambda J: J.checkpoint(f, static_argnums=1), x, 3)
    run("checkpoint", lambda J: J.checkpoint(lambda s, a: a * len(s), static_argnums=(0,)), "xx", x)
    run("checkpoint", lambda J: J.checkpoint(f, static_argnums=5), x, 3)
    run("checkpoint", lambda J: J.checkpoint(f, prevent_cse=False), x)
    run("checkpoint", lambda J: J.checkpoint(f, prevent_cse=(True, False)), x, x)
    run("checkpoint", lambda J: J.checkpoint(f, prevent_cse=3), x)
    run("checkpoint", lambda J: J.checkpoint(f, concrete=True), x)
    run("checkpoint", lambda J: lambda a: J.checkpoint(f)(a, n=a), x)
    run("checkpoint", lambda J: lambda a: J.checkpoint(lambda b: a * b)(a), x)
    run("checkpoint", lambda J: J.checkpoint(lambda b: b if b > 0 else -b), x[0])
    run("checkpoint", lambda J: J.checkpoint(lambda b, c: b if c else -b), x, True)
    run("checkpoint", lambda J: lambda a: J.checkpoint(lambda: a * 2)(), x)
    for policy in ("everything_saveable", "nothing_saveable", "dots_saveable", "dots_with_no_batch_dims_saveable"):
        run("policy", lambda J, n=policy: jax.grad(lambda a: J.checkpoint(lambda b: jnp.sin(b @ b.T) @ b, policy=getattr(J.checkpoint_policies, n))(a).sum()),
            array("float32", 2, 2), jaxpr=False)
    names = lambda J, n: getattr(J.checkpoint_policies, n)("s")
    named = lambda b: jnp.sin(jax.ad_checkpoint.checkpoint_name(jnp.cos(b), "s"))
    for policy in ("save_only_these_names", "save_any_names_but_these", "save_anything_except_these_names"):
        run("policy", lambda J, n=policy: jax.grad(lambda a: J.checkpoint(named, policy=names(J, n))(a).sum()), x, jaxpr=False)

    run("devices", lambda J: text(lambda a: (J.devices(), J.device_count(), J.local_devices(), J.default_backend(), J.process_index(), J.process_count())), x)
    run("devices", lambda J: text(lambda a: J.devices("cpu")), x)
    run("devices", lambda J: text(lambda a: J.devices("nope")), x)
    run("device_put", lambda J: lambda a: J.device_put(a), x)
    run("device_put", lambda J: lambda a: J.device_put({"a": a, "b": 1.0}, jax.devices()[0]), x)
    run("device_put", lambda J: lambda a: J.device_put(np.ones(2)), x)
    run("device_put", lambda J: lambda a: J.device_put(a, "cpu"), x)
    run("device_put", lambda J: lambda a: J.device_put("no"), x)
    run("device_get", lambda J: lambda a: J.device_get((a, 1.0)), x)
    run("device_get", lambda J: lambda a: text(lambda: (type(J.device_get(jnp.ones(2))), J.device_get({"a": 3, "b": "s"})))(), x)
    run("block_until_ready", lambda J: lambda a: J.block_until_ready((a, 1.0))[0], x)
    run("config", lambda J: text(lambda a: (J.config.jax_enable_x64, J.config.jax_numpy_rank_promotion)), x)
    run("config", lambda J: text(lambda a: J.config.nothing), x)
    run("config", lambda J: text(lambda a: J.config.update("nothing", 1)), x)
    for name, value in (("enable_x64", True), ("debug_nans", True), ("numpy_rank_promotion", "raise"), ("numpy_dtype_promotion", "strict"),
                        ("default_matmul_precision", "float32")):
        option = lambda J2, n: getattr(jax, n) if J2 is jax else J.option(n)
        run("option", lambda J2, n=name, v=value: text(lambda a: [option(J2, n).value, with_context(option(J2, n)(v), lambda: option(J2, n).value)]), x)


def with_context(context, f):
    with context:
        return f()
