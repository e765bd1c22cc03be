import jax
import jax.numpy as jnp


def case(params, batch):
    def loss(p, b, scale):
        def predict(row):
            def unit(w, v):
                # fault: w @ jnp.ones(11)
                return jnp.tanh(w * v + p["b"]).sum() * scale

            return jax.grad(unit, argnums=1)(p["w"], row).sum()

        out = jax.vmap(predict)(b)
        return (out**2).mean(), {"out": out}

    return jax.grad(loss, argnums=(0, 2), has_aux=True)(params, batch, 0.5)


result = jax.jit(case)(
    {"w": jnp.linspace(0.1, 0.5, 3), "b": jnp.array(0.2)}, jnp.linspace(-1.0, 1.0, 6).reshape(2, 3)
)
