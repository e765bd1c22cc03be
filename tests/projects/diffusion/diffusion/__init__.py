from .network import init_unet1d, unet1d
from .sampler import ddim_sample, ddpm_sample
from .schedule import NoiseSchedule, cosine_schedule, linear_schedule

__all__ = ["NoiseSchedule", "cosine_schedule", "ddim_sample", "ddpm_sample", "init_unet1d", "linear_schedule", "unet1d"]
