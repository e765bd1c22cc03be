"""Internals of JAX that libraries lean on: what public modules have, and some helpers; the rest is unknown."""
from jax._src._public import package as _package

__getattr__ = _package("jax._src", """
    ad_checkpoint ad_util api api_util basearray callback checkify core custom_batching custom_derivatives
    dispatch dtypes flatten_util image interpreters lax linear_util literals mesh named_sharding nn numpy ops
    partition_spec pjit profiler random scipy shard_map sharding sharding_impls stages state test_util
    traceback_util tree_util typing util xla_bridge config
    """)
