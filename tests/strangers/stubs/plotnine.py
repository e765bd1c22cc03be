"""Stands for a library of plots: nothing is drawn."""


class Plot:
    def __add__(self, other):
        return self

    def draw(self):
        pass


def ggplot(*args, **options):
    return Plot()


aes = geom_line = geom_vline = theme_bw = theme_set = labs = ggplot
