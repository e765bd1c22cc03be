"""`matplotlib.pyplot`: the arrays of axes that `subplots` gives."""

from ._missing import missing


def subplots(nrows=1, ncols=1, *, sharex=False, sharey=False, squeeze=True, width_ratios=None, height_ratios=None,
             subplot_kw=None, gridspec_kw=None, **fig_kw):
    import numpy as np
    figure, axes = missing("matplotlib.pyplot", "figure"), missing("matplotlib.pyplot", "axes")
    shape = (nrows, ncols)
    if squeeze:
        shape = tuple([size for size in shape if size != 1])
    if not shape:
        return figure, axes
    return figure, np.full(shape, axes, dtype=object)


def __getattr__(name):
    return missing("matplotlib.pyplot", name)
