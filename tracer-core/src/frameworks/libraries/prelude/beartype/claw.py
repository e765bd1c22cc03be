"""Hooks that decorate what is imported: it stays as it is."""


def beartype_all(conf=None):
    pass


def beartype_package(package_name, conf=None):
    pass


def beartype_packages(package_names, conf=None):
    pass


def beartype_this_package(conf=None):
    pass
