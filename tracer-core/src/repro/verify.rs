//! Reproducers are run before they are handed over, and written otherwise where they do not do what they should.

use super::{Outcome, Reproducer, Request, Style, minimize};
use crate::analysis::{Analysis, Wanted};

/// Runs the program, or another text in its stead.
pub type Run<'a> = &'a mut dyn FnMut(Option<&str>, Wanted) -> Result<Analysis, String>;

/// A reproducer that has been run.
pub struct Verified {
    /// The reproducer.
    pub made: Reproducer,
    /// The run of the program that it is of.
    pub analysis: Analysis,
    /// In what it is not like the program.
    pub unlike: Option<String>,
    /// How much of the program it keeps.
    pub style: Style,
}

/// Writes a reproducer that does what the program does, or the first one where none does; `None` where there is nothing to reproduce.
///
/// # Errors
/// What hinders a run.
pub fn reproduce(request: &Request, run: Run) -> Result<Option<Verified>, String> {
    let mut first = None;
    for style in Style::ALL {
        let request = Request { style, ..request.clone() };
        let unreached = request.function.is_some();
        let wanted = Wanted { unreached, reproducer: Some(request.clone()), ..Wanted::default() };
        let mut analysis = run(None, wanted)?;
        let Some(made) = analysis.reproducer.take() else { return Ok(None) };
        let unlike = unlike(&made, &request, run);
        let mut verified = Verified { made, analysis, unlike, style };
        if request.minimal {
            verified = minimize(verified, &request, run);
        }
        if verified.unlike.is_none() {
            return Ok(Some(verified));
        }
        first.get_or_insert(verified);
    }
    Ok(first)
}

/// What a text does that stands for the program, and the text as it would be written.
///
/// # Errors
/// What it does not do.
pub fn again(
    text: &str,
    function: Option<String>,
    request: &Request,
    run: Run,
) -> Result<(Reproducer, Analysis), String> {
    let of_error = function.is_none();
    let again = Request { function, minimal: false, ..request.clone() };
    let wanted = Wanted { unreached: false, reproducer: Some(again), again: true, ..Wanted::default() };
    let mut analysis = run(Some(text), wanted)?;
    match analysis.reproducer.take() {
        Some(found) => Ok((found, analysis)),
        None => Err(match analysis.problems.first() {
            _ if of_error => "it raises nothing".into(),
            Some(problem) => format!("it raises {}: {}", problem.class, first_line(&problem.message)),
            None => "it calls nothing".into(),
        }),
    }
}

/// In what a reproducer is not like the program.
fn unlike(made: &Reproducer, request: &Request, run: Run) -> Option<String> {
    let found = match again(&made.text, made.function.clone(), request, run) {
        Ok((found, _)) => found,
        Err(why) => return Some(why),
    };
    match (&made.outcome, &found.outcome) {
        (Outcome::Error(class, message), Outcome::Error(other, said)) => {
            let same = class == other && first_line(message) == first_line(said);
            (!same).then(|| format!("it raises {other}: {}", first_line(said)))
        }
        (Outcome::Values(types), Outcome::Values(other)) => {
            (types != other).then(|| format!("it gives {} instead of {}", other.join(", "), types.join(", ")))
        }
        (Outcome::Values(_), Outcome::Error(class, message)) => {
            Some(format!("it raises {class}: {}", first_line(message)))
        }
        (Outcome::Error(..), Outcome::Values(_)) => Some("it raises nothing".into()),
    }
}

/// The first line of a message.
pub fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}
