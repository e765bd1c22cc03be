from dataclasses import dataclass, field
from typing import Tuple


@dataclass(frozen=True)
class Config:
    image_size: int = 12
    latent_dim: int = 4
    hidden: Tuple[int, ...] = (64, 32)
    batch_size: int = 32
    num_steps: int = 150
    learning_rate: float = 2e-3
    beta: float = 1.0
    warmup_steps: int = 50
    num_importance_samples: int = 8
    seed: int = 0
    eval_every: int = field(default=50, repr=False)

    @property
    def input_dim(self) -> int:
        return self.image_size * self.image_size
