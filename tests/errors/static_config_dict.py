import jax

jax.jit(lambda x, cfg: x, static_argnames="cfg")(1.0, cfg={"a": 1})
