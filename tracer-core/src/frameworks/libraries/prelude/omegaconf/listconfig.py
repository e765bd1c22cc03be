"""Where OmegaConf has its lists."""
from . import ListConfig
