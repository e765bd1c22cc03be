import jax
import numpy as np

from examples.transformer import dataset, train

train.NUM_LAYERS, train.MODEL_SIZE = 2, 32
draw = np.random.RandomState(0)
tokens = draw.randint(1, dataset.VOCAB_SIZE, (2, 17)).astype(np.int32)
data = dataset.Batch(inputs=tokens[:, :-1], targets=tokens[:, 1:])
state = train.init(jax.random.PRNGKey(train.SEED), data)
for _ in range(3):
    state, metrics = train.update(state, data)
    print({name: float(value) for name, value in metrics.items()})
logits = jax.jit(train.loss_fn.apply)(state.params, state.rng_key, data)
print(logits.shape)
