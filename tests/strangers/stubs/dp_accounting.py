"""Stands for a library that accounts for privacy: it is asked on the host, and gives a number."""

import types


class Accountant:
    def __init__(self, orders):
        self.orders = orders

    def compose(self, event, steps):
        self.steps = steps

    def get_epsilon(self, delta):
        return 1.0


dp_event = types.SimpleNamespace(PoissonSampledDpEvent=lambda rate, event: event, GaussianDpEvent=lambda noise: noise)
rdp = types.SimpleNamespace(rdp_privacy_accountant=types.SimpleNamespace(RdpAccountant=Accountant))
