"""Records, bit for bit, what JAX computes of single-precision functions: `python tests/primitives/single.py`.

The inputs are bit patterns, spread over all of 2³² and denser where functions bend; the Rust test beside makes the same ones. What
is kept of each function is the number of inputs and, for runs of 256 of them, a checksum of the results' bits.
"""
import json
from pathlib import Path

import jax
import numpy as np

FUNCTIONS = {"exp": jax.lax.exp, "log": jax.lax.log, "tanh": jax.lax.tanh, "logistic": jax.lax.logistic, "expm1": jax.lax.expm1,
             "exp2": jax.lax.exp2, "sinh": jax.lax.sinh, "cosh": jax.lax.cosh,
             "sqrt": jax.lax.sqrt, "neg": jax.lax.neg}
COUNT = 1 << 17
RUN = 256


def inputs():
    """Every third is any bit pattern, the others lie within ±100 and ±1."""
    i = np.arange(COUNT, dtype=np.uint64)
    spread = (i * 2654435761 % (1 << 32)).astype(np.uint32)
    unit = (spread.astype(np.float64) / 2.0**31 - 1.0).astype(np.float32)
    return np.where(i % 3 == 0, spread.view(np.float32), np.where(i % 3 == 1, unit * np.float32(100), unit))


def checksums(results):
    """FNV-1a over 32-bit words, of each run; all NaNs are one."""
    words = np.where(np.isnan(results), np.uint32(0x7FC00000), results.view(np.uint32)).reshape(-1, RUN).astype(np.uint64)
    sums = np.full(len(words), 0xCBF29CE484222325, np.uint64)
    with np.errstate(over="ignore"):
        for column in words.T:
            sums = (sums ^ column) * np.uint64(0x100000001B3)
    return [f"{s:016x}" for s in sums.tolist()]


if __name__ == "__main__":
    x = inputs()
    rows = {name: checksums(np.asarray(jax.jit(function)(x))) for name, function in FUNCTIONS.items()}
    place = Path(__file__).parent / "single.json"
    place.write_text(json.dumps(rows, indent=0) + "\n")
    print(f"{COUNT} inputs of {len(rows)} functions: {place}")
