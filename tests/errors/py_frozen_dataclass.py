from dataclasses import dataclass



@dataclass(frozen=True)
class Config:
    width: int = 8


config = Config()
config.width = 16
