"""The oracle: holds what jitlens says about a program against what real JAX does with it.

`inside/` runs in the process of the real framework and writes a *record*; everything else needs only the standard
library. `README.md` says how to run it and defines every word of its output.
"""
