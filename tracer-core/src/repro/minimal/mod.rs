//! Reproducers that are as small as they can be.
//!
//! What a reproducer does not need is found by trying: parts of it are left out or made simpler, and each try is run. A try is
//! written again from the tree of calls that its own run leaves, so that whatever has become idle goes without being asked for,
//! and a function that no transformation calls any more dissolves in what it does. A try counts where the error stays the same:
//! the class, the message up to sizes, and the operation that raises.

mod carries;
mod edits;
mod text;

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use self::carries::carries;
use self::edits::{Candidates, Known, candidates, literals, sizes_of_arrays};
use self::text::Edited;
use super::verify::{Again, Run, Verified, again, called_back, first_line, is_class};
use super::{Data, Outcome, Reproducer, Request, Target, Tie};
use crate::analysis::{Analysis, FileFacts};
use crate::text::{Edit, LineIndex};

/// So many tries are run at most. Each counts once, and once more for so many bytes of its text: no clock decides what is found.
const MOST_TRIES: usize = 600;
const BYTES_OF_TRY: usize = 2048;

/// An inner function is so many times as long as the whole at most.
const MOST_LONGER: usize = 2;

/// Makes a reproducer as small as it can be: one of an error as long as the error stays the same, one of a function, or of calls, as long as
/// it does the same with smaller arrays and shorter loops.
pub fn minimize(found: Verified, request: &Request, run: Run) -> Verified {
    let Verified { made, analysis, style, unlike } = found;
    let is_error = matches!(made.outcome, Outcome::Error(..));
    if unlike.is_some() && !is_error {
        return Verified { made, analysis, style, unlike };
    }
    let target = if is_error { Target::Error } else { made.target.clone() };
    let request = Request { style, target, part: None, data: Data::Ones, ..request.clone() };
    let mut search =
        Search { wanted: Same::of(&made), request, run, tries: 0, vain: FxHashSet::default(), keeps_text: false };
    let small = search.begin(&made).map(|start| match is_error {
        true => {
            search.keep_ways(&start);
            let start = search.together(start, &literals);
            let start = search.without_parts(start);
            let small = search.shrink(start, &candidates);
            let parts = small.cost;
            let small = search.without_parts(small);
            match small.cost < parts {
                true => search.shrink(small, &candidates),
                false => small,
            }
        }
        false => search.with_small_arrays(start),
    });
    let (made, unlike) = match small {
        Some(small) => (
            Reproducer {
                text: small.text,
                ties: small.ties,
                approximate: true,
                is_minimal: true,
                outcome: of_program(&made.outcome, small.outcome),
                data: Vec::new(),
                numbers: Vec::new(),
                stand_ins: Vec::new(),
                target: small.target,
                inner: Vec::new(),
                ..made
            },
            None,
        ),
        None => (made, unlike),
    };
    Verified { made, analysis, unlike, style }
}

/// What has to stay the same.
#[derive(Debug)]
enum Same {
    /// Of what fails.
    Error { class: String, message: String, mismatches: BTreeSet<Mismatch>, operation: String },
    /// Of what gives arrays: their types up to sizes.
    Values { types: String },
}

impl Same {
    fn of(made: &Reproducer) -> Same {
        match &made.outcome {
            Outcome::Error(class, message) => Same::Error {
                class: class.clone(),
                message: without_place(message),
                // How the program calls a part may be another way than how the reproducer does.
                mismatches: mismatches(message).into_iter().map(|told| Mismatch { way: None, ..told }).collect(),
                operation: made.operation.clone(),
            },
            Outcome::Values(types) => Same::Values { types: without_sizes(&types.join(" ")) },
        }
    }

    fn is_met(&self, found: &Reproducer) -> bool {
        match (self, &found.outcome) {
            (Same::Error { class, message, mismatches: wanted, operation }, Outcome::Error(other, said)) => {
                let told = mismatches(said);
                let is_wanted = |told: &Mismatch| wanted.iter().any(|wanted| wanted.is_of(told));
                is_class(class, other)
                    && *message == without_place(said)
                    && told.iter().all(is_wanted)
                    && told.is_empty() == wanted.is_empty()
                    && *operation == found.operation
            }
            (Same::Values { types }, Outcome::Values(found)) => *types == without_sizes(&found.join(" ")),
            _ => false,
        }
    }
}

/// What a text gives, in the program's words: an exception of a library keeps its module.
fn of_program(made: &Outcome, found: Outcome) -> Outcome {
    match (made, found) {
        (Outcome::Error(class, _), Outcome::Error(_, message)) => Outcome::Error(class.clone(), message),
        (_, found) => found,
    }
}

/// The first line of a message with all numbers alike, and places left out.
fn without_place(message: &str) -> String {
    let line = |line: &str| without_sizes(line.split(".py:").next().unwrap_or_default());
    line(first_line(message)) + &line(called_back(message))
}

/// In what parts of trees differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mismatch {
    /// The way to the part (`[1]['h']`); any where it is not known yet how that is written.
    way: Option<String>,
    /// `the shapes do not match`
    what: String,
}

impl Mismatch {
    /// Whether another one is of the same part.
    fn is_of(&self, other: &Mismatch) -> bool {
        self.what == other.what && (self.way.is_none() || self.way == other.way)
    }
}

/// In what the parts of trees differ that a message tells of behind its first line, which is the same for all.
fn mismatches(message: &str) -> BTreeSet<Mismatch> {
    let told = message.lines().skip(1).filter_map(|line| line.split_once(", so "));
    let each = told.flat_map(|(of, told)| {
        let way = way(of);
        let all = told.trim_end_matches(['.', ';']).split(", and ");
        all.map(move |what| Mismatch { way: Some(way.clone()), what: without_sizes(what) })
    });
    each.collect()
}

/// The way to the part that a line is about (`the input carry component c[1] has type …`, `The output of true_fun at path [1] has type …`).
fn way(line: &str) -> String {
    let head = [" has type ", " is a "].iter().find_map(|verb| line.split_once(verb)).map_or("", |(head, _)| head);
    let part = head.rsplit(' ').next().unwrap_or_default();
    let way = part.find(['[', '.']).map_or("", |at| &part[at..]);
    // Beside what a loop counts with, the first item is not the program's.
    let is_counted = part.starts_with("loop_carry[");
    way.split_once(']').filter(|_| is_counted).map_or(way, |(_, rest)| rest).to_owned()
}

/// A text with all numbers alike.
fn without_sizes(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if out.ends_with('0') => {}
            true => out.push('0'),
            false => out.push(c),
        }
    }
    out
}

/// A reproducer that has been run.
struct Small {
    text: String,
    /// What the text is a program for.
    target: Target,
    ties: Vec<Tie>,
    outcome: Outcome,
    facts: FileFacts,
    cost: (usize, u64, usize),
}

struct Search<'a, 'b> {
    wanted: Same,
    request: Request,
    run: &'a mut (dyn FnMut(Option<&str>, crate::analysis::Wanted) -> Result<Analysis, String> + 'b),
    tries: usize,
    /// Texts that have been tried and did not help: what is smaller than they are is all that is looked for later, so they will not.
    vain: FxHashSet<String>,
    /// Whether a try stands as it is.
    keeps_text: bool,
}

impl Search<'_, '_> {
    /// The innermost function that fails as the whole does when it is called alone, or else the whole.
    fn begin(&mut self, made: &Reproducer) -> Option<Small> {
        let target = self.request.target.clone();
        // One that is called with what takes more to make than the rest of the program is no beginning.
        let is_short = |(text, _): &&(String, Vec<Tie>)| text.len() <= MOST_LONGER * made.text.len();
        let inner = made.inner.iter().rev().filter(is_short).find_map(|(text, ties)| self.alike(text, ties, &target));
        inner.or_else(|| self.alike(&made.text, &made.ties, &target))
    }

    /// A text that does what is wanted, as it stands.
    fn alike(&mut self, text: &str, ties: &[Tie], target: &Target) -> Option<Small> {
        let (found, facts) = self.again(text, target)?;
        let (cost, target) = (cost(&facts), target.clone());
        Some(Small { text: text.to_owned(), target, ties: ties.to_vec(), outcome: found.outcome, facts, cost })
    }

    /// What is written of a text that does what is wanted.
    fn again(&mut self, text: &str, target: &Target) -> Option<(Reproducer, FileFacts)> {
        self.tries += 1 + text.len() / BYTES_OF_TRY;
        let of = Again { target: target.clone(), ..Again::default() };
        let (found, mut analysis) = again(text, &of, &self.request, self.run).ok()?;
        let is_same = self.wanted.is_met(&found);
        let at = analysis.files.iter().position(|file| *file.text == *text).filter(|_| is_same)?;
        Some((found, analysis.files.swap_remove(at)))
    }

    /// The same with smaller arrays: first those that are written out become ones, then sizes become small.
    fn with_small_arrays(&mut self, small: Small) -> Small {
        let small = self.shrink(small, &literals);
        self.vain.clear();
        // Nothing but numbers becomes other ones, so that the text need not be written anew.
        self.keeps_text = true;
        self.shrink(small, &sizes_of_arrays)
    }

    /// Tries many at once, then half as many, as long as that helps.
    fn together(&mut self, mut small: Small, candidates: &Candidates) -> Small {
        let mut size = usize::MAX;
        loop {
            let all = candidates(&Known::new(&small.facts));
            size = size.min(all.len());
            if size < 2 || self.is_over() {
                return small;
            }
            match all.chunks(size).find_map(|chunk| self.attempt(&small, &apart(chunk))) {
                Some(next) => small = next,
                None => size /= 2,
            }
        }
    }

    /// What differs is to stay the same parts from now on, as the reproducer calls them: a tuple has no names.
    fn keep_ways(&mut self, start: &Small) {
        if let (Same::Error { mismatches: wanted, .. }, Outcome::Error(_, said)) = (&mut self.wanted, &start.outcome) {
            *wanted = mismatches(said);
        }
    }

    /// Without parts of what loops carry, and of what branches give.
    fn without_parts(&mut self, mut small: Small) -> Small {
        let mut from = 0;
        while !self.is_over() {
            let all = carries(&Known::new(&small.facts));
            let Some((change, edits)) = all.get(from) else { break };
            let Same::Error { mismatches: wanted, .. } = &mut self.wanted else { break };
            let moved = wanted.iter().filter_map(|told| {
                let way = told.way.as_ref().map(|way| change.way(way));
                Some(Mismatch { way: way.map_or(Some(None), |way| way.map(Some))?, what: told.what.clone() })
            });
            let before = std::mem::replace(wanted, moved.collect());
            let next = if is_none_left(&before, wanted) { None } else { self.attempt(&small, edits) };
            match (next, &mut self.wanted) {
                // What is left may be the only one now.
                (Some(next), _) => (small, from) = (next, 0),
                (None, Same::Error { mismatches: wanted, .. }) => (*wanted, from) = (before, from + 1),
                (None, _) => break,
            }
        }
        small
    }

    fn is_over(&self) -> bool {
        self.tries > MOST_TRIES
    }

    /// Tries until nothing helps any more.
    fn shrink(&mut self, mut small: Small, candidates: &Candidates) -> Small {
        loop {
            let mut better = false;
            let mut from = 0;
            // What was tried in vain is not tried again before the end is reached.
            loop {
                let all = candidates(&Known::new(&small.facts));
                let Some((at, next)) = self.first_better(&small, &all, from) else { break };
                small = next;
                better = true;
                from = at;
            }
            if !better || self.is_over() {
                return small;
            }
        }
    }

    fn first_better(&mut self, small: &Small, all: &[Vec<Edit>], from: usize) -> Option<(usize, Small)> {
        for (at, edits) in all.iter().enumerate().skip(from) {
            if self.is_over() {
                return None;
            }
            if let Some(next) = self.attempt(small, edits) {
                return Some((at, next));
            }
        }
        None
    }

    fn attempt(&mut self, small: &Small, edits: &[Edit]) -> Option<Small> {
        let edited = Edited::new(&small.text, edits.to_vec());
        if edited.text == small.text || !self.vain.insert(edited.text.clone()) {
            return None;
        }
        let target = edited.target(&small.target);
        if self.keeps_text {
            return self.alike(&edited.text, &small.ties, &target).filter(|next| next.cost < small.cost);
        }
        let (found, _) = self.again(&edited.text, &target)?;
        let is_written = found.text == edited.text;
        if found.text == small.text || !is_written && self.vain.contains(&found.text) {
            return None;
        }
        // What is handed over is what was written of the try, so that is what has to fail.
        let ties = tied(&found.ties, &edited, small);
        let next = self.alike(&found.text, &ties, &found.target).filter(|next| next.cost < small.cost);
        if next.is_none() {
            self.vain.insert(found.text);
        }
        next
    }
}

/// Whether nothing differs any longer.
fn is_none_left(before: &BTreeSet<Mismatch>, after: &BTreeSet<Mismatch>) -> bool {
    after.is_empty() && !before.is_empty()
}

/// The edits of several candidates, without those that lie in one another.
fn apart(candidates: &[Vec<Edit>]) -> Vec<Edit> {
    let mut all: Vec<Edit> = candidates.iter().flatten().cloned().collect();
    all.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
    let mut kept: Vec<Edit> = Vec::new();
    for edit in all {
        if kept.last().is_none_or(|last| last != &edit && last.range.end <= edit.range.start) {
            kept.push(edit);
        }
    }
    kept
}

/// How much there is to read: nodes, then sizes, then characters.
fn cost(facts: &FileFacts) -> (usize, u64, usize) {
    let module = &facts.module;
    let mut sizes = 0u64;
    for expr in &module.exprs {
        if let crate::module::Expr::Constant(crate::module::Const::Int(value)) = expr {
            sizes += value.unsigned_abs();
        }
    }
    (module.exprs.len() + 2 * module.stmts.len(), sizes, facts.text.len())
}

/// Where the lines of a try come from, by way of the text that it was made of.
fn tied(ties: &[Tie], edited: &Edited, small: &Small) -> Vec<Tie> {
    let lines = LineIndex::new(&small.text);
    let mut all = Vec::new();
    for tie in ties {
        let before = edited.before(tie.span.start);
        let line = lines.line(before) as usize;
        if let Some(origin) = small.ties.iter().find(|tie| tie.line == line) {
            all.push(Tie { line: tie.line, ..origin.clone() });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{without_place, without_sizes};

    #[test]
    fn sizes_make_no_difference() {
        assert_eq!(without_sizes("got (128, 4) and (12,)"), without_sizes("got (2, 3) and (5,)"));
        assert_ne!(without_sizes("got (128, 4)"), without_sizes("got (128,)"));
        assert_eq!(without_place("at 2\nmore"), without_place("at 3"));
    }
}
