"""`numpy.exceptions`."""


class AxisError(ValueError, IndexError):
    __module__ = "numpy.exceptions"

    def __init__(self, axis, ndim=None, msg_prefix=None):
        text = axis
        if ndim is not None:
            text = f"axis {axis} is out of bounds for array of dimension {ndim}"
            if msg_prefix:
                text = f"{msg_prefix}: {text}"
        self.axis, self.ndim = axis, ndim
        super().__init__(text)


class ComplexWarning(RuntimeWarning):
    __module__ = "numpy.exceptions"



class VisibleDeprecationWarning(UserWarning):
    __module__ = "numpy.exceptions"



class RankWarning(RuntimeWarning):
    __module__ = "numpy.exceptions"



class ModuleDeprecationWarning(DeprecationWarning):
    __module__ = "numpy.exceptions"



class TooHardError(RuntimeError):
    __module__ = "numpy.exceptions"



class DTypePromotionError(TypeError):
    __module__ = "numpy.exceptions"

