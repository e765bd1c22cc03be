//! What the commands print.

use std::fmt::Display;
use std::io::{ErrorKind, Write, stdout};

use super::exit;

/// Prints a line to stdout. A reader that has seen enough and closed the pipe ends the program quietly.
pub fn line(text: impl Display) {
    // One string: stdout would look for the last line's end in each piece of it.
    if let Err(error) = stdout().lock().write_all(format!("{text}\n").as_bytes()) {
        ended(&error);
    }
}

/// Prints whole lines to stdout at once.
pub fn page(text: &str) {
    let mut out = stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        ended(&error);
    }
}

/// Prints a line to stderr, as all that the program says of itself.
pub fn complain(message: &str) {
    let _ = writeln!(std::io::stderr().lock(), "jitlens: {message}");
}

/// Ends the program after stdout could not be written.
pub fn ended(error: &std::io::Error) {
    if error.kind() != ErrorKind::BrokenPipe {
        complain(&format!("cannot write: {error}"));
    }
    std::process::exit(i32::from(if error.kind() == ErrorKind::BrokenPipe { exit::CLEAN } else { exit::FAILED }));
}
