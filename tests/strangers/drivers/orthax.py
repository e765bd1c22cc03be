import jax
import jax.numpy as jnp
import numpy as np
import orthax
from orthax import chebyshev, legendre, hermite, laguerre, polynomial

x = jnp.linspace(-1, 1, 50)
c = jnp.array([1.0, 0.5, -0.25, 0.125])
y = chebyshev.chebval(x, c)
d = chebyshev.chebder(c, 2)
i = chebyshev.chebint(c)
v = chebyshev.chebvander(x, 5)
fit = chebyshev.chebfit(x, jnp.sin(x), 5)
lx, lw = legendre.leggauss(8)
p = legendre.legmul(c, c)
q = legendre.leg2poly(c)
h = hermite.hermval(x, jnp.stack([c, c * 2], axis=1))
l2 = laguerre.lagval2d(x, x, jnp.ones((3, 4)))
r = polynomial.polyroots(c)
co = chebyshev.chebcompanion(c)
quo, rem = polynomial.polydiv(c, jnp.array([1.0, 2.0]))
g = jax.grad(lambda c: chebyshev.chebval(x, c).sum())(c)
b = jax.vmap(lambda a: legendre.legval(x, a))(jnp.ones((7, 4)))
tr = chebyshev.chebtrim(jnp.array([1.0, 2.0, 0.0]))
pw = chebyshev.chebpow(c, 3)
dom = orthax.polyutils.mapdomain(x, jnp.array([-1, 1]), jnp.array([0, 2]))
k = jax.jit(chebyshev.chebadd)(c, d)
