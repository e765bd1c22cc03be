//! `transfer-in-trace`: `jax.device_get` and `jax.block_until_ready` of a traced value, which has no numbers to bring or to wait for.

use super::reading::{calls, traced};
use super::{Diagnostic, Range, Severity};
use crate::analysis::Analysis;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        for call in calls(&facts.module).filter(|call| matches!(call.name, "device_get" | "block_until_ready")) {
            let Some(value) = call.argument(0) else { continue };
            if call.receiver.is_some() && traced(facts, value).is_some() {
                found.push(Diagnostic {
                    at: Range { file, span: call.span },
                    rule: "transfer-in-trace",
                    severity: Severity::Warning,
                    message: format!("`{}` gives a traced value back as it is: there are no numbers yet", call.name),
                    help: Some("call it on what the compiled function returns".into()),
                    related: Vec::new(),
                    fixes: Vec::new(),
                });
            }
        }
    }
    found
}
