"""Features of later Pythons."""

annotations = division = absolute_import = print_function = unicode_literals = generator_stop = with_statement = None
