//! `jitlens trace FILE[::FUNCTION]`: the graphs of traced functions.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use tracer_core::analysis::{Analysis, CacheFact, Wanted};

use super::{Format, exit, output, places, program};
use crate::{graphs, trace_cache, trace_tree};

/// Arguments of `jitlens trace`.
#[derive(Args)]
pub struct Arguments {
    /// A file, run as a script, and a function of it (`Model.loss` for a method): all traced functions without.
    #[arg(value_name = "FILE[::FUNCTION]")]
    target: String,
    /// Print what the caches of the functions hold in place of the graphs: the key of each trace, and what was new about it.
    #[arg(long)]
    cache: bool,
    /// Print which functions and lines the equations come from, in order, in place of the graphs.
    #[arg(long, conflicts_with = "cache")]
    tree: bool,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let (file, function) = program::target(&arguments.target);
    let wanted = Wanted { graphs: true, function: function.map(str::to_owned), ..Wanted::default() };
    let analysis = match program::Runs::default().analyze_for(&file, wanted) {
        Ok(analysis) => analysis,
        Err(message) => return failed(&message),
    };
    if arguments.cache {
        return caches(&analysis, function, arguments.format);
    }
    let traces = match graphs::of(&analysis, function) {
        Ok(traces) => traces,
        Err(message) => return failed(&message),
    };
    match arguments.format {
        format if arguments.tree => {
            let rows = trace_tree::rows(&analysis, &traces, &places::shown);
            match format {
                Format::Json => output::line(json!({"version": 1, "traces": rows})),
                Format::Text => output::line(trace_tree::text(&rows).trim_end()),
            }
        }
        Format::Json => {
            let traces: Vec<Value> =
                traces.iter().map(|trace| graphs::json(&analysis, trace, &places::shown)).collect();
            output::line(json!({"version": 1, "traces": traces}));
        }
        Format::Text if traces.is_empty() => {}
        Format::Text => output::line(graphs::text(&analysis, &traces, function.is_some())),
    }
    ExitCode::from(exit::CLEAN)
}

/// Prints what the caches hold.
fn caches(analysis: &Analysis, function: Option<&str>, format: Format) -> ExitCode {
    let mut caches = analysis.caches();
    if let Some(name) = function {
        let last = name.rsplit('.').next().unwrap_or(name);
        caches.retain(|cache| cache.function == last);
        if caches.is_empty() {
            return failed(&format!("`{name}` has no cache: no call of it was compiled"));
        }
    }
    match format {
        Format::Json => {
            let caches: Vec<Value> = caches.iter().map(|cache| cache_json(analysis, cache)).collect();
            output::line(json!({"version": 1, "caches": caches}));
        }
        Format::Text => {
            let texts: Vec<String> = caches.iter().map(|cache| trace_cache::text(analysis, cache)).collect();
            output::line(texts.join("\n").trim_end());
        }
    }
    ExitCode::from(exit::CLEAN)
}

fn cache_json(analysis: &Analysis, cache: &CacheFact) -> Value {
    let place = |at| trace_cache::line(analysis, at).map(|(file, line)| json!({"file": file, "line": line}));
    let entries = cache.entries.iter().map(|entry| {
        json!({"call": place(entry.call), "object": entry.object, "key": entry.key, "reason": entry.reason,
               "equations": entry.equations})
    });
    json!({"function": cache.function, "defined": place(cache.defined), "traces": entries.collect::<Vec<_>>(),
           "answered": cache.answered.iter().map(|at| place(*at)).collect::<Vec<_>>(),
           "compiled_again": cache.compiled_again.iter().map(|(at, reason)| json!({"call": place(*at), "reason": reason})).collect::<Vec<_>>()})
}

fn failed(message: &str) -> ExitCode {
    output::complain(message);
    ExitCode::from(exit::FAILED)
}
