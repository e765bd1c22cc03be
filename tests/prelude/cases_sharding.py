"""Meshes, partition specs and shardings: texts of values and errors; shard_map on a mesh of one device."""
import jax
import jax.numpy as jnp
import numpy as np
from check import prelude
from pairs import namespace

TEXTS = r"""
P('x', None)
P()
P(('x', 'y'), None, 'z')
P('x') == P('x', None)
P('x') == ('x',)
hash(P('x')) == hash(P('x'))
tuple(P('x', None))
len(P('x', None))
P('x')[0]
P('x') + P('y')
P('x') + ('y',)
('y',) + P('x')
P(None, 'x')[1:]
P('x').partitions
P('x').update(unreduced={'y'})
P('x', unreduced={'y'})
P('x', unreduced={'x'})
P('x', unreduced=['y'])
P(('x',))
P(())
P('x', 'x')
P.UNCONSTRAINED
P('x').index('x')
(S.Mesh(D, 'x'), str(S.Mesh(D, 'x')))
m.shape, m.shape_tuple, m.axis_names, m.axis_sizes, m.size, m.empty, m.devices.shape, m.axis_types, m.local_devices
m.abstract_mesh
m == S.Mesh(D, ('x',))
hash(m) == hash(S.Mesh(D, ('x',)))
S.Mesh(D, ('x', 'y'))
S.Mesh(D, (None,))
S.Mesh(D, 'x', axis_types=(S.AxisType.Explicit,))
S.Mesh(D, 'x', axis_types=(1,))
S.Mesh(D, 'x', axis_types=(S.AxisType.Auto,) * 2)
J.make_mesh((1,), ('x',))
J.make_mesh((2,), ('x',))
J.make_mesh((1, 1), ('x',))
J.make_mesh(1, ('x',))
J.make_mesh((1,), ('x',), axis_types=(S.AxisType.Auto,))
S.NamedSharding(m, P('x'))
S.NamedSharding(m, P('z'))
S.NamedSharding(m, P('x', 'x'))
S.NamedSharding(m, P('x')).shard_shape((4, 2))
S.NamedSharding(m, P('x')).is_fully_replicated
S.NamedSharding(m, P('x')).device_set
S.NamedSharding(m, P('x')).num_devices
S.NamedSharding(m, P('x')) == S.NamedSharding(m, P('x'))
S.NamedSharding(m, P('x')).is_equivalent_to(S.NamedSharding(m, P()), 2)
S.NamedSharding(m, P('x')).update(spec=P())
S.NamedSharding(m, P('x')).with_memory_kind('pinned_host')
S.SingleDeviceSharding(jax.devices()[0])
S.AbstractMesh((2,), ('x',))
S.AbstractMesh((2, 4), ('x', 'y')).shape
S.get_abstract_mesh()
S.get_mesh()
S.AxisType.Auto
L.with_sharding_constraint(jnp.ones(3), S.NamedSharding(m, P('x')))
L.with_sharding_constraint(jnp.ones(3), P('x'))
L.with_sharding_constraint(jnp.ones(3), S.NamedSharding(m2, P('x', 'y')))
L.with_sharding_constraint({'a': jnp.ones(3)}, {'a': S.NamedSharding(m2, P('x'))})
J.device_put(jnp.ones(3), S.NamedSharding(m, P('x')))
J.device_put(jnp.ones(3), S.NamedSharding(m2, P('x', 'y')))
J.device_put(jnp.ones(3), P('x'))
J.device_put((jnp.ones(3), 1.0), (S.NamedSharding(m, P('x')), None))
J.shard_map(lambda x: x * 2, mesh=m, in_specs=P('x'), out_specs=P('x'))(jnp.ones(3))
J.shard_map(lambda x: jax.lax.psum(x, 'x'), mesh=m, in_specs=P('x'), out_specs=P())(jnp.ones(3))
J.shard_map(lambda x: x, mesh=m, in_specs=P('z'), out_specs=P())(jnp.ones(3))
J.shard_map(lambda x: x, mesh=m, in_specs=P('x'), out_specs=P('z'))(jnp.ones(3))
J.shard_map(lambda x: x, mesh=m, in_specs='x', out_specs=P())(jnp.ones(3))
J.shard_map(lambda x: x, mesh=m, in_specs=None, out_specs=P())(jnp.ones(3))
J.shard_map(lambda x: x, mesh=m, in_specs=(P('x'), P('x')), out_specs=P())(jnp.ones(3))
J.shard_map(lambda x: x, mesh=m, in_specs=P('x', 'x'), out_specs=P('x'))(jnp.ones(3))
J.shard_map(lambda x: x, in_specs=P('x'), out_specs=P('x'))(jnp.ones(3))
J.shard_map(lambda x: (x, x), mesh=m, in_specs=P('x'), out_specs=(P('x'),))(jnp.ones(3))
J.shard_map(lambda x: (x, {'k': x}), mesh=m, in_specs=P('x'), out_specs=P('x'))(jnp.ones(3))
J.shard_map(3, mesh=m, in_specs=P('x'), out_specs=P('x'))
J.shard_map(lambda x: x, mesh=3, in_specs=P('x'), out_specs=P('x'))(jnp.ones(3))
J.shard_map(lambda x: x, mesh=m, in_specs=P('x'), out_specs=P('x'), axis_names={'q'})(jnp.ones(3))
J.shard_map(lambda x: x, mesh=m, in_specs=P('x'), out_specs=P('x'), axis_names='x')(jnp.ones(3))
within(m, lambda: J.set_mesh(m), lambda: (S.get_mesh(), S.get_abstract_mesh()))
within(m, lambda: J.set_mesh(m), lambda: J.device_put(jnp.ones(3), P('x')))
within(m, lambda: m, lambda: S.get_abstract_mesh())
J.set_mesh(3)
"""


def within(mesh, enter, f):
    with enter():
        return f()


def cases(C):
    devices = prelude("_devices")
    ours = dict(J=namespace(prelude("_sharding"), devices), S=prelude("sharding"), L=prelude("lax"))
    real = dict(J=jax, S=jax.sharding, L=jax.lax)
    for text in TEXTS.strip().split("\n"):
        if not C.wants(text):
            continue
        C.total += 1
        a, b = outcome(text, ours), outcome(text, real)
        if a == b:
            C.same += 1
        else:
            C.fail(text, (), {}, f"\n   ours   {a}\n   theirs {b}")
    missing = [n for n in dir(jax.sharding) if n[0] != "_" and not hasattr(ours["S"], n)]
    if missing:
        C.fail("names of sharding", (), {}, " ".join(missing))


def outcome(text, names):
    devices = np.array(jax.devices())
    S = names["S"]
    scope = dict(names, P=S.PartitionSpec, D=devices, m=S.Mesh(devices, ("x",)), m2=S.Mesh(devices.reshape(1, 1), ("x", "y")), jax=jax, jnp=jnp,
                 within=within)
    try:
        return repr(eval(text, scope))
    except Exception as error:
        return f"{type(error).__name__}: {error}".replace("pjax.", "jax.").split("\n")[0]
