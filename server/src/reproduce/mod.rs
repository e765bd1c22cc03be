//! Reproducers as they are handed over: with a header, run once more, and with a map.

mod callers;
mod log;
mod map;
mod nothing;
mod npz;
pub mod python;
pub mod translate;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use tracer_core::analysis::{Disk, Vfs, Wanted};
use tracer_core::repro::{Datum, Outcome, Reproducer, Request, Target, Verified, first_line, reproduce};

use crate::commands::program::{self, Runs};
use crate::commands::repro::LogOption;
pub use map::{Line, Map, digests};

/// A reproducer that was made.
pub struct Made {
    /// The whole text.
    pub text: String,
    /// The name of a file for it, without an ending.
    pub stem: String,
    /// Where its lines come from, with whole paths; for a file of that name.
    pub map: Map,
    /// What it does.
    pub outcome: Outcome,
    /// In what it differs from the program under jitlens, if it does.
    pub unverified: Option<String>,
    /// Whether something in it could not be written as it was.
    pub approximate: bool,
    /// Arrays whose numbers are wanted and not known, as a sentence says it.
    pub stand_ins: Option<String>,
    /// The arrays of the file beside it; none where it needs no file.
    pub data: Vec<Datum>,
    /// What was recorded, a line for each, where that is to be told.
    pub log: Vec<log::LogLine>,
}

impl Made {
    /// The files that it is written into, the reproducer first, where that lies there.
    pub fn files(&self, at: &Path) -> Vec<PathBuf> {
        let mut files = vec![at.to_owned(), at.with_extension("map.json")];
        if !self.data.is_empty() {
            files.push(at.with_extension("npz"));
        }
        files
    }

    /// The lines of the log that are to be told.
    pub fn told(&self, option: LogOption) -> impl Iterator<Item = &str> {
        let wanted = move |is_operation: bool| match option {
            LogOption::None => false,
            LogOption::Calls => !is_operation,
            LogOption::All => true,
        };
        self.log.iter().filter(move |(is_operation, _)| wanted(*is_operation)).map(|(_, line)| line.as_str())
    }
}

/// Makes a reproducer of a script, for a target as the user has named it.
///
/// # Errors
/// What is wrong with the file, or that there is nothing to reproduce.
pub fn make(runs: &mut Runs, file: &Path, target: &str, request: &Request) -> Result<Made, String> {
    let own = verified(runs, file, request)?;
    let is_known = own.as_ref().is_some_and(|own| !own.made.unknown);
    let found = match is_known {
        true => None,
        false => callers::reproducer(runs, file, request),
    };
    if runs.cancel.load(Ordering::Relaxed) {
        return Err("it was stopped".into());
    }
    let (found, caller) = match (found, own) {
        (Some((found, caller)), _) => (found, Some(caller)),
        (None, Some(own)) => (own, None),
        (None, None) => {
            let why = nothing::why(file, Disk.read(file).as_deref(), &request.target);
            let seen = runs.analyze_for(file, Wanted { unreached: false, ..Wanted::default() });
            let missing = seen.ok().and_then(|seen| nothing::missing(&seen));
            return Err(match missing {
                Some(missing) => format!("{why}; {missing}, and what depends on it is not known"),
                None => why,
            });
        }
    };
    let Verified { made, analysis, unlike, .. } = found;
    let target = match (made.is_around, made.has_axes) {
        (true, true) => format!("{target} with the call around it, whose axes it names"),
        (true, false) => format!("{target} with the call around it"),
        (false, _) => target.to_owned(),
    };
    let target = match caller {
        Some(caller) => format!("{target}, as {} calls it", program::shown(&caller)),
        None => target,
    };
    let head = header(&target, &made, unlike.as_deref());
    let text = format!("{head}{}", made.text);
    let stem = file.file_stem().map_or_else(|| "program".into(), |stem| stem.to_string_lossy().into_owned());
    let stem = match (&made.target, &request.target) {
        (Target::Error, _) => format!("{stem}_error"),
        (_, Target::Function(name)) | (Target::Function(name), _) => {
            // As it was asked for: the reproducer may give it another name.
            let name = name.rsplit("<locals>.").next().unwrap_or(name);
            format!("{stem}_{}", name.replace(|c: char| !c.is_alphanumeric(), "_"))
        }
        _ => format!("{stem}_call"),
    };
    let map = Map::new(&analysis, &made.ties, &format!("{stem}.py"), &text, head.lines().count());
    let (approximate, stand_ins) = (made.approximate, stand_ins(&made));
    let log = log::lines(&analysis, &made.log);
    Ok(Made {
        text,
        stem,
        map,
        outcome: made.outcome,
        unverified: unlike,
        approximate,
        stand_ins,
        data: made.data,
        log,
    })
}

/// A reproducer of a script, and whether it does what the program does.
fn verified(runs: &mut Runs, file: &Path, request: &Request) -> Result<Option<Verified>, String> {
    let mut run = |text: Option<&str>, wanted| match text {
        // It stands over the program's text: so it is found in the same environment, and nothing is written.
        Some(text) => runs.instead(file, text, |runs| runs.analyze_for(file, wanted)).flatten(),
        None => runs.analyze_for(file, wanted),
    };
    let script = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    reproduce(request, &script, &mut run)
}

/// What stands above a reproducer.
fn header(target: &str, made: &Reproducer, why: Option<&str>) -> String {
    let mut lines =
        vec![format!("# Reproduces {target}; written by jitlens {} for JAX 0.10.2.", env!("CARGO_PKG_VERSION"))];
    if let Outcome::Error(class, message) = &made.outcome {
        lines.push(format!("# {class}: {}", first_line(message)).trim_end().to_owned());
    }
    if let Some(why) = why {
        lines.push(format!("# NOT VERIFIED: {why}"));
    } else if made.is_minimal {
        let what = match &made.outcome {
            Outcome::Error(..) => "As small as it fails",
            Outcome::Values(_) => "With arrays as small as can be",
        };
        lines.push(format!("# {what}: sizes and values are others than the program's."));
    } else if made.approximate {
        lines.push("# Some values could not be written as they were.".into());
    }
    if made.is_own_text {
        lines.push("# The text is the program's own, without what the error does not need: calls of JAX alone do not raise it.".into());
    }
    lines.extend(stand_ins(made).map(|stand_ins| format!("# STAND-INS: {stand_ins}.")));
    lines.join("\n") + "\n"
}

/// So many arrays are named whose numbers are not known.
const MOST_NAMED: usize = 4;

/// Which arrays have ones in the stead of their numbers, and why.
fn stand_ins(made: &Reproducer) -> Option<String> {
    let all = &made.stand_ins;
    let named = all.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = match all.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let why = made.used_up.map(|what| format!(", for a loop takes more {what} than a run may")).unwrap_or_default();
    (!all.is_empty()).then(|| format!("ones stand for numbers that are not known ({named}{more}){why}"))
}

/// Writes a reproducer and its map into a folder that is there; the reproducer's path.
///
/// # Errors
/// Which of them could not be written, and why.
pub fn write(folder: &Path, made: &Made) -> Result<PathBuf, (PathBuf, std::io::Error)> {
    let at = folder.join(&made.map.file);
    let map = made.map.seen_from(&folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
    let map = serde_json::to_string(&map).unwrap_or_default();
    let contents = [made.text.clone().into_bytes(), format!("{map}\n").into_bytes(), npz::bytes(&made.data)];
    for (path, bytes) in made.files(&at).into_iter().zip(contents) {
        if let Err(error) = std::fs::write(&path, bytes) {
            return Err((path, error));
        }
    }
    Ok(at)
}
