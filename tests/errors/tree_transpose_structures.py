import jax

jax.tree.transpose(jax.tree.structure([0]), jax.tree.structure((0, 0)), [1])
