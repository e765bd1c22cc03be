"""What Hydra is made of."""
from . import config_store, global_hydra, hydra_config
