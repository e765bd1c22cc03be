"""`dot_product_attention`, in the form that runs without a special kernel."""
from _jitlens import core

from .. import numpy as jnp
from .._vmap import vmap
from ._softmax import logsumexp, softmax


def dot_product_attention(query, key, value, bias=None, mask=None, *, scale=None, is_causal=False, query_seq_lengths=None,
                          key_value_seq_lengths=None, local_window_size=None, implementation=None, return_residual=False):
    out_shape = jnp.asarray(query).shape
    query, key, value = _to_4d(query), _to_4d(key), _to_4d(value)
    bias = None if bias is None else _to_4d(bias)
    mask = None if mask is None else _to_4d(mask)
    q_lengths = None if query_seq_lengths is None else jnp.asarray(query_seq_lengths)
    kv_lengths = None if key_value_seq_lengths is None else jnp.asarray(key_value_seq_lengths)
    window = (local_window_size, local_window_size) if isinstance(local_window_size, int) else local_window_size

    batch, length, heads, size = key.shape
    _check(value, [batch, length, heads, size], key.dtype, "value")
    _check(query, [batch, -1, -1, size], key.dtype, "query")
    _check(mask, [-1] * 4, core.BOOL, "mask")
    _check(bias, [-1] * 4, None, "bias")
    _check(q_lengths, [batch], core.INT32, "query_seq_lengths")
    _check(kv_lengths, [batch], core.INT32, "key_value_seq_lengths")
    if query.shape[-2] % heads != 0:
        raise ValueError(f"The number of query heads must be a multiple of key/value heads, but got {query.shape[-2]} vs {heads}")
    if implementation not in (None, "xla", "cudnn"):
        raise ValueError(f"Unsupported implementation option: {implementation}")
    if implementation == "cudnn":
        raise RuntimeError("cuDNN is not detected.")
    scale = core.numpy_array(1.0 / core.numpy_array(size) ** 0.5)[()] if scale is None else scale
    out = _grouped(query, key, value, bias, mask, is_causal, scale, q_lengths, kv_lengths, window, return_residual)
    if return_residual:
        return jnp.reshape(out[0], out_shape), jnp.reshape(out[1], out_shape[:-1])
    return jnp.reshape(out, out_shape)


def _to_4d(t):
    t = jnp.asarray(t)
    return jnp.expand_dims(t, axis=tuple(range(4 - t.ndim))) if t.ndim < 4 else t


def _check(t, shape, dtype, name):
    if t is None:
        return
    if t.ndim != len(shape):
        raise ValueError(f"{name} ndim should be {len(shape)}, but got {t.ndim}")
    if dtype is not None and t.dtype != dtype:
        raise ValueError(f"{name} dtype should be {dtype}, but got {t.dtype}")
    if any([wanted != -1 and n != wanted for n, wanted in zip(t.shape, shape)]):
        raise ValueError(f"{name} shape should be {shape}: but got {t.shape}")


def _grouped(query, key, value, bias, mask, is_causal, scale, q_lengths, kv_lengths, window, return_residual):
    """Query heads in groups that share a key head, mapped over the group."""
    batch, length, heads, size = query.shape
    kv_heads = key.shape[2]
    group = heads // kv_heads
    query = jnp.reshape(query, (batch, length, kv_heads, group, size))

    def spread(t):
        if t is None:
            return None
        b, n, q, k = t.shape
        if n == 1:
            return jnp.broadcast_to(t[:, :, None, :, :], (b, n, group, q, k))
        assert n == heads
        return jnp.reshape(t, (b, kv_heads, group, q, k))

    mapped = vmap(_attend, in_axes=(3, None, None, 2, 2, None, None, None, None, None, None), out_axes=3)
    out = mapped(query, key, value, spread(bias), spread(mask), is_causal, scale, q_lengths, kv_lengths, window, return_residual)
    if return_residual:
        return jnp.reshape(out[0], (batch, length, heads, size)), jnp.reshape(out[1], (batch, length, heads))
    return jnp.reshape(out, (batch, length, heads, size))


def _attend(query, key, value, bias, mask, is_causal, scale, q_lengths, kv_lengths, window, return_residual):
    wide = jnp.promote_types(query.dtype, core.FLOAT32)
    preset = {"bfloat16": "BF16_BF16_F32", "float16": "F16_F16_F32"}.get(query.dtype.name)
    try:
        logits = jnp.einsum("BTNH,BSNH->BNTS", query, key, precision=preset, preferred_element_type=wide)
    except Exception:
        logits = jnp.einsum("BTNH,BSNH->BNTS", query, key, precision=None, preferred_element_type=wide)
    logits *= jnp.array(scale, dtype=logits.dtype)
    if bias is not None:
        logits = (logits + bias).astype(logits.dtype)
    logits = _masked(logits, mask, is_causal, q_lengths, kv_lengths, window).astype("float32")
    weights = softmax(logits, axis=-1).astype(key.dtype)
    out = jnp.einsum("BNTS,BSNH->BTNH", weights, value)
    if q_lengths is not None:
        inside = (jnp.arange(0, out.shape[1])[None, :] < q_lengths[:, None])[:, :, None, None]
        out *= inside.astype(out.dtype)
    if return_residual:
        residual = jnp.transpose(logsumexp(logits, axis=-1).astype(key.dtype), (0, 2, 1))
        return out, core.stop_gradient(residual)
    return out


def _masked(logits, mask, is_causal, q_lengths, kv_lengths, window):
    if mask is None and not is_causal and q_lengths is None and kv_lengths is None and window is None:
        return logits
    allowed = jnp.ones_like(logits, dtype=bool)
    if mask is not None:
        assert mask.dtype == core.BOOL
        allowed = jnp.logical_and(allowed, mask)
    rows, columns = logits.shape[2], logits.shape[3]
    if is_causal:
        allowed = jnp.logical_and(allowed, jnp.tril(jnp.ones((rows, columns), dtype=bool))[None, None, :, :])
    if window is not None:
        allowed = jnp.logical_and(allowed, _window(rows, columns, window))
    if q_lengths is not None or kv_lengths is not None:
        allowed = jnp.logical_and(allowed, _padding(rows, columns, q_lengths, kv_lengths))
    largest = min(core.finfo(logits.dtype).max, core.finfo(core.FLOAT32).max)
    return jnp.where(allowed, logits, jnp.asarray(-0.7 * largest, dtype=logits.dtype))


def _window(rows, columns, window):
    row, column = jnp.array(range(rows)), jnp.array(range(columns))
    left = row[..., None] <= column[..., None, :] + window[0]
    right = row[..., None] >= column[..., None, :] - window[1]
    return jnp.logical_and(right, left)[None, None, :, :]


def _padding(rows, columns, q_lengths, kv_lengths):
    q = kv = True
    if q_lengths is not None:
        q = jnp.arange(0, rows)[None, :, None] < q_lengths[:, None, None]
    if kv_lengths is not None:
        kv = jnp.arange(0, columns)[None, None, :] < kv_lengths[:, None, None]
    return jnp.logical_and(q, kv)[:, None, :, :]
