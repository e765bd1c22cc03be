n = 7 ** 10_000
print(n % 10)
text = str(n)
