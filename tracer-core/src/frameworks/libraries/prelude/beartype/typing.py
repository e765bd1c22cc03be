"""What `typing` has."""
from typing import *
