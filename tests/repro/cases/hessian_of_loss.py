import jax
import jax.numpy as jnp


def case(w, x):
    def row(a):
        def loss(v):
            def score(t):
                # fault: t @ jnp.ones(11)
                return jnp.sum(jnp.log1p(jnp.exp(t * a)))

            return score(v) + jax.jit(score)(v * x.sum())

        return jax.hessian(loss)(w)

    return jax.vmap(row)(x)


result = jax.jit(case)(jnp.linspace(-1.0, 1.0, 3), jnp.linspace(0.0, 1.0, 6).reshape(2, 3))
