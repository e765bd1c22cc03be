//! Tracers that leave the bodies that made them by another way than the result.

use super::expression::Ex;
use super::{Line, Writer};
use crate::python::Value;
use crate::repro::tree::Source;

impl Writer<'_> {
    /// Keeps what leaves a body by another way than its result.
    pub fn leaked_from(&mut self, level: usize) {
        let def = self.scopes[level].def;
        for (i, (from, value)) in self.seen_leaks.clone().into_iter().enumerate() {
            if from == def && level > 0 {
                let Some(access) = self.state.defs[def].bound.get(&value.identity()).cloned() else { continue };
                let before = std::mem::replace(&mut self.scopes[level].current, usize::MAX - 1);
                let ex = self.access(level, &access, &value);
                self.scopes[level].current = before;
                let text = format!("leaked[{i}] = {}", ex.text);
                let site = match access.from {
                    Source::Statement(made) => self.state.statements[made].site,
                    Source::Param(_) => None,
                };
                self.scopes[level].last.push(Line::new(0, text, site));
            }
        }
    }

    /// A tracer that has left the body that made it.
    pub fn leaked(&mut self, value: &Value) -> Option<Ex> {
        let id = value.identity();
        let from = self.state.holders(id).map(|(def, _)| def).find(|def| *def > 0)?;
        // What called that body has to be written before.
        let mut call = self.state.defs[from].parent?;
        let level = loop {
            let of = self.state.statements[call].parent;
            if let Some(level) = self.scopes.iter().position(|scope| scope.def == of) {
                break level;
            }
            call = self.state.defs[of].parent?;
        };
        if self.calls.contains(&call) || level == 0 && self.is_function {
            return None;
        }
        let at = match self.leaks.iter().position(|(_, v)| v.is(value)) {
            Some(at) => at,
            None => {
                self.leaks.push((from, value.clone()));
                self.leaks.len() - 1
            }
        };
        self.write_statement(level, call);
        Some(Ex::atom(format!("leaked[{at}]")))
    }
}
