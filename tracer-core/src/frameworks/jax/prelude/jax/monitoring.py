"""`jax.monitoring`: nobody listens."""

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def _ignore(*args, **kwargs):
    pass


record_event = record_event_duration_secs = record_event_time_span = record_scalar = _ignore
register_event_listener = register_event_duration_secs_listener = register_event_time_span_listener = register_scalar_listener = _ignore
unregister_event_listener = unregister_event_duration_listener = unregister_event_time_span_listener = _ignore
unregister_scalar_listener = clear_event_listeners = _ignore
