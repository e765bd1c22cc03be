import jax


class Config:
    temperature = 1.0


@jax.jit
def anneal(step):
    Config.temperature = 1.0 / step
    return step + 1


anneal(2.0)
print(Config.temperature * 2)
