//! `jitlens trace FILE[::FUNCTION]`: the graphs of traced functions.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};
use tracer_core::analysis::{Analysis, AtomFact, CacheFact, EquationFact, GraphFact, TraceFact, Wanted};
use tracer_core::interp::is_meant;
use tracer_core::text::{LineIndex, Span};

use super::{Format, exit, output, program};
use crate::trace_cache;

/// Arguments of `jitlens trace`.
#[derive(Args)]
pub struct Arguments {
    /// A file, run as a script, and a function of it (`Model.loss` for a method): all traced functions without.
    #[arg(value_name = "FILE[::FUNCTION]")]
    target: String,
    /// Print what the caches of the functions hold in place of the graphs: the key of each trace, and what was new about it.
    #[arg(long)]
    cache: bool,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let (file, function) = match arguments.target.split_once("::") {
        Some((file, function)) if !Path::new(&arguments.target).exists() => (PathBuf::from(file), Some(function)),
        _ => (PathBuf::from(&arguments.target), None),
    };
    let wanted = Wanted { graphs: true, function: function.map(str::to_owned), ..Wanted::default() };
    let analysis = match program::Runs::default().analyze_for(&file, wanted) {
        Ok(analysis) => analysis,
        Err(message) => return failed(&message),
    };
    if arguments.cache {
        return caches(&analysis, function, arguments.format);
    }
    let mut traces: Vec<&TraceFact> = analysis.traces.iter().collect();
    if let Some(name) = function {
        traces.retain(|t| is_meant(&t.function, name));
        if traces.is_empty() {
            return failed(&why_untraced(&analysis, name));
        }
    }
    match arguments.format {
        Format::Json => {
            let traces: Vec<Value> = traces.iter().map(|t| trace_json(&analysis, t)).collect();
            output::line(json!({"version": 1, "traces": traces}));
        }
        Format::Text => {
            // One graph of a function that was asked for stands alone, as `print(jax.make_jaxpr(f)(…))` shows it.
            let alone = function.is_some() && traces.len() == 1;
            for (i, trace) in traces.iter().enumerate() {
                if !alone {
                    output::line(format!("{}{}", if i > 0 { "\n" } else { "" }, heading(&analysis, trace)));
                }
                output::line(&trace.text);
            }
        }
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
           "answered": cache.answered.iter().map(|at| place(*at)).collect::<Vec<_>>()})
}

fn failed(message: &str) -> ExitCode {
    output::complain(message);
    ExitCode::from(exit::FAILED)
}

/// Why there is no graph of a function.
fn why_untraced(analysis: &Analysis, name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    let known = analysis.files.iter().any(|f| f.functions.iter().any(|f| f.name == last));
    if !known {
        return format!("no function `{name}` in this program");
    }
    match analysis.problems.first() {
        Some(problem) => format!("`{name}` has no graph; {}: {}", problem.class, problem.message),
        None => format!(
            "`{name}` has no graph: nothing calls it, or its results are not known; a comment such as \
             `# jitlens: x: f32[8,128]` above it says what it is traced with"
        ),
    }
}

/// `# p.py:4: f(x: f32[3], w: f32[3,2])`
fn heading(analysis: &Analysis, trace: &TraceFact) -> String {
    let (file, range) = place(analysis, trace.file, trace.name_span);
    let inputs = trace.graph.inputs.iter().enumerate().map(|(i, input)| match trace.arguments.get(i) {
        Some(name) => format!("{name}: {}", input.aval),
        None => input.aval.to_string(),
    });
    format!("# {file}:{}: {}({})", range[0], trace.function, inputs.collect::<Vec<_>>().join(", "))
}

fn place(analysis: &Analysis, file: usize, span: Span) -> (String, [u32; 4]) {
    let facts = &analysis.files[file];
    (program::shown(&facts.path), program::range(&LineIndex::new(&facts.text), span))
}

fn place_json(analysis: &Analysis, place_of: Option<(usize, Span)>) -> Value {
    place_of.map_or(Value::Null, |(file, span)| {
        let (file, range) = place(analysis, file, span);
        json!({"file": file, "range": range})
    })
}

fn trace_json(analysis: &Analysis, trace: &TraceFact) -> Value {
    let (file, range) = place(analysis, trace.file, trace.name_span);
    let mut all = graph_json(analysis, &trace.graph);
    all.insert("function".into(), json!(trace.function));
    all.insert("file".into(), json!(file));
    all.insert("line".into(), json!(range[0]));
    all.insert("call".into(), place_json(analysis, trace.called));
    all.insert("arguments".into(), json!(trace.arguments));
    all.insert("jaxpr".into(), json!(trace.text));
    Value::Object(all)
}

fn graph_json(analysis: &Analysis, graph: &GraphFact) -> Map<String, Value> {
    let mut all = Map::new();
    all.insert("constants".into(), atoms(&graph.constants));
    all.insert("inputs".into(), atoms(&graph.inputs));
    all.insert("outputs".into(), atoms(&graph.outputs));
    all.insert("equations".into(), graph.equations.iter().map(|e| equation(analysis, e)).collect());
    all
}

fn atoms(atoms: &[AtomFact]) -> Value {
    let one = |atom: &AtomFact| {
        let weak = if atom.aval.weak { "~" } else { "" };
        let shape = atom.aval.shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        json!({"name": atom.name, "aval": format!("{}{weak}[{shape}]", atom.aval.dtype.short())})
    };
    atoms.iter().map(one).collect()
}

fn equation(analysis: &Analysis, equation: &EquationFact) -> Value {
    let params: Map<String, Value> = equation.params.iter().map(|(name, text)| (name.clone(), json!(text))).collect();
    let graphs: Vec<Value> = equation.graphs.iter().map(|g| Value::Object(graph_json(analysis, g))).collect();
    json!({
        "primitive": equation.primitive,
        "params": params,
        "inputs": atoms(&equation.inputs),
        "outputs": atoms(&equation.outputs),
        "source": place_json(analysis, equation.source),
        "jaxprs": graphs,
    })
}
