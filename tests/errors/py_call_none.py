make = lambda: None
step = make()
step(1.0)
