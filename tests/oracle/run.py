#!/usr/bin/env python3
"""`python3 tests/oracle/run.py --help`"""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)

from oracle.cli import main  # noqa: E402

sys.exit(main())
