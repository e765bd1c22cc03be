//! Runs a reproducer in a Python that has JAX: only where the user has asked for it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tracer_core::repro::{Outcome, first_line};

use super::{Made, write};

/// So long a reproducer may run.
const MOST_TIME: Duration = Duration::from_secs(120);

/// Runs the text of a file, and prints how it has ended on a line of its own.
const RUNNER: &str = "\
import json, os, sys
out = os.fdopen(os.dup(1), 'w')
os.dup2(2, 1)
try:
    exec(compile(open(sys.argv[1]).read(), sys.argv[1], 'exec'), {'__name__': '__main__', '__file__': sys.argv[1]})
    end = None
except BaseException as error:
    end = [type(error).__name__, (str(error).splitlines() or [''])[0]]
out.write(json.dumps(end))
out.flush()
os._exit(0)
";

/// In what a reproducer does something else there; `None` where it does the same.
///
/// # Errors
/// Why it could not be run.
pub fn unlike(python: &Path, made: &Made) -> Result<Option<String>, String> {
    let found = run(python, made)?;
    let said = |end: &(String, String)| format!("it raises {}: {}", end.0, end.1);
    Ok(match (&made.outcome, found) {
        (Outcome::Values(_), None) => None,
        (Outcome::Values(_), Some(end)) => Some(said(&end)),
        (Outcome::Error(..), None) => Some("it raises nothing".into()),
        (Outcome::Error(class, message), Some(end)) => {
            let same = class.rsplit('.').next() == Some(&end.0) && plain(first_line(message)) == plain(&end.1);
            (!same).then(|| said(&end))
        }
    })
}

/// A message without what differs between runs: addresses, and what comes behind the name of a file.
fn plain(message: &str) -> String {
    let line = message.split(".py:").next().unwrap_or_default().rsplit_once(' ').map_or(message, |(head, _)| head);
    let line = if message.contains(".py:") { line } else { message };
    let mut parts = line.split("0x");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit() || c == '…'));
    }
    out.trim().to_owned()
}

/// The class and the first line of the message of what a text raises.
fn run(python: &Path, made: &Made) -> Result<Option<(String, String)>, String> {
    let folder = std::env::temp_dir().join(format!("jitlens-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let file = write(&folder, made).map_err(|(path, error)| format!("{}: {error}", path.display()))?;
    let failed = |error: std::io::Error| format!("{}: {error}", python.display());
    let mut command = Command::new(python);
    command.args(["-c", RUNNER]).arg(&file).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let result = (|| {
        let mut child = command.spawn().map_err(failed)?;
        let until = Instant::now() + MOST_TIME;
        while child.try_wait().map_err(failed)?.is_none() {
            if Instant::now() > until {
                child.kill().map_err(failed)?;
                child.wait().map_err(failed)?;
                return Err(format!("{}: the reproducer has not ended", python.display()));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let output = child.wait_with_output().map_err(failed)?;
        serde_json::from_slice(&output.stdout).map_err(|_| format!("{}: is no Python that runs", python.display()))
    })();
    // What is left behind in a folder for what is temporary does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    result
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn addresses_and_places_make_no_difference() {
        assert_eq!(plain("<function f at 0x7f00> of"), plain("<function f at 0x…> of"));
        assert_eq!(plain("tracing f at a.py:3 for jit"), plain("tracing f at /b/c.py:5 for jit"));
        assert_ne!(plain("got 3"), plain("got 4"));
    }
}
