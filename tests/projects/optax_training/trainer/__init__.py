from .modules import MLP, Dense, Dropout, Embedding, LayerNorm
from .optim import make_optimizer, make_schedule
from .state import Metrics, TrainState, create_train_state, eval_step, train_step

__all__ = [
    "MLP",
    "Dense",
    "Dropout",
    "Embedding",
    "LayerNorm",
    "Metrics",
    "TrainState",
    "create_train_state",
    "eval_step",
    "make_optimizer",
    "make_schedule",
    "train_step",
]
