"""The functions of a basis under the names that its module gives them."""
import numpy as np

from . import polyutils as pu
from ._series import series_class


def names(basis, class_name, conversions=True):
    """The names of the module of a basis, its class among them."""
    p = basis.prefix
    made = {
        f"{p}val": basis.val,
        f"{p}val2d": lambda x, y, c: basis.valnd(c, x, y),
        f"{p}val3d": lambda x, y, z, c: basis.valnd(c, x, y, z),
        f"{p}grid2d": lambda x, y, c: basis.gridnd(c, x, y),
        f"{p}grid3d": lambda x, y, z, c: basis.gridnd(c, x, y, z),
        f"{p}vander": basis.vander,
        f"{p}vander2d": lambda x, y, deg: basis.vandernd((x, y), deg),
        f"{p}vander3d": lambda x, y, z, deg: basis.vandernd((x, y, z), deg),
        f"{p}add": pu.add,
        f"{p}sub": pu.sub,
        f"{p}mulx": basis.mulx,
        f"{p}mul": basis.mul,
        f"{p}div": basis.div,
        f"{p}pow": basis.pow,
        f"{p}der": basis.der,
        f"{p}int": basis.int,
        f"{p}fit": basis.fit,
        f"{p}roots": basis.roots,
        f"{p}fromroots": basis.fromroots,
        f"{p}line": basis.line,
        f"{p}trim": pu.trimcoef,
        f"{p}domain": basis.domain,
        f"{p}one": np.array([1]),
        f"{p}zero": np.array([0]),
        f"{p}x": basis.line(0, 1),
    }
    if conversions:
        made[f"poly2{p}"] = basis.from_powers
        made[f"{p}2poly"] = basis.to_powers
    made[class_name] = series_class(basis, class_name)
    return made
