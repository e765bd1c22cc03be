names = {"w", "b"}
for name in list(names):
    names.add(name + "_ema")
for name in names:
    names.discard(name)
