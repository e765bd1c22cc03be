"""jax.experimental, jax.export, jax.ffi, jax.extend, jax.interpreters, jax.test_util."""
import importlib
import types

import jax
import jax.export
import jax.ffi
import jax.numpy as jnp
import jax.test_util
import numpy as np
from check import array, prelude
from pairs import expressions

MODULES = """
    experimental experimental.pjit experimental.shard_map experimental.mesh_utils experimental.multihost_utils experimental.layout
    experimental.checkify experimental.ode experimental.compute_on experimental.xla_metadata experimental.custom_partitioning
    experimental.compilation_cache.compilation_cache experimental.pallas experimental.jet experimental.sparse experimental.rnn
    experimental.fused experimental.hijax experimental.roofline experimental.topologies experimental.transfer experimental.random
    experimental.colocated_python experimental.buffer_callback experimental.serialize_executable experimental.source_mapper
    experimental.control_deps experimental.shard_alike experimental.profiler experimental.scheduling_groups experimental.mosaic
    experimental.sparse.linalg experimental.sparse.bcoo experimental.sparse.ad experimental.sparse.random experimental.key_reuse
    export ffi lib test_util cloud_tpu_init extend extend.core extend.core.primitives extend.backend extend.random extend.linear_util
    extend.mlir extend.sharding extend.source_info_util extend.ifrt_programs extend.lowering extend.xla extend.pallas
    interpreters interpreters.ad interpreters.batching interpreters.mlir interpreters.partial_eval interpreters.pxla interpreters.xla
    """.split()

# Names that modules have only because they import them.
STRAY = frozenset("""
    experimental.ode:abs2 experimental.ode:fit_4th_order_polynomial experimental.ode:initial_step_size experimental.ode:interp_fit_dopri
    experimental.ode:mean_error_ratio experimental.ode:optimal_step_size experimental.ode:ravel_first_arg
    experimental.ode:ravel_first_arg_ experimental.ode:runge_kutta_step
    """.split())

TEXTS = r"""
E.mesh_utils.create_device_mesh((1, 1)).shape
str(E.mesh_utils.create_device_mesh((1,)))
E.mesh_utils.create_device_mesh((2,))
E.mesh_utils.create_device_mesh((1,), devices=[])
E.mesh_utils.create_device_mesh(1)
E.mesh_utils.create_hybrid_device_mesh((1,), (1,))
E.mesh_utils.create_hybrid_device_mesh((1,), (1,), process_is_granule=True).shape
E.multihost_utils.broadcast_one_to_all({'a': np.ones(3)})
E.multihost_utils.process_allgather(np.ones(3))
E.multihost_utils.process_allgather(np.ones(3), tiled=True)
E.multihost_utils.process_allgather({'a': 1.0})
E.multihost_utils.sync_global_devices('a')
E.multihost_utils.assert_equal(x)
E.multihost_utils.reached_preemption_sync_point(1)
repr(E.layout.Layout((0, 1)))
repr(E.layout.Layout.AUTO)
E.layout.Format(E.layout.Layout((0, 1)))
E.layout.Format(3)
E.layout.with_layout_constraint(x, E.layout.Layout((0,)))
E.layout.with_layout_constraint(x, E.layout.Layout((0, 1)))
E.pjit.pjit(lambda a: a + 1)(x)
E.pjit.pjit(lambda a, b: a + b, static_argnums=1)(x, 2)
E.shard_map.shard_map(lambda a: a * 2, jax.make_mesh((1,), ('q',), (jax.sharding.AxisType.Auto,)), jax.P('q'), jax.P('q'))  # eager
E.shard_map.shard_map(lambda a: a, None, None, None, auto=frozenset())
E.io_callback(np.sin, jax.ShapeDtypeStruct((3,), np.float32), x)
E.checkify.check(x > 0, 'a')
E.checkify.check(1.0, 'a')
E.checkify.check(True, 3)
E.checkify.check(False, 'z')
E.checkify.check(False, 'z {}', np.float32(1.0))
E.checkify.check(False, 'z {} {a}', np.arange(2), a=np.ones(1))
E.checkify.check(True, 'a {}', 's')
E.checkify.check(True, 'a {}', 1)
E.checkify.check(True, 'a {b}', b=1)
E.checkify.check(x.sum() > 0, 'a')
E.checkify.check_error(3)
E.checkify.checkify(lambda a: (E.checkify.check(a[0] > 5, 'small {}', a), a * 2)[1])(x)[1]
E.checkify.checkify(lambda a: (E.checkify.check(a[0] > 5, 'small {}', a), a * 2)[1])(np.ones(3))[0].get()
E.checkify.checkify(lambda a: (E.checkify.check(a[0] > 0, 'small {}', a), a * 2)[1])(np.ones(3))[0].get()
E.checkify.checkify(lambda a: (E.checkify.check(a[0] > 5, 'small {}', a), a * 2)[1])(np.ones(3))[0].throw()
E.checkify.check_error(E.checkify.checkify(lambda a: (E.checkify.check(a[0] > 5, 'small {}', a), a * 2)[1])(np.ones(3))[0])
E.checkify.checkify(lambda a: 1 / a, errors=E.checkify.float_checks)(0.0)[0].get()
E.checkify.checkify(lambda a: jnp.log(a), errors=E.checkify.nan_checks)(-1.0)[0].get()
E.checkify.checkify(lambda a: jnp.arange(3)[a], errors=E.checkify.index_checks)(5)[0].get()
jax.jit(E.checkify.checkify(lambda a: (E.checkify.check(a[0] > 5, 'small'), a * 2)[1]))(x)[1]
jax.jit(lambda a: (E.checkify.check(a[0] > 5, 'small'), a * 2)[1]).lower(np.ones(3))  # eager
E.checkify.init_error.get()
len(E.checkify.all_checks), len(E.checkify.automatic_checks), len(E.checkify.user_checks)
E.compute_on.compute_on('device_host')(lambda a: a + 1)(1)
E.compute_on.compute_on(3)
E.xla_metadata.set_xla_metadata(a=1)(lambda a: a + 1)(1)
E.custom_partitioning.custom_partitioning(lambda a: a + 1)(1)
E.ode.odeint(lambda y, t: -y, x, t)  # loose
E.ode.odeint(lambda y, t, k: (y[1], -k * y[0]), (x, x), t, 2.0)
E.ode.odeint(lambda y, t: -y, x, t, rtol=1e-4, atol=1e-4)
E.ode.odeint(lambda y, t: -y, x, jnp.arange(3))
E.ode.odeint(lambda y, t, s: -y, x, t, 'a')
jax.grad(lambda y: E.ode.odeint(lambda y, t: -jnp.sin(y) * t, y, t)[-1].sum())(x)
jax.grad(lambda k: E.ode.odeint(lambda y, t, k: -k * y, x, t, k)[-1].sum())(2.0)
jax.grad(lambda t: E.ode.odeint(lambda y, t: -y * t, x, t)[-1].sum())(t)
E.ode.odeint(lambda y, t: {'a': -y['a']}, {'a': x}, t)
E.pallas.cdiv(7, 2)
E.pallas.cdiv(i, 2)
E.pallas.next_power_of_2(9)
E.pallas.next_power_of_2(0)
E.pallas.next_power_of_2(-1)
E.pallas.align_to(9, 8)
E.pallas.strides_from_shape((2, 3, 4))
E.pallas.pallas_call(lambda a, o: None, jax.ShapeDtypeStruct((4,), np.float32), interpret=True)(x).shape
E.export.default_export_platform()
E.export.export(jax.jit(jnp.sin))(x).out_avals
E.export.export(jax.jit(jnp.sin))(x).in_avals
E.export.export(jax.jit(lambda a, b=1: {'q': a}))(x, b=x).out_tree
E.export.export(jax.jit(lambda a, b=1: {'q': a}))(x, b=x).in_tree
E.export.export(jax.jit(jnp.sin))(np.ones(3, np.float32)).call(np.ones(4, np.float32))
E.export.export(jax.jit(jnp.sin))(np.ones(3, np.float32)).call(np.ones((4, 1), np.float32))
E.export.export(jax.jit(jnp.sin))(np.ones(3, np.float32)).call(np.ones(3, np.int32))
E.export.export(jax.jit(jnp.sin))(np.ones(3, np.float32)).call(np.ones(3, np.float32))
E.export.export(lambda a: a)(x)
E.export.export(jax.jit(jnp.sin), platforms='cpu')(x)
E.ffi.ffi_call('nope', 3)
E.ffi.ffi_call('nope', [np.ones(3), (3,)])
E.ffi.ffi_call('nope', jax.ShapeDtypeStruct((3,), np.float32))(x, a=x)
E.test_util.check_grads(jnp.sin, (np.ones(3),), 2)
E.test_util.check_grads(lambda a, b: a @ b, (np.ones((3, 2)), np.ones(2)), 1, modes=['rev'])
E.test_util.check_grads(lambda a: a.nope, (np.ones(3),), 2)
E.extend.core.jaxpr_as_fun(jax.make_jaxpr(lambda a: a + 1)(1.0))(x)
E.extend.core.concrete_or_error(int, 3)
E.extend.core.concrete_or_error(int, i, 'why')
E.extend.core.concrete_or_error(None, x)
E.extend.core.valid_jaxtype(3), E.extend.core.valid_jaxtype('a')
E.extend.core.primitives.add_p.name
E.extend.core.primitives.cond_p.name
E.extend.core.primitives.nope_p
E.extend.random.random_seed(3, E.extend.random.threefry_prng_impl)
E.extend.random.seed_with_impl(E.extend.random.rbg_prng_impl, 3)
E.extend.backend.get_default_device().platform
E.interpreters.ad.add_tangents(E.interpreters.ad.Zero(jax.core.get_aval if False else jax.typeof(1.0)), 3.0)
E.interpreters.ad.add_tangents(x, x)
E.interpreters.ad.instantiate_zeros(E.interpreters.ad.Zero(jax.typeof(1.0)))
E.interpreters.ad.zeros_like_aval(jax.typeof(jnp.ones(3)))
E.interpreters.batching.bdim_at_front(x, None, 2)
E.interpreters.batching.bdim_at_front(x[None], 1, 3)
E.interpreters.batching.broadcast(x, 2, 1, None)
"""


def custom_primitive(E):
    """A primitive of the user's with all its rules, as programs define one."""
    multiply_add = E.extend.core.Primitive("multiply_add")
    square_twice = E.extend.core.Primitive("square_twice")

    def bind(x, y, z):
        return multiply_add.bind(x, y, z)

    multiply_add.def_impl(lambda x, y, z: x * y + z)
    multiply_add.def_abstract_eval(lambda x, y, z: jax.core.ShapedArray(x.shape, x.dtype))
    E.interpreters.ad.defjvp(multiply_add, lambda t, x, y, z: t * y, lambda t, x, y, z: t * x, lambda t, x, y, z: t)
    E.interpreters.batching.defvectorized(multiply_add)
    square_twice.def_impl(lambda x: x * 2)
    square_twice.def_abstract_eval(lambda x: x)
    E.interpreters.ad.deflinear2(square_twice, lambda t, x: [square_twice.bind(t)])
    E.interpreters.batching.primitive_batchers[square_twice] = lambda args, dims: (square_twice.bind(args[0]), dims[0])
    E.interpreters.mlir.register_lowering(square_twice, None)
    return bind, square_twice.bind


def gather(load):
    """A namespace whose attributes are the modules by their last name."""
    E = types.SimpleNamespace(extend=types.SimpleNamespace(), interpreters=types.SimpleNamespace())
    for name in MODULES:
        parts = name.split(".")
        if parts[0] in ("extend", "interpreters") and len(parts) == 2:
            setattr(getattr(E, parts[0]), parts[1], load(name))
        elif name not in ("extend", "interpreters", "experimental", "extend.core.primitives"):
            setattr(E, parts[-1], load(name))
    E.extend.core_primitives = load("extend.core.primitives")
    E.io_callback = load("experimental").io_callback
    return E


def names_of(C, module):
    """Each public name that the real module has, as far as it is its own, is one that ours has; each other name is not."""
    real = importlib.import_module("jax." + module)
    ours = prelude(module)
    for name in dir(real):
        value = getattr(real, name, None)
        if name.startswith("_") or isinstance(value, types.ModuleType) or f"{module}:{name}" in STRAY:
            continue
        home = getattr(value, "__module__", None)
        if home in ("typing", "collections.abc", "functools", "collections") or name in ("annotations", "TYPE_CHECKING"):
            continue
        if not name.endswith("_p") or module == "extend.core.primitives":
            C.expect(f"{module}.{name}", hasattr(ours, name), "missing")
    C.call(f"{module}.nope", lambda: getattr(ours, "nope"), lambda: getattr(real, "nope"))


def cases(C):
    ours, real = gather(prelude), gather(lambda name: importlib.import_module("jax." + name))
    arrays = dict(x=array("float32", 3), i=jnp.int32(4), t=jnp.linspace(0.0, 1.0, 4))
    expressions(C, "E", ours, real, arrays, TEXTS.splitlines())
    for module in MODULES:
        names_of(C, module)
    (a, b), (ra, rb) = custom_primitive(ours), custom_primitive(real)
    x, y, z = [array("float32", 3) for _ in range(3)]
    for text in ["f(x, y, z)", "jax.jvp(f, (x, y, z), (z, y, x))", "jax.jvp(g, (x,), (y,))", "jax.vjp(g, x)[1](y)", "jax.vmap(f)(x, y, z)",
                 "jax.vmap(g)(x)", "jax.grad(lambda a: f(a, y, z).sum())(x)"]:
        def make(f, g):
            return lambda x, y, z: eval(text, {"f": f, "g": g, "jax": jax, "x": x, "y": y, "z": z})
        C.call(text, make(a, b), make(ra, rb), x, y, z, values="jit" not in text)
