import jax

from flash_attention_jax import attention, causal_flash_attention, cosine_sim_flash_attention, flash_attention, rabe_attention
from flash_attention_jax import value_and_grad_difference

key = jax.random.PRNGKey(0)
q, k, v = (jax.random.normal(key, (1, 2, 16, 8)) for _ in range(3))
mask = jax.random.randint(key, (1, 16), 0, 2) == 1
print(attention(q, k, v, mask).shape)
print(rabe_attention(q, k, v, mask)[0].shape)
print(cosine_sim_flash_attention(q, k, v, mask).shape)
print(flash_attention(q, k, v, mask).shape)
print(value_and_grad_difference(attention, flash_attention, batch=1, heads=2, q_seq_len=16, k_seq_len=16, dim=8)[0])
print(causal_flash_attention(q, k, v)[0].shape)
