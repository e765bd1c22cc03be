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
}

impl Analysis {
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
                        fact.reasons.push(differences.join("; "));
                    }
                }
                Event::CacheHit { site, function, .. } if *site == at => {
                    fact.function = function.to_string();
                    fact.hit = true;
                }
                _ => {}
            }
        }
        (!fact.function.is_empty()).then_some(fact)
    }
}
