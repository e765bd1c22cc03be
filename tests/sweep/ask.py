"""What every program of the sweep begins with: arrays to call functions with, and the text of what a call gives.

Real JAX runs this file, and so does jitlens: both describe their answers with the same lines.
"""
import functools
import importlib
import operator

import jax
import jax.numpy as jnp
import jax.scipy
import numpy as np
from jax import lax

for _name in ("cluster.vq", "fft", "integrate", "interpolate", "linalg", "ndimage", "optimize", "signal", "sparse.linalg",
              "spatial.transform", "special", "stats"):
    importlib.import_module("jax.scipy." + _name)
import jax.dtypes
import jax.image
import jax.nn.initializers
import jax.ops
import jax.tree_util

_SPD = [[4.0, 1.0, 0.0, 0.5], [1.0, 3.0, 0.2, 0.0], [0.0, 0.2, 5.0, 1.0], [0.5, 0.0, 1.0, 2.0]]
F44 = jnp.array(_SPD)                                       # letters: Float, Int, Bool, Complex, bFloat (H); NumPy: N, D, L, T, Z
F34 = F44[:3]
F43 = F44[:, :3]
F3 = F44[0, :3]
F4 = F44[0]
F244 = jnp.stack([F44, F44 + 1])
S0 = F44[0, 0]
P3 = jnp.array([0.2, 0.3, 0.5])                             # probabilities
I34 = jnp.arange(12).reshape(3, 4)
I3 = jnp.array([2, 0, 1])
I0 = I3[0]
U3 = jnp.array([2, 0, 1], jnp.uint8)
B34 = I34 % 2 == 0
B3 = I3 > 0
C44 = F44 + 1j
C3 = F3 + 1j
H34 = F34.astype(jnp.bfloat16)
H3 = H34[0, :3]
H44 = F44.astype(jnp.bfloat16)
G3 = F3.astype(jnp.float16)
E0 = jnp.zeros((0,))
E03 = jnp.zeros((0, 3))
W0 = jnp.asarray(1.5)                                       # of weak type
W3 = jnp.broadcast_to(W0, (3,))
V0 = jnp.asarray(2)
N34 = np.ones((3, 4), np.float32)
N44 = np.array(_SPD, np.float32)
D3 = np.array([1.0, 2.0, 3.0])
D33 = np.array(_SPD)[:3, :3]
L3 = np.array([2, 0, 1])
T3 = np.array([True, False, True])
Z3 = D3 + 1j
M0 = np.float32(1.5)
J0 = np.int64(2)
IMG = jnp.ones((1, 8, 8, 3))
KER = jnp.ones((3, 3, 3, 2))
KEY = jax.random.key(0)
KEY0 = jax.random.PRNGKey(0)
KEYS = jax.random.split(KEY, 3)
TREE = {"a": F3, "b": (F34, 2, None)}

SHORT = {"float": "f", "int": "i", "uint": "u", "complex": "c", "bfloat": "bf"}


def kind(dtype):
    name = str(dtype)
    letters = name.rstrip("0123456789")
    return SHORT[letters] + name[len(letters):] if letters in SHORT else name


def text(value):
    """The type of an array, the value of what is no array and no float, and the same of everything inside containers."""
    if isinstance(value, jax.Array):
        weak = not jnp.issubdtype(value.dtype, jax.dtypes.prng_key) and value.weak_type
        return kind(value.dtype) + str(list(value.shape)).replace(" ", "") + ("~" if weak else "")
    if isinstance(value, (np.ndarray, np.generic)):
        return ("np:" if isinstance(value, np.ndarray) else "np.") + kind(value.dtype) + str(list(value.shape)).replace(" ", "")
    if value is None or isinstance(value, (bool, int)):
        return repr(value)
    if isinstance(value, str):
        return "'" + value + "'"
    if isinstance(value, np.dtype):
        return "dtype " + str(value)
    if isinstance(value, type):
        return "class " + value.__name__
    if isinstance(value, dict):
        return "{" + ",".join([str(key) + ":" + text(item) for key, item in value.items()]) + "}"
    if isinstance(value, (tuple, list)):
        name = "" if type(value) in (tuple, list) else type(value).__name__
        inner = ",".join([text(item) for item in value])
        return name + ("[" + inner + "]" if isinstance(value, list) else "(" + inner + ")")
    if isinstance(value, jax.ShapeDtypeStruct):
        return "~" + kind(value.dtype) + str(list(value.shape)).replace(" ", "")
    if callable(value):
        return "callable"
    return type(value).__name__.lstrip("_")


def answer(call):
    try:
        return text(call())
    except Exception as error:
        name = type(error).__name__
        return "!UFuncTypeError" if name.startswith("_UFunc") else "!" + name     # NumPy's own are shown as their base


def say(call):
    """An empty array whose shape spells the answer, so that a list of arrays' types shows it."""
    letters = answer(call)[:300]
    sizes = [0]
    for start in range(0, len(letters), 6):
        size = 1
        for letter in letters[start:start + 6]:
            size = size * 128 + min(ord(letter), 127)
        sizes.append(size)
    return np.zeros(tuple(sizes))


def jit(f, *args):
    return jax.jit(f)(*args)


def vmap(f, x):
    return jax.vmap(f)(x)


def total(value):
    leaves = [leaf for leaf in jax.tree.leaves(value) if jnp.issubdtype(leaf.dtype, jnp.inexact)]
    return sum([jnp.sum(jnp.real(leaf)).astype(jnp.float32) for leaf in leaves])


def grad(f, x):
    return jax.grad(lambda v: total(f(v)))(x)
