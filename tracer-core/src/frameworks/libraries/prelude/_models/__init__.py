"""Functions of libraries that ask for what a run does not have (frames of the stack, texts): these stand for them."""
