//! What wrappers of libraries say beside what their users say.

use crate::helpers::exact;

const HANDED_ON: &str = "\
import jax
import jax.numpy as jnp

class Compiled:
    def __init__(self, function, static_argnums=None, inline=False, keep_unused=False, device=None):
        self.call = jax.jit(
            function, static_argnums=static_argnums, inline=inline, keep_unused=keep_unused, device=device
        )

    def __call__(self, *args):
        return self.call(*args)

def doubled(x):
    return x * 2

def halved(x):
    return x / 2

def both(x):
    return Compiled(doubled)(x) + jax.jit(halved, inline=False)(x)

both(jnp.ones(3))
";

#[test]
fn arguments_that_wrappers_hand_on_and_that_say_nothing_are_left_out() {
    let text = exact("handed_on.py", HANDED_ON, "both").made.text;
    assert!(text.contains("jax.jit(doubled)(x)"), "{text}");
    // The program says that itself.
    assert!(text.contains("jax.jit(halved, inline=False)(x)"), "{text}");
}

const VARIABLE: &str = "\
import jax
import jax.numpy as jnp

class Variable:
    def __init__(self, value):
        self.value = value

    def __sub__(self, other):
        return self.value.__sub__(other)

    def __rsub__(self, other):
        return self.value.__rsub__(other)

    def __rmatmul__(self, other):
        return self.value.__rmatmul__(other)

    def __rpow__(self, other):
        return self.value.__rpow__(other)

w = Variable(jnp.arange(6.0).reshape(2, 3))

@jax.jit
def apply(x):
    y = x @ w
    return (1 - w) * y + (w - y) * (2 ** w)

apply(jnp.ones((2, 2)))
";

#[test]
fn special_methods_of_arrays_are_operators() {
    let text = exact("variable.py", VARIABLE, "apply").made.text;
    assert!(!text.contains("__"), "{text}");
    assert!(text.contains("x @ ") && text.contains("1 - ") && text.contains(" - y") && text.contains("2**"), "{text}");
}
