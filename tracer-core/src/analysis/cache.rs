//! What a run saw of the caches of traced functions.

use super::Analysis;
use crate::interp::Event;
use crate::python::Site;
use crate::text::Span;

/// What the calls at one place were answered with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallFact {
    /// The function that is called.
    pub function: String,
    /// The equations of each trace that was made for them.
    pub traced: Vec<usize>,
    /// What was new about those that were not the function's first.
    pub reasons: Vec<String>,
    /// Whether a trace that there was answered one.
    pub hit: bool,
    /// Why a trace that there was is compiled once more for them.
    pub compiled_again: Vec<String>,
}

/// The traces that a run kept of one function of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheFact {
    /// Its name.
    pub function: String,
    /// Where its name stands where it is defined.
    pub defined: Site,
    /// Its traces, in the order in which they were made.
    pub entries: Vec<EntryFact>,
    /// The calls that traces which there were have answered, each place once.
    pub answered: Vec<Site>,
    /// The calls that a trace which there was is compiled once more for, and why.
    pub compiled_again: Vec<(Site, String)>,
}

/// One trace.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryFact {
    /// The call that it was made for.
    pub call: Site,
    /// Which of the functions made by this definition it is of, from 0: a closure that is made anew has a cache of its own.
    pub object: usize,
    /// A line for each argument and each setting that the trace is for.
    pub key: Vec<String>,
    /// What was new about it, if it was not the first.
    pub reason: Vec<String>,
    /// The equations of its graph and of the graphs in it; `None` where tracing raised or was not known.
    pub equations: Option<usize>,
}

impl Analysis {
    /// What the caches of the program's own functions hold, in the order of their first traces.
    pub fn caches(&self) -> Vec<CacheFact> {
        let mut caches: Vec<CacheFact> = Vec::new();
        let find = |caches: &[CacheFact], at: Site| caches.iter().position(|cache| cache.defined == at);
        for event in &self.events {
            match event {
                Event::CacheMiss { site, function, defined, seen_before, differences, key } => {
                    let at = find(&caches, *defined).unwrap_or_else(|| {
                        let function = function.to_string();
                        caches.push(CacheFact {
                            function,
                            defined: *defined,
                            entries: vec![],
                            answered: vec![],
                            compiled_again: vec![],
                        });
                        caches.len() - 1
                    });
                    let entries = &mut caches[at].entries;
                    let last = entries.last().map_or(0, |entry| entry.object);
                    let object = last + usize::from(*seen_before == 0 && !entries.is_empty());
                    let (key, reason) = (key.clone(), differences.iter().map(|d| d.text.clone()).collect());
                    entries.push(EntryFact { call: *site, object, key, reason, equations: None });
                }
                Event::Traced { site, defined, equations, .. } => {
                    if let Some(at) = find(&caches, *defined)
                        && let Some(entry) =
                            caches[at].entries.iter_mut().rev().find(|e| e.call == *site && e.equations.is_none())
                    {
                        entry.equations = Some(*equations);
                    }
                }
                Event::CacheHit { site, defined, .. } => {
                    if let Some(at) = find(&caches, *defined)
                        && !caches[at].answered.contains(site)
                    {
                        caches[at].answered.push(*site);
                    }
                }
                Event::CompiledAgain { site, defined, reason, .. } => {
                    if let Some(at) = find(&caches, *defined) {
                        caches[at].compiled_again.push((*site, reason.clone()));
                    }
                }
                _ => {}
            }
        }
        caches
    }

    /// The equations of each trace of the function whose name stands at this range of a file.
    pub fn traces_of(&self, file: usize, name: Span) -> Vec<usize> {
        let at = Site { file: self.files[file].id, span: name };
        let of = |event: &Event| match event {
            Event::Traced { defined, equations, .. } if *defined == at => Some(*equations),
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }

    /// What the calls of a traced function at this range of a file were answered with; `None` where there was none.
    pub fn cache_at(&self, file: usize, call: Span) -> Option<CallFact> {
        let at = Site { file: self.files[file].id, span: call };
        let mut fact = CallFact::default();
        for event in &self.events {
            match event {
                Event::Traced { site, equations, .. } if *site == at => fact.traced.push(*equations),
                Event::CacheMiss { site, function, seen_before, differences, .. } if *site == at => {
                    fact.function = function.to_string();
                    if *seen_before > 0 && !differences.is_empty() {
                        fact.reasons.push(differences.iter().map(|d| d.text.as_str()).collect::<Vec<_>>().join("; "));
                    }
                }
                Event::CacheHit { site, function, .. } if *site == at => {
                    fact.function = function.to_string();
                    fact.hit = true;
                }
                Event::CompiledAgain { site, reason, .. } if *site == at && !fact.compiled_again.contains(reason) => {
                    fact.compiled_again.push(reason.clone());
                }
                _ => {}
            }
        }
        (!fact.function.is_empty()).then_some(fact)
    }
}
