"""Stands for what tags layers for an optimizer that is not installed: layers stay as they are."""


def register_repeated_dense(y, x, w, b, **options):
    return y


def register_qmc(y, x, w, **options):
    return y
