"""Signals never come."""

SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGHUP = 2, 15, 10, 12, 14, 1
SIG_DFL, SIG_IGN = 0, 1


def signal(signalnum, handler):
    return SIG_DFL


def alarm(seconds, /):
    return 0


def getsignal(signalnum):
    return SIG_DFL
