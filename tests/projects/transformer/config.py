import dataclasses


@dataclasses.dataclass(frozen=True)
class TransformerConfig:
    vocab_size: int = 32
    dim: int = 48
    n_layers: int = 2
    n_heads: int = 4
    n_kv_heads: int = 2
    ffn_mult: float = 2.0
    max_len: int = 64
    rope_theta: float = 10_000.0
    norm_eps: float = 1e-6

    def __post_init__(self):
        if self.dim % self.n_heads:
            raise ValueError(f"dim {self.dim} is not a multiple of n_heads {self.n_heads}")

    @property
    def head_dim(self) -> int:
        return self.dim // self.n_heads

    @property
    def ffn_dim(self) -> int:
        return int(self.ffn_mult * self.dim)


@dataclasses.dataclass(frozen=True)
class TrainConfig:
    batch_size: int = 16
    seq_len: int = 24
    steps: int = 200
    lr: float = 3e-3
    log_every: int = 50
