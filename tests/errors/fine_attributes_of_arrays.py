import jax
import jax.numpy as jnp

x = jax.device_put(jnp.ones((4, 2)), jax.devices()[0])
print(x.sharding, x.device, x.devices(), x.is_fully_addressable, x.is_deleted())
for shard in x.addressable_shards:
    print(shard.index, shard.data)
print(x.itemsize, x.nbytes, x.on_device_size_in_bytes(), x.committed, x.is_fully_replicated)
x.copy_to_host_async()
