#!/usr/bin/env python3
"""Holds jitlens against real JAX on programs of others: `python3 tests/strangers/run.py --help`, and README.md beside it."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)

from strangers.cli import main  # noqa: E402

sys.exit(main())
