"""Stands for a library of progress bars: nothing is drawn."""


def progress_bar(items, *args, **options):
    return items
