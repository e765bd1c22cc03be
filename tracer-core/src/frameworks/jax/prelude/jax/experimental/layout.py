"""`jax.experimental.layout`: layouts are checked and otherwise change nothing."""
from _jitlens import core

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


class _Auto:
    def __repr__(self):
        return "AUTO"


class Layout:
    AUTO = _Auto()

    def __init__(self, major_to_minor, tiling=None, sub_byte_element_size_in_bits=0):
        self.major_to_minor, self.tiling = tuple(major_to_minor), tiling
        self.sub_byte_element_size_in_bits = sub_byte_element_size_in_bits

    def _key(self):
        return self.major_to_minor, self.tiling, self.sub_byte_element_size_in_bits

    def __eq__(self, other):
        return isinstance(other, Layout) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return (f"Layout(major_to_minor={self.major_to_minor}, tiling={self.tiling}, "
                f"sub_byte_element_size_in_bits={self.sub_byte_element_size_in_bits})")

    def update(self, **changes):
        fields = {"major_to_minor": self.major_to_minor, "tiling": self.tiling,
                  "sub_byte_element_size_in_bits": self.sub_byte_element_size_in_bits, **changes}
        return Layout(**fields)

    def check_compatible_aval(self, aval_shape):
        if len(self.major_to_minor) != len(aval_shape):
            raise ValueError("Length of major_to_minor and the rank of the value should match. Got "
                             f"major_to_minor={self.major_to_minor} and shape={aval_shape}")


class Format:
    def __init__(self, layout=None, sharding=None):
        if isinstance(layout, Layout) and sharding is None:
            raise ValueError(f"Sharding has to be concrete when layout is of type {type(layout)}. Please pass a `jax.sharding.NamedSharding` "
                             f"or `jax.sharding.SingleDeviceSharding` to the sharding argument. Got sharding {sharding}")
        if layout is not None and not isinstance(layout, (Layout, _Auto)):
            raise TypeError("Invalid value received for the layout argument. Expected values are `None`, `Layout.AUTO` or an instance of "
                            f"`Layout`. Got {layout} of type {type(layout)}")
        self.layout, self.sharding = layout, sharding

    def __eq__(self, other):
        return isinstance(other, Format) and (self.layout, self.sharding) == (other.layout, other.sharding)

    def __hash__(self):
        return hash((self.layout, self.sharding))

    def __repr__(self):
        return f"Format(layout={self.layout}, sharding={self.sharding})"


def with_layout_constraint(x, layouts):
    from ..tree_util import broadcast_prefix
    leaves, tree = core.tree_flatten(x)
    wanted = broadcast_prefix(layouts, x, is_leaf=lambda a: isinstance(a, Layout))
    out = []
    for leaf, layout in zip(leaves, wanted):
        try:
            layout.check_compatible_aval(core.shape(leaf))
        except ValueError as error:
            raise ValueError("One of with_layout_constraint arguments is incompatible with its layout annotation "
                             f"{layout}: {error}") from None
        out.append(core.layout_constraint(leaf, layout))
    return tree.unflatten(out)
