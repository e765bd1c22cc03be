//! `jitlens clean`: removes the outcomes of runs that are kept on disk.

use std::process::ExitCode;

use super::{exit, kept, output};

/// Runs the command.
pub fn run() -> ExitCode {
    match kept::clean() {
        Ok(None) => output::complain("nothing is kept"),
        Ok(Some((count, folder))) => {
            let plural = if count == 1 { "" } else { "s" };
            output::complain(&format!("{count} outcome{plural} of runs removed from {}", folder.display()));
        }
        Err(error) => {
            output::complain(&format!("cannot remove what is kept: {error}"));
            return ExitCode::from(exit::FAILED);
        }
    }
    ExitCode::SUCCESS
}
