import jax

import dataclasses
@dataclasses.dataclass
class P:
    w: float
jax.tree_util.register_dataclass(P, data_fields=["v"], meta_fields=[])
