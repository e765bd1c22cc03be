import jax

from flash_attention_jax import attention, causal_attention, causal_flash_attention, cosine_sim_flash_attention, flash_attention
from flash_attention_jax import rabe_attention, value_and_grad_difference

key = jax.random.PRNGKey(0)
q, k, v = (jax.random.normal(key, (1, 2, 16, 8)) for _ in range(3))
mask = jax.random.randint(key, (1, 16), 0, 2) == 1
print(attention(q, k, v, mask).shape, causal_attention(q, k, v).shape)
print(flash_attention(q, k, v, mask).shape, causal_flash_attention(q, k, v).shape)
print(cosine_sim_flash_attention(q[0, 0], k[0, 0], v[0, 0], mask[0]).shape)
print(value_and_grad_difference(attention, flash_attention, batch=1, heads=2, q_seq_len=16, k_seq_len=16, dim=8)[0])
print(value_and_grad_difference(causal_attention, causal_flash_attention, batch=1, heads=2, q_seq_len=16, k_seq_len=16, add_key_mask=False, dim=8)[0])
# A chunk size is traced here, which ends the program.
print(rabe_attention(q[0, 0], k[0, 0], v[0, 0]).shape)
