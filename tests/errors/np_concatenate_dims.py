import numpy as np

x = np.ones((3, 2))
y = np.concatenate([x, np.ones(2)])
