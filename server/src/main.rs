//! The `jitlens` command.
fn main() {}
