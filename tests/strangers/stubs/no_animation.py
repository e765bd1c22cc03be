"""Stands for a module that draws and saves films: nothing is drawn."""


def animate_trajectory(*args, **options):
    pass
