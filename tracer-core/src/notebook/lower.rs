//! Lowering of a notebook's program: what Python cannot parse in one cell is nothing to the others.

use super::{cells, magic};
use crate::lower::lower_text;
use crate::module::{Module, Note};
use crate::text::Span;

/// The lowered program, once it is lowered as a whole: where that has faults, the cells that have them are left out, and the faults are
/// those of these cells.
pub fn isolate(program: &str, mut whole: Module) -> Module {
    whole.notes.retain(is_fault);
    if whole.notes.is_empty() {
        return whole;
    }
    let mut faults = Vec::new();
    let mut rest = program.as_bytes().to_vec();
    for cell in cells(program) {
        let Some(text) = program.get(cell.span.start as usize..cell.span.end as usize) else { continue };
        let own = lower_text(text).notes.into_iter().filter(is_fault);
        let before = faults.len();
        faults.extend(own.map(|note| {
            let Span { start, end } = note.span;
            Note { span: Span { start: start + cell.span.start, end: end + cell.span.start }, ..note }
        }));
        if faults.len() > before {
            magic::leave_out(&mut rest, cell.span);
        }
    }
    let mut module = if faults.is_empty() { whole } else { lower_text(&String::from_utf8_lossy(&rest)) };
    module.notes = faults;
    module
}

/// IPython waits outside of functions, and compiles each statement of a cell alone: every one of them is at a beginning.
fn is_fault(note: &Note) -> bool {
    let is_allowed = note.message.starts_with("'await'")
        || note.message.contains("async")
        || note.message.starts_with("from __future__ imports must occur");
    !is_allowed
}
