//! The engine of jitlens.
