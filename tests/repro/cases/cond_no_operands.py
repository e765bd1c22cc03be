import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def loss(w):
        def body(c, t):
            def yes():
                # fault: c @ jnp.ones(11)
                return {"a": c * w, "n": 1}

            out = lax.cond(t > 1, yes, lambda: {"a": c + x, "n": 0})
            return out["a"], out["n"]

        out, counts = lax.scan(body, x, jnp.arange(3))
        return out.sum(), counts

    return jax.grad(loss, has_aux=True)(2.0)


result = case(jnp.linspace(0.0, 1.0, 3))
