"""What the compiler raises."""


class MLIRError(Exception):
    """What the compiler says of a type that it does not take."""
    __module__ = "jaxlib.mlir._mlir_libs"
