"""Progress bars: what they go over passes through."""


class tqdm:
    def __init__(self, iterable=None, desc=None, total=None, *args, **kwargs):
        self.iterable = iterable
        self.desc = desc
        self.total = total
        self.n = 0
        self.disable = kwargs.get("disable", False)

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return self.total if self.iterable is None else len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None

    def update(self, n=1):
        self.n = self.n + n

    def set_postfix(self, ordered_dict=None, refresh=True, **kwargs):
        for value in kwargs.values():
            str(value)

    def set_description(self, desc=None, refresh=True):
        self.desc = desc

    def set_postfix_str(self, s="", refresh=True):
        return None

    set_description_str = set_postfix_str

    def close(self):
        return None

    refresh = clear = unpause = close

    def reset(self, total=None):
        self.n = 0

    @classmethod
    def write(cls, s, file=None, end="\n", nolock=False):
        return None


def trange(*args, **kwargs):
    return tqdm(range(*args), **kwargs)


tqdm_notebook = tqdm
tnrange = trange
