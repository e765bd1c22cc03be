"""Models of data: classes whose fields come from annotations, what they are given converted to these."""

from ._fields import (AliasChoices, ConfigDict, Field, PrivateAttr, ValidationError, computed_field, field_serializer, field_validator,
                      model_serializer, model_validator, root_validator, validate_call, validator)
from ._model import BaseModel, RootModel, TypeAdapter, create_model

_NUMBERS = {int: "PositiveInt NonNegativeInt NegativeInt NonPositiveInt StrictInt",
            float: "PositiveFloat NonNegativeFloat NegativeFloat NonPositiveFloat StrictFloat FiniteFloat"}


def __getattr__(name):
    for kind, names in _NUMBERS.items():
        if name in names.split():
            return kind
    plain = {"StrictStr": str, "StrictBool": bool, "StrictBytes": bytes, "EmailStr": str, "SecretStr": str}
    if name in plain:
        return plain[name]
    if name in ("FilePath", "DirectoryPath", "NewPath"):
        import pathlib
        return pathlib.Path
    if name in ("conint", "confloat", "constr"):
        kind = {"conint": int, "confloat": float, "constr": str}[name]
        return lambda **limits: kind
    if name == "dataclasses":
        from . import dataclasses
        return dataclasses
    raise AttributeError(f"module 'pydantic' has no attribute '{name}'")
