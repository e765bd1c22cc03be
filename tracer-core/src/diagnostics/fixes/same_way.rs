//! An argument is passed as before: by position, or by its name.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call_at, function};
use crate::interp::KeyChange;
use crate::module::Arg;
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let Some(KeyChange::Passed { name, by_name }) = found.change else { return None };
    let (name, by_name) = (&**name, *by_name);
    let call = call_at(found.module, found.span())?;
    let code = function(found.module, call.name).filter(|_| call.receiver.is_none())?;
    let place = code.params.names.iter().position(|param| param.name.as_str() == name)?;
    if place >= code.params.positional as usize || place < code.params.positional_only as usize {
        return None;
    }
    let value = match call.args.get(place)? {
        Arg::Keyword(own, value) if by_name && own.as_str() == name => *value,
        Arg::Positional(value) if !by_name => *value,
        _ => return None,
    };
    let before = &call.args[..place];
    if !before.iter().all(|arg| matches!(arg, Arg::Positional(_))) {
        return None;
    }
    let span = found.module.span(value);
    if by_name {
        let head = found.facts.text.get(..span.start as usize)?;
        let start = head.rfind(name)? as u32;
        head.get(start as usize + name.len()..)?.trim().strip_prefix('=').filter(|rest| rest.is_empty())?;
        return found.replace(format!("pass `{name}` by position"), Span { start, end: span.start }, String::new());
    }
    let is_last = call.args[place + 1..].iter().all(|arg| matches!(arg, Arg::Keyword(..)));
    let at = Span { start: span.start, end: span.start };
    is_last.then(|| found.replace(format!("pass `{name}` by name"), at, format!("{name}=")))?
}
