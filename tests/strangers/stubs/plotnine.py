"""Stands for a library of plots: nothing is drawn."""


class Plot:
    def __add__(self, other):
        return self

    def draw(self):
        pass


def ggplot(*args, **options):
    return Plot()


aes = geom_line = theme_bw = theme_set = labs = ggplot
