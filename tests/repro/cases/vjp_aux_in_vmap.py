import jax
import jax.numpy as jnp


def case(x, w):
    def outer(row):
        def f(p):
            def g(q):
                # fault: q @ jnp.ones(11)
                return {"o": q["a"] * row}, q["a"].sum()

            return g(p)

        out, back, aux = jax.vjp(f, {"a": w}, has_aux=True)
        return back(out), aux, jax.vmap(lambda ct: back({"o": ct})[0]["a"])(jnp.eye(3))

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 6).reshape(2, 3), jnp.linspace(1.0, 2.0, 3))
