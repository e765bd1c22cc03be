"""Tests."""

from unittest import TestCase, expectedFailure, main, skip, skipIf, skipUnless
