"""`copyreg`: registrations for pickling, which copies go by."""

dispatch_table = {}


def pickle(ob_type, pickle_function, constructor_ob=None):
    dispatch_table[ob_type] = pickle_function


def constructor(object):
    return None
