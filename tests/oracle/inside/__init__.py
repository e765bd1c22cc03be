"""What runs in the process of the real framework: instrumenting, executing and writing down facts."""
