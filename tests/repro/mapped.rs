//! Maps over trees, which are written as such where they do the same with all leaves.

use crate::helpers::exact;

const PROGRAM: &str = "\
import jax
import jax.numpy as jnp

tree = {'w': jnp.arange(6.0).reshape(2, 3), 'b': jnp.array([1.0, 2.0, 3.0])}

@jax.jit
def descended(tree, grads):
    return jax.tree.map(lambda p, g: p - 0.5 * g, tree, grads)

@jax.jit
def scaled(tree):
    return jax.tree.map(lambda p, rate: p * rate, tree, {'w': 2.0, 'b': 3.0})

@jax.jit
def norms(tree):
    total = sum(jax.tree.leaves(jax.tree.map(jnp.sum, tree)))
    return jax.tree.map(lambda p: p / total, tree)

@jax.jit
def twice(tree, grads):
    grads = jax.tree.map(lambda g: g * 2, grads)
    tree = jax.tree.map(lambda p, g: p - g, tree, grads)
    return tree, grads

@jax.jit
def noisy(key, tree):
    keys = dict(zip('wb', jax.random.split(key)))
    return jax.tree.map(lambda p, k: p + jax.random.normal(k, p.shape), tree, keys)

@jax.jit
def both(tree):
    decayed = jax.tree.map(lambda p: p * 0.9 if p.ndim > 1 else p, tree)
    return jax.tree.map(lambda p: p + 1, decayed)

@jax.jit
def by_path(tree):
    return jax.tree_util.tree_map_with_path(lambda path, p: p * (2 if path[0].key == 'w' else 1), tree)

@jax.jit
def pairs(tree):
    two = {'w': [tree['w'], 1.0], 'b': [tree['b'], 2.0]}
    return jax.tree.map(lambda p: p[0] * 3, two, is_leaf=lambda x: isinstance(x, list))

@jax.jit
def collected(tree):
    seen = []
    jax.tree.map(lambda p: seen.append(p.sum()), tree)
    return jnp.stack(seen)

descended(tree, tree)
scaled(tree)
norms(tree)
noisy(jax.random.key(0), tree)
twice(tree, tree)
both(tree)
by_path(tree)
pairs(tree)
collected(tree)
";

fn text_of(function: &str) -> String {
    exact("mapped.py", PROGRAM, function).made.text
}

#[test]
fn what_is_done_with_all_leaves_is_a_map() {
    for (function, lines) in [
        ("descended", &["return jax.tree.map(lambda p, g: p - 0.5 * g, tree, grads)"][..]),
        ("scaled", &["return jax.tree.map(lambda p, rate: p * rate, tree, {\"w\": 2.0, \"b\": 3.0})"]),
        ("norms", &["jax.tree.map(jnp.sum, tree)", "return jax.tree.map(lambda p: p / total, tree)"]),
        (
            "twice",
            &["grads = jax.tree.map(lambda g: g * 2, grads)", "tree = jax.tree.map(lambda p, g: p - g, tree, grads)"],
        ),
        ("both", &["jax.tree.map(", "lambda p: p + 1", "tree[\"w\"] * 0.9"]),
        ("pairs", &["lambda p: p[0] * 3", "is_leaf=lambda x: isinstance(x, list)"]),
    ] {
        let text = text_of(function);
        for line in lines {
            assert!(text.contains(line), "{function}: {line}\n{text}");
        }
    }
}

#[test]
fn what_is_done_with_each_leaf_in_another_way_is_written_leaf_by_leaf() {
    for (function, line) in
        [("noisy", "jax.random.normal(split[1], (3,))"), ("by_path", "tree[\"w\"] * 2"), ("collected", "jnp.stack(")]
    {
        let text = text_of(function);
        assert!(!text.contains("tree.map") && !text.contains("tree_map"), "{text}");
        assert!(text.contains(line), "{function}: {line}\n{text}");
    }
}
