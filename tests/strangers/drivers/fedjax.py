import haiku as hk
import jax
import numpy as np

import fedjax
from examples.fed_avg import federated_averaging

draw = np.random.RandomState(0)
clients = {
    b"%d" % i: fedjax.ClientDataset({"x": draw.randn(6, 5).astype(np.float32), "y": draw.randint(0, 3, 6)}) for i in range(2)}
net = hk.transform(lambda batch: hk.nets.MLP([8, 3])(batch["x"]))
model = fedjax.create_model_from_haiku(
    transformed_forward_pass=net, sample_batch={"x": np.zeros((1, 5), np.float32), "y": np.zeros(1, np.int32)},
    train_loss=lambda batch, preds: fedjax.metrics.unreduced_cross_entropy_loss(batch["y"], preds),
    eval_metrics={"accuracy": fedjax.metrics.Accuracy()})
grad_fn = jax.jit(fedjax.model_grad(model))
algorithm = federated_averaging(
    grad_fn, fedjax.optimizers.sgd(0.1), fedjax.optimizers.adam(0.01), fedjax.ShuffleRepeatBatchHParams(batch_size=3, num_epochs=1))
state = algorithm.init(model.init(jax.random.PRNGKey(0)))
for step in range(2):
    keys = jax.random.split(jax.random.PRNGKey(step), 2)
    state, diagnostics = algorithm.apply(state, [(name, data, key) for (name, data), key in zip(clients.items(), keys)])
    print(diagnostics)
