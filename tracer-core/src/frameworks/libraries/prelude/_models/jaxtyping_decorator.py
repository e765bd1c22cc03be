"""`jaxtyping._decorator`: functions that it writes as text, and what a type checker makes of them.

A checker that has a prelude here (`beartype`, `typeguard`) looks at annotations of arrays alone; one of the program's own is called.
"""
import inspect
import types
import typing

from _jitlens import core

_CHECKERS = ("beartype", "typeguard")


def _make_fn_with_signature(name, qualname, module, signature, output):
    taken = list(signature.parameters)
    result = [f"ret{i}" for i in range(len(taken) + 1) if f"ret{i}" not in taken][0]

    def written(*args, **kwargs):
        return kwargs.get(result) if output else None

    written.__name__, written.__qualname__, written.__module__ = name, qualname, module
    written.__signature__ = signature
    written._result = result
    return (written, result) if output else written


def _apply_typechecker(typechecker, fn):
    if core.is_unknown(typechecker):
        return fn
    if str(getattr(typechecker, "__module__", "")).split(".")[0] in _CHECKERS:
        return _checked(fn)
    return typechecker(fn)


def _checked(fn):
    signature, result = fn.__signature__, fn._result

    def checked(*args, **kwargs):
        given = {name: value for name, value in kwargs.items() if name != result}
        arguments = signature.bind(*args, **given).arguments
        for name, value in arguments.items():
            parameter = signature.parameters[name]
            values = [value]
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                values = list(value)
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                values = list(value.values())
            for each in values:
                if not _fits(each, parameter.annotation):
                    raise TypeError(f"parameter {name!r} does not fit its annotation")
        if result in kwargs and not _fits(kwargs[result], signature.return_annotation):
            raise TypeError("the result does not fit its annotation")
        return kwargs.get(result)

    return checked


def _fits(value, annotation):
    if core.is_unknown(value) or core.is_unknown(annotation):
        return True
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        # The sizes of the first part that fits are those that count: no part behind it is asked.
        return any(_fits(value, part) for part in typing.get_args(annotation))
    if annotation is None or annotation is type(None):
        return value is None
    from jaxtyping import AbstractArray
    if not isinstance(annotation, type) or not issubclass(annotation, AbstractArray):
        return True
    fits = isinstance(value, annotation)
    return True if core.is_unknown(fits) else fits


def _destring_annotation(ann, ns):
    if not isinstance(ann, str):
        return ann
    try:
        return eval(ann, ns)
    except Exception:
        return typing.Any
