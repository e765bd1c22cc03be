"""What libraries use to leave their own frames out of tracebacks."""
_exclude_paths = []


def register_exclusion(path):
    _exclude_paths.append(path)


def api_boundary(fun, **options):
    return fun
