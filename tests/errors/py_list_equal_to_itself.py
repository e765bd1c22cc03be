a = []
a.append(a)
b = []
b.append(b)
print(a == a, a in a)
print(a == b)
