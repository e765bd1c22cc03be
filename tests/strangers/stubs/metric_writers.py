"""Stands for a library that writes metrics: nothing is written."""


class Writer:
    def write_scalars(self, step, scalars):
        pass


def create_default_writer(*args, **options):
    return Writer()
