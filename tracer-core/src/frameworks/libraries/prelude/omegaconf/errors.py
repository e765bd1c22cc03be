"""What configurations raise."""


class OmegaConfBaseException(Exception):
    pass


class MissingMandatoryValue(OmegaConfBaseException):
    pass


class KeyValidationError(OmegaConfBaseException, ValueError):
    pass


class ValidationError(OmegaConfBaseException, ValueError):
    pass


class UnsupportedValueType(ValidationError, ValueError):
    pass


class ReadonlyConfigError(OmegaConfBaseException):
    pass


class UnsupportedInterpolationType(OmegaConfBaseException, ValueError):
    pass


class InterpolationKeyError(OmegaConfBaseException, ValueError):
    pass


class InterpolationResolutionError(OmegaConfBaseException, ValueError):
    pass


class ConfigKeyError(OmegaConfBaseException, KeyError):
    def __str__(self):
        return str(self.args[0]) if self.args else ""


class ConfigAttributeError(OmegaConfBaseException, AttributeError):
    pass


class ConfigTypeError(OmegaConfBaseException, TypeError):
    pass


class ConfigIndexError(OmegaConfBaseException, IndexError):
    pass


class ConfigValueError(OmegaConfBaseException, ValueError):
    pass
