"""Dataclasses; what they are given is taken as it is."""
import dataclasses as _dataclasses
from dataclasses import is_dataclass

from ._fields import FieldInfo


def dataclass(cls=None, *, config=None, validate_on_init=None, use_enum_values=None, **options):
    def made(cls):
        for name in list(cls.__dict__.get("__annotations__", {})):
            default = cls.__dict__.get(name)
            if isinstance(default, FieldInfo):
                setattr(cls, name, default.of_dataclass())
        return _dataclasses.dataclass(cls, **options)

    return made if cls is None else made(cls)
