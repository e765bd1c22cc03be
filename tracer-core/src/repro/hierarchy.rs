//! Who calls whom, as it was recorded: functions of the program, and functions of the framework that they call.

use std::rc::Rc;

use super::tree::{Op, Origin, State};
use crate::analysis::Analysis;
use crate::interp::Interp;
use crate::module::CodeKind;
use crate::python::{Site, Value};
use crate::text::Span;

/// One who calls or is called. Files are indices into the analysis' files.
#[derive(Clone, Debug, PartialEq)]
pub enum Party {
    /// The top level of a file.
    Module(usize),
    /// A function of the program, by the range of its name.
    Function(usize, Span),
    /// A function of the framework, by its name, where it is called.
    Framework(String, usize, Span),
}

/// A call: the same one is told once, however often it has run.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Who calls.
    pub caller: Party,
    /// Who is called.
    pub callee: Party,
    /// Where.
    pub at: (usize, Span),
}

/// More calls than this are not told.
const MOST_CALLS: usize = 20_000;

/// The calls of a recorded run, in the order in which they ran first.
pub fn calls(it: &Rc<Interp>, analysis: &Analysis) -> Vec<Call> {
    it.repro.on.set(false);
    let state = it.repro.state.borrow();
    let mut found = Found { analysis, calls: Vec::new(), seen: Default::default() };
    for statement in &state.statements {
        let depth = state.defs[statement.parent].depth;
        let frames = statement.frames.get(depth.min(statement.frames.len())..).unwrap_or_default();
        // Functions of the program that call each other, from the one that the framework has called.
        for pair in frames.windows(2) {
            let (caller, callee) = (found.around(&pair[0]), found.around(&pair[1]));
            if let (Some(caller), Some(callee), Some(at)) = (caller, callee, found.place(&pair[0])) {
                found.add(caller, callee, at);
            }
        }
        let Op::Call(callee) = &statement.op else { continue };
        let (Some(site), Some(name)) = (statement.site, name(&state, callee)) else { continue };
        let (Some(caller), Some(at)) = (found.around(&site), found.place(&site)) else { continue };
        let framework = Party::Framework(name, at.0, at.1);
        found.add(caller, framework.clone(), at);
        for child in &statement.children {
            let function = state.defs[*child].site.and_then(|site| found.place(&site));
            if let Some((file, span)) = function {
                found.add(framework.clone(), Party::Function(file, span), at);
            }
        }
    }
    found.calls
}

struct Found<'a> {
    analysis: &'a Analysis,
    calls: Vec<Call>,
    seen: std::collections::HashSet<String>,
}

impl Found<'_> {
    fn add(&mut self, caller: Party, callee: Party, at: (usize, Span)) {
        let call = Call { caller, callee, at };
        if self.calls.len() < MOST_CALLS && self.seen.insert(format!("{call:?}")) {
            self.calls.push(call);
        }
    }

    fn place(&self, site: &Site) -> Option<(usize, Span)> {
        Some((self.analysis.file_index(site.file)?, site.span))
    }

    /// The function around a place, or its file.
    fn around(&self, site: &Site) -> Option<Party> {
        let (file, span) = self.place(site)?;
        let codes = self.analysis.files[file].module.codes.iter().filter(|code| code.kind == CodeKind::Function);
        let around = codes.filter(|code| code.span.start <= span.start && span.end <= code.span.end);
        Some(match around.min_by_key(|code| code.span.end - code.span.start) {
            Some(code) => Party::Function(file, code.name_span),
            None => Party::Module(file),
        })
    }
}

/// The name of a function of the framework as users know it.
pub fn name(state: &State, callee: &Value) -> Option<String> {
    if let Some(Origin::Path(path)) = state.origins.get(&callee.identity()) {
        return Some(path.clone());
    }
    if let Some(method) = state.methods.get(&callee.identity()) {
        return Some(method.to_string());
    }
    match callee {
        // What a transformation has given: the call of the transformed function.
        Value::Function(_) | Value::Object(_) | Value::Instance(_) => {
            let made = state.holders(callee.identity()).next().map(|(_, access)| access);
            let from = match made?.from {
                super::tree::Source::Statement(from) => &state.statements[from],
                super::tree::Source::Param(_) => return None,
            };
            let Op::Call(maker) = &from.op else { return None };
            name(state, maker).map(|name| format!("{name}(…)"))
        }
        Value::Native(native) => Some(native.name.to_string()),
        _ => None,
    }
}
