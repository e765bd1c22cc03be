"""Stands for a data set of digits: a few made-up images, of the shapes and types that the original gives."""

import numpy as np


def mnist_raw():
    draw = np.random.RandomState(0)
    images = draw.randint(0, 256, (192, 28, 28)).astype(np.uint8)
    labels = draw.randint(0, 10, (192,)).astype(np.uint8)
    return images[:128], labels[:128], images[128:], labels[128:]


def mnist(permute_train=False):
    train_images, train_labels, test_images, test_labels = mnist_raw()
    flat = lambda images: images.reshape(images.shape[0], -1) / np.float32(255.0)
    one_hot = lambda labels: np.array(labels[:, None] == np.arange(10), np.float32)
    train_images, train_labels = flat(train_images), one_hot(train_labels)
    if permute_train:
        order = np.random.RandomState(0).permutation(train_images.shape[0])
        train_images, train_labels = train_images[order], train_labels[order]
    return train_images, train_labels, flat(test_images), one_hot(test_labels)
