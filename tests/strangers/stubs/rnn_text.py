"""Stands for a data set of text: batches of made-up characters, time first."""

import numpy as np

Batch = dict
NUM_CHARS = 128


def load(split, *, batch_size, sequence_length):
    draw = np.random.RandomState(0)
    while True:
        text = draw.randint(32, 127, (sequence_length + 1, min(batch_size, 4))).astype(np.int32)
        yield {"input": text[:-1], "target": text[1:]}


def decode(x):
    return "".join([chr(c) for c in x])
