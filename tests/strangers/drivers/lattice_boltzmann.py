import numpy as np

from lattice_boltzmann import LBMCalculator2D
from naca_airfoil import *  # noqa: F403

lbm = LBMCalculator2D(24, 16)
lbm.add_obstacle_cylinder(8, 8, 3)
mask = np.zeros([16, 24], dtype=bool)
mask[:, 0] = True
lbm.add_fixed_boundary(mask, 1.0, 0.1, 0.0)
lbm.initialize(0.1, 0.0)
for _ in range(2):
    f = lbm.run(5)
print(f.shape, lbm.vorticity.shape, np.nanmean(lbm.rho))
