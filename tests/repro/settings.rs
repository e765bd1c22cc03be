//! What the program sets for all that follows.

use crate::helpers::exact;

const PROGRAM: &str = "\
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

class Setup:
    def __init__(self):
        jax.set_mesh(jax.make_mesh((1,), ('data',), (AxisType.Explicit,)))

@jax.jit
def placed(x):
    return jax.reshard(x, P('data')) * 2

@jax.jit
def plain(x):
    return x + 1

@jax.jit
@jax.shard_map(in_specs=P('data'), out_specs=P())
def summed(x):
    return jax.lax.psum(x.sum(), 'data')

plain(jnp.ones(4))
Setup()
placed(jnp.ones(4))
summed(jnp.ones(4))
";

fn text_of(function: &str) -> String {
    exact("settings.py", PROGRAM, function).made.text
}

#[test]
fn a_mesh_that_is_set_before_a_call_is_set_in_its_reproducer() {
    let text = text_of("placed");
    assert!(text.contains("set_mesh(") && text.contains("jax.make_mesh((1,), (\"data\",)"), "{text}");
    assert!(text_of("summed").contains("set_mesh("));
    assert!(!text_of("plain").contains("set_mesh"));
}

#[test]
fn items_that_a_tree_is_made_of_are_those_of_the_array() {
    let program = "\
import jax
import jax.numpy as jnp

tree = {'a': jnp.ones(3), 'b': jnp.zeros(2)}

@jax.jit
def noisy(key, tree):
    leaves, treedef = jax.tree.flatten(tree)
    keys = jax.tree.unflatten(treedef, jax.random.split(key, len(leaves)))
    return jax.tree.map(lambda x, k: x + jax.random.normal(k, x.shape), tree, keys)

noisy(jax.random.key(0), tree)
";
    let found = exact("items.py", program, "noisy");
    assert!(found.made.stand_ins.is_empty(), "{}", found.made.text);
    assert!(found.made.text.contains("jax.random.normal(split[1], (2,))"), "{}", found.made.text);
}

const UNDER_A_MESH: &str = "\
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((1,), ('data',), (AxisType.Auto,))

@jax.jit
def made():
    own = NamedSharding(jax.sharding.get_abstract_mesh(), P('data'))
    return jax.lax.with_sharding_constraint(jnp.arange(4.0), own)

with jax.set_mesh(mesh):
    x = made()
";

#[test]
fn what_is_called_under_a_mesh_is_the_value_of_the_file() {
    let text = exact("under_a_mesh.py", UNDER_A_MESH, "made").made.text;
    let end = "with jax.set_mesh(mesh):\n    result = jax.jit(made)()\nresult\n";
    assert!(text.ends_with(end), "{text}");
}

const PLACED: &str = "\
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

jax.config.update('jax_num_cpu_devices', 2)

@jax.jit
def drawn(key):
    return [(jax.random.normal(key, (4, 2)), jnp.zeros(2))], jax.random.normal(key, (8, 4))

params, batch = drawn(jax.random.key(0))
mesh = jax.make_mesh((2,), ('batch',))
jax.set_mesh(mesh)
batch = jax.device_put(batch, NamedSharding(mesh, P('batch')))
params = jax.device_put(params, P())

@jax.shard_map(in_specs=(P(), P('batch')), out_specs=P())
def loss(params, batch):
    for w, b in params:
        batch = batch @ w + b
    return jax.lax.pmean(batch.mean(), 'batch')

jax.jit(loss)(params, batch)
";

#[test]
fn numbers_lie_where_the_program_puts_them() {
    let text = exact("placed.py", PLACED, "loss").made.text;
    assert!(
        text.contains("batch = jax.device_put(jnp.asarray(data[\"batch\"]), NamedSharding(mesh, P(\"batch\")))\n"),
        "{text}"
    );
    assert!(text.contains("params = jax.device_put(\n"), "{text}");
}
