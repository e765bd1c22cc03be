"""`jax.nn`. Functions live in files by family and are loaded when first asked for."""
from _jitlens import core as _core

_HOMES = {
    "_activations": """celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh identity leaky_relu log1mexp log_sigmoid mish relu relu6
        selu sigmoid silu soft_sign softplus sparse_plus sparse_sigmoid squareplus swish""",
    "_attention": "dot_product_attention",
    "_scaled": "get_scaled_dot_general_config scaled_dot_general scaled_matmul",
    "_softmax": "log_softmax logmeanexp logsumexp one_hot softmax standardize",
}
_HOME_OF = _core.by_word(_HOMES)


def __getattr__(name):
    if name == "initializers":
        return _core.import_module(".initializers", __name__)
    if name == "tanh":
        from ..numpy import tanh
        return tanh
    if name not in _HOME_OF:
        raise AttributeError(f"module 'jax.nn' has no attribute {name!r}")
    found = getattr(_core.import_module("." + _HOME_OF[name], __name__), name)
    globals()[name] = found
    return found


def __dir__():
    return sorted([*_HOME_OF, "initializers", "tanh"])
