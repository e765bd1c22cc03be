import numpy as np

x = np.ones(3, dtype="int33")
