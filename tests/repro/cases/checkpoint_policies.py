from functools import partial

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def case(w, x):
    def loss(v):
        @partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_saveable)
        def block(h):
            @partial(jax.checkpoint, policy=jax.checkpoint_policies.save_only_these_names("keep"))
            def inner(a):
                # fault: a @ jnp.ones(11)
                kept = checkpoint_name(jnp.sin(a @ v), "keep")
                return kept * h.sum()

            return inner(h) @ w

        return block(x).sum()

    return jax.value_and_grad(loss)(w)


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 9).reshape(3, 3), jnp.ones((2, 3)))
