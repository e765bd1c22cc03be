"""Random numbers that nobody can guess."""

from _jitlens.python import unknown
from random import SystemRandom, _instance

choice = _instance.choice
randbits = _instance.getrandbits


def randbelow(exclusive_upper_bound):
    return unknown("int", "a random number")


def token_hex(nbytes=None):
    return unknown("str", "a random text")


token_urlsafe = token_hex


def token_bytes(nbytes=None):
    return unknown("", "random bytes")


def compare_digest(a, b):
    return a == b
