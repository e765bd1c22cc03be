"""Where OmegaConf has its dictionaries."""
from . import MISSING, DictConfig
