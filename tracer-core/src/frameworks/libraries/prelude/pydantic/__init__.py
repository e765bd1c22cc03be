"""Models of data: classes whose fields come from annotations, what they are given converted to these."""

from ._fields import (AliasChoices, ConfigDict, Field, PrivateAttr, ValidationError, computed_field, field_serializer, field_validator,
                      model_serializer, model_validator, root_validator, validator)
from ._model import BaseModel, RootModel, TypeAdapter, create_model

_LIMITS = {"Positive": {"gt": 0}, "NonNegative": {"ge": 0}, "Negative": {"lt": 0}, "NonPositive": {"le": 0}}
_MADE = {"conint": int, "confloat": float, "constr": str}


def __getattr__(name):
    import typing
    for kind in (int, float):
        limits = _LIMITS.get(name.removesuffix(kind.__name__.title()))
        if limits is not None:
            return typing.Annotated[kind, Field(**limits)]
    if name in _MADE:
        return lambda **limits: typing.Annotated[_MADE[name], Field(**limits)]
    if name == "dataclasses":
        from . import dataclasses
        return dataclasses
    raise AttributeError(f"module 'pydantic' has no attribute '{name}'")
