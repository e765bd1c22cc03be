"""Auxiliary objects without __eq__ make a structure each."""

from dataclasses import dataclass
from functools import partial

import jax


class Tag:
    pass


@partial(jax.tree_util.register_dataclass, data_fields=["value"], meta_fields=["tag"])
@dataclass
class Box:
    value: float
    tag: Tag


@jax.jit
def double(box):  # traced: 3
    return box.value * 2


tag = Tag()
kept = [tag, Tag(), tag, Tag()]
for each in kept:
    double(Box(1.0, each))
