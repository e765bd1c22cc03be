"""Train the residual CNN on oriented textures."""
import functools

import jax
import jax.numpy as jnp
import numpy as np

from convnet import ModelConfig, apply, augment, init, make_dataset

BATCH_SIZE = 32
EPOCHS = 3
PEAK_LR = 0.05
LABEL_SMOOTHING = 0.1


def cosine_lr(step, total_steps):
    return PEAK_LR * 0.5 * (1.0 + jnp.cos(jnp.pi * step / total_steps))


def smoothed_cross_entropy(logits, labels):
    num_classes = logits.shape[-1]
    targets = jax.nn.one_hot(labels, num_classes)
    targets = targets * (1.0 - LABEL_SMOOTHING) + LABEL_SMOOTHING / num_classes
    return -(targets * jax.nn.log_softmax(logits)).sum(-1).mean()


def weight_decay_mask(path, p):
    """Only kernels are decayed, neither biases nor batch norm parameters."""
    return 1.0 if p.ndim > 1 else 0.0


@functools.partial(jax.jit, static_argnames=("config", "total_steps"))
def train_step(config, params, stats, momentum, step, rng, images, labels, total_steps):
    aug_key, drop_key = jax.random.split(rng)
    images = augment(aug_key, images)

    def loss_fn(p):
        logits, new_stats = apply(config, p, stats, images, rng=drop_key, is_training=True)
        ce = smoothed_cross_entropy(logits, labels)
        acc = (logits.argmax(-1) == labels).mean()
        return ce, (new_stats, acc)

    (loss, (new_stats, acc)), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
    mask = jax.tree.map_with_path(weight_decay_mask, params)
    grads = jax.tree.map(lambda g, p, m: g + 5e-4 * m * p, grads, params, mask)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, grads)
    lr = cosine_lr(step, total_steps)
    params = jax.tree.map(lambda p, m, g: p - lr * (g + 0.9 * m), params, momentum, grads)
    return params, new_stats, momentum, {"loss": loss, "acc": acc, "lr": lr}


@functools.partial(jax.jit, static_argnums=(0,))
def eval_step(config, params, stats, images, labels):
    logits, _ = apply(config, params, stats, images)
    correct = jnp.argmax(logits, axis=-1) == labels
    per_class = jax.ops.segment_sum(correct.astype(jnp.float32), labels, num_segments=config.num_classes)
    counts = jnp.bincount(labels, length=config.num_classes)
    return correct.mean(), per_class / jnp.maximum(counts, 1)


@functools.partial(jax.jit, static_argnums=0)
def saliency(config, params, stats, image, label):
    """Gradient of the class score with respect to the pixels."""
    score = lambda img: apply(config, params, stats, img[None])[0][0, label]
    return jnp.abs(jax.grad(score)(image)).max(axis=-1)


def count_params(tree):
    return sum(int(np.prod(leaf.shape)) for leaf in jax.tree.leaves(tree))


def main():
    config = ModelConfig()
    train_x, train_y = make_dataset(256, seed=0)
    test_x, test_y = make_dataset(128, seed=1)
    steps_per_epoch = len(train_x) // BATCH_SIZE
    total_steps = EPOCHS * steps_per_epoch

    rng = jax.random.PRNGKey(42)
    rng, init_rng = jax.random.split(rng)
    params, stats = init(init_rng, config)
    momentum = jax.tree.map(jnp.zeros_like, params)
    print(f"{count_params(params)} parameters, {count_params(stats)} running statistics")

    out = jax.eval_shape(lambda p, s, x: apply(config, p, s, x), params, stats, train_x[:BATCH_SIZE])
    print("logits:", out[0].shape, out[0].dtype)

    step = 0
    for epoch in range(EPOCHS):
        rng, perm_rng = jax.random.split(rng)
        order = np.asarray(jax.random.permutation(perm_rng, len(train_x)))
        history = []
        for idx in order[: steps_per_epoch * BATCH_SIZE].reshape(steps_per_epoch, BATCH_SIZE):
            params, stats, momentum, metrics = train_step(
                config, params, stats, momentum, step, jax.random.fold_in(rng, step),
                train_x[idx], train_y[idx], total_steps,
            )
            history.append(metrics)
            step += 1
        means = {k: np.mean([float(m[k]) for m in history]) for k in history[0]}
        test_acc, _ = eval_step(config, params, stats, test_x, test_y)
        print(f"epoch {epoch + 1}/{EPOCHS} " + " ".join(f"{k}={v:.4f}" for k, v in means.items())
              + f" test_acc={test_acc:.3f}")

    _, per_class = eval_step(config, params, stats, test_x, test_y)
    print("per-class accuracy", [round(float(a), 2) for a in per_class])
    sal = saliency(config, params, stats, jnp.asarray(test_x[0]), int(test_y[0]))
    row, col = np.unravel_index(int(jnp.argmax(sal)), sal.shape)
    print(f"most salient pixel of test image 0: ({row}, {col})")


if __name__ == "__main__":
    main()
