class Model:
    def __init__(self):
        self.params = None

    @property
    def size(self):
        return sum(p.size for p in self.params)


model = Model()
model.size
