"""Stands for a library of data sets: the names of their parts."""


class Split:
    TRAIN = "train"
    TEST = "test"
