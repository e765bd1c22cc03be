"""A checker of types at run time: what it decorates stays as it is. Annotations of arrays are checked where `jaxtyping` asks for it."""


class TypeCheckError(Exception):
    pass


def typechecked(target=None, **options):
    return _decorator if target is None else target


def _decorator(target):
    return target


def check_type(value, expected_type, **options):
    return value


def install_import_hook(packages=None, *, cls=None):
    return _Hook()


class _Hook:
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    def uninstall(self):
        pass
