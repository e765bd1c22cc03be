"""What the standard library has as `tomllib`."""
from tomllib import TOMLDecodeError, load, loads
