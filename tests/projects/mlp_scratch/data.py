"""Synthetic spiral data, generated with plain numpy."""
import numpy as np


def make_spirals(n_per_class, n_classes, noise=0.15, seed=0):
    """Interleaved spirals in the plane. Returns (n, 2) points and (n,) labels."""
    rng = np.random.RandomState(seed)
    xs, ys = [], []
    for k in range(n_classes):
        r = np.linspace(0.05, 1.0, n_per_class)
        theta = np.linspace(k * 4.0, (k + 1) * 4.0, n_per_class)
        theta = theta + rng.randn(n_per_class) * noise
        xs.append(np.stack([r * np.sin(theta), r * np.cos(theta)], axis=1))
        ys.append(np.full(n_per_class, k))
    x = np.concatenate(xs).astype(np.float32)
    y = np.concatenate(ys).astype(np.int32)
    perm = rng.permutation(len(x))
    return x[perm], y[perm]


def standardize(x, mean=None, std=None):
    if mean is None:
        mean, std = x.mean(axis=0), x.std(axis=0) + 1e-6
    return (x - mean) / std, (mean, std)


def one_hot(y, k, dtype=np.float32):
    return np.array(y[:, None] == np.arange(k), dtype)


def train_test_split(x, y, frac=0.8):
    n = int(frac * x.shape[0])
    return (x[:n], y[:n]), (x[n:], y[n:])


def batch_stream(x, y, batch_size, seed=0):
    """Endless generator of shuffled minibatches."""
    num_complete, leftover = divmod(x.shape[0], batch_size)
    num_batches = num_complete + bool(leftover)
    rng = np.random.RandomState(seed)
    while True:
        perm = rng.permutation(x.shape[0])
        for i in range(num_batches):
            idx = perm[i * batch_size:(i + 1) * batch_size]
            if len(idx) < batch_size:
                continue
            yield x[idx], y[idx]
