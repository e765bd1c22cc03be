"""A multi-layer perceptron without any library, on the spirals problem.

Parameters are a python list of (w, b) tuples, gradients come from
jax.value_and_grad and the update is SGD with momentum.
"""
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import grad, jit, random, vmap
from jax.nn import log_softmax

from data import batch_stream, make_spirals, one_hot, standardize, train_test_split

LAYER_SIZES = [2, 64, 64, 3]
PARAM_SCALE = 0.1
STEP_SIZE = 0.08
MOMENTUM = 0.9
WEIGHT_DECAY = 1e-4
NUM_EPOCHS = 12
BATCH_SIZE = 32


def random_layer_params(m, n, key):
    """Glorot-ish initialisation of one dense layer mapping m -> n features."""
    w_key, b_key = random.split(key)
    scale = jnp.sqrt(2.0 / (m + n))
    return scale * random.normal(w_key, (m, n)), PARAM_SCALE * random.normal(b_key, (n,))


def init_network_params(sizes, key):
    keys = random.split(key, len(sizes) - 1)
    return [random_layer_params(m, n, k) for m, n, k in zip(sizes[:-1], sizes[1:], keys)]


def predict(params, x):
    """Log-probabilities for a single example x of shape (2,)."""
    activations = x
    for w, b in params[:-1]:
        activations = jnp.tanh(jnp.dot(activations, w) + b)
    final_w, final_b = params[-1]
    logits = jnp.dot(activations, final_w) + final_b
    return log_softmax(logits)


batched_predict = vmap(predict, in_axes=(None, 0))


def l2_norm_squared(params):
    return sum(jnp.sum(w ** 2) for w, _ in params)


def loss(params, batch):
    inputs, targets = batch
    logp = batched_predict(params, inputs)
    nll = -jnp.mean(jnp.sum(logp * targets, axis=1))
    return nll + 0.5 * WEIGHT_DECAY * l2_norm_squared(params)


@jit
def accuracy(params, inputs, labels):
    predicted = jnp.argmax(batched_predict(params, inputs), axis=1)
    return jnp.mean(predicted == labels)


@partial(jit, static_argnames=("nesterov",), donate_argnums=(1,))
def update(params, velocity, batch, lr, nesterov=True):
    value, grads = jax.value_and_grad(loss)(params, batch)
    velocity = jax.tree.map(lambda v, g: MOMENTUM * v + g, velocity, grads)
    if nesterov:
        step = jax.tree.map(lambda v, g: MOMENTUM * v + g, velocity, grads)
    else:
        step = velocity
    params = [(w - lr * dw, b - lr * db) for (w, b), (dw, db) in zip(params, step)]
    return params, velocity, value


def per_example_grad_norms(params, batch):
    """Norm of the gradient of every example of the batch on its own."""
    inputs, targets = batch

    def single(p, x, t):
        return -jnp.sum(predict(p, x) * t)

    grads = vmap(grad(single), in_axes=(None, 0, 0))(params, inputs, targets)
    squares = [jnp.sum(g.reshape(g.shape[0], -1) ** 2, axis=-1) for g in jax.tree.leaves(grads)]
    return jnp.sqrt(sum(squares))


def confusion_matrix(pred, labels, k):
    cm = np.zeros((k, k), dtype=int)
    np.add.at(cm, (np.asarray(labels), np.asarray(pred)), 1)
    return cm


def decision_grid(params, resolution=5):
    axis = jnp.linspace(-2.0, 2.0, resolution)
    xx, yy = jnp.meshgrid(axis, axis)
    points = jnp.stack([xx.ravel(), yy.ravel()], axis=-1)
    return jnp.argmax(batched_predict(params, points), -1).reshape(resolution, resolution)


def main():
    num_classes = LAYER_SIZES[-1]
    x, y = make_spirals(200, num_classes)
    (train_x, train_y), (test_x, test_y) = train_test_split(x, y)
    train_x, stats = standardize(train_x)
    test_x, _ = standardize(test_x, *stats)
    train_t = one_hot(train_y, num_classes)

    params = init_network_params(LAYER_SIZES, random.PRNGKey(0))
    velocity = jax.tree.map(jnp.zeros_like, params)
    n_params = sum(p.size for p in jax.tree.leaves(params))
    print(f"{len(params)} layers, {n_params} parameters")

    batches = batch_stream(train_x, train_t, BATCH_SIZE)
    steps_per_epoch = train_x.shape[0] // BATCH_SIZE
    for epoch in range(NUM_EPOCHS):
        lr = STEP_SIZE * 0.9 ** epoch
        running = 0.0
        for _ in range(steps_per_epoch):
            params, velocity, value = update(params, velocity, next(batches), lr)
            running += value
        if epoch % 4 == 3:
            train_acc = accuracy(params, train_x, train_y)
            test_acc = accuracy(params, test_x, test_y)
            print(f"epoch {epoch:2d}  loss {running / steps_per_epoch:.4f}  "
                  f"train acc {train_acc:.3f}  test acc {test_acc:.3f}")

    norms = per_example_grad_norms(params, (train_x[:16], train_t[:16]))
    print("per-example gradient norms:", norms.shape, f"max {float(norms.max()):.3f}")

    pred = jnp.argmax(batched_predict(params, test_x), axis=1)
    cm = confusion_matrix(pred, test_y, num_classes)
    print("confusion matrix diag:", np.diag(cm).sum(), "of", cm.sum())
    print(decision_grid(params))


if __name__ == "__main__":
    main()
