//! Functions that are trees: what `jax.vjp` gives, taken apart and put together again.

use crate::helpers::exact;

#[test]
fn a_function_that_is_put_together_again_is_called() {
    let program = "\
import jax
import jax.numpy as jnp

def loss(w, x):
    return jnp.tanh(w @ x)

w, x = jnp.array([[1.0, 2.0], [3.0, 4.0]]), jnp.array([0.5, -0.5])
y, pull = jax.vjp(loss, w, x)
kept, treedef = jax.tree.flatten(pull)

@jax.jit
def case(kept, y):
    return jax.tree.unflatten(treedef, kept)(y)

case(kept, y)
";
    let made = exact("linear.py", program, "case").made;
    assert!(made.text.contains("jax.tree.unflatten(treedef, kept)(y)"), "{}", made.text);
    assert!(made.text.contains("_, treedef = jax.tree.flatten(pull)"), "{}", made.text);
}
