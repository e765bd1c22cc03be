//! Graphs of traced functions, as text and as plain data: `jitlens trace`, and the editors' views of them.

use std::path::Path;

use serde_json::{Map, Value, json};
use tracer_core::analysis::{Analysis, AtomFact, EquationFact, GraphFact, TraceFact};
use tracer_core::interp::is_meant;
use tracer_core::module::{Code, CodeKind, Symbol};
use tracer_core::text::Span;

use crate::commands::places::{self, Places};

/// The traces of a function, by its `__qualname__` or the end of it; of all without.
///
/// # Errors
/// Why there is none.
pub fn of<'a>(analysis: &'a Analysis, function: Option<&str>) -> Result<Vec<&'a TraceFact>, String> {
    let mut traces: Vec<&TraceFact> = analysis.traces.iter().collect();
    if let Some(name) = function {
        traces.retain(|t| is_meant(&t.function, name));
        if traces.is_empty() {
            return Err(why_untraced(analysis, name));
        }
    }
    Ok(traces)
}

/// Traces as text, each under a heading. One of a function that was asked for stands alone, as `print(jax.make_jaxpr(f)(…))` shows it.
pub fn text(analysis: &Analysis, traces: &[&TraceFact], is_asked: bool) -> String {
    match traces {
        [one] if is_asked => one.text.clone(),
        many => {
            let texts: Vec<String> =
                many.iter().map(|trace| format!("{}\n{}", heading(analysis, trace), trace.text)).collect();
            texts.join("\n\n")
        }
    }
}

/// Why there is no graph of a function.
fn why_untraced(analysis: &Analysis, name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    let is_bound = |name: &&Symbol| name.as_str() == last;
    let known = analysis
        .files
        .iter()
        .any(|f| f.functions.iter().any(|f| f.name == last) || f.module.globals.iter().any(|name| is_bound(&name)));
    if !known {
        return format!("no function `{name}` in this program");
    }
    match analysis.problems.first() {
        Some(problem) => format!("`{name}` has no graph; {}: {}", problem.class, problem.message),
        None => format!(
            "`{name}` has no graph: nothing calls it by this name, or its results are not known; a comment such as \
             `# jitlens: x: f32[8,128]` above it says what it is traced with"
        ),
    }
}

/// `# p.py:4: f(x: f32[3], w: f32[3,2])`
fn heading(analysis: &Analysis, trace: &TraceFact) -> String {
    let (file, range) = place(analysis, trace.file, trace.name_span, &places::shown);
    format!("# {file}:{}: {}", range[0], signature(trace))
}

/// `f(x: f32[3], w: f32[3,2])`
pub fn signature(trace: &TraceFact) -> String {
    let inputs = trace.graph.inputs.iter().enumerate().map(|(i, input)| match trace.arguments.get(i) {
        Some(name) => format!("{name}: {}", input.aval),
        None => input.aval.to_string(),
    });
    format!("{}({})", trace.function, inputs.collect::<Vec<_>>().join(", "))
}

/// Where something is: the file, or a cell of a notebook, and its range with lines from 1 and columns in UTF-8 bytes.
pub fn place(analysis: &Analysis, file: usize, span: Span, named: Named<'_>) -> (String, [u32; 4]) {
    let facts = &analysis.files[file];
    let places = Places::new(&facts.path, &facts.text);
    (named(&facts.path, places.cell(span.start)), places.range(span))
}

fn place_json(analysis: &Analysis, place_of: Option<(usize, Span)>, named: Named<'_>) -> Value {
    place_of.map_or(Value::Null, |(file, span)| {
        let (file, range) = place(analysis, file, span, named);
        json!({"file": file, "range": range})
    })
}

/// How a file is named, or a cell of a notebook by its number.
pub type Named<'a> = &'a dyn Fn(&Path, Option<u32>) -> String;

/// A trace as plain data.
pub fn json(analysis: &Analysis, trace: &TraceFact, named: Named<'_>) -> Value {
    let (file, range) = place(analysis, trace.file, trace.name_span, named);
    let mut all = graph(analysis, &trace.graph, named);
    all.insert("function".into(), json!(trace.function));
    all.insert("file".into(), json!(file));
    all.insert("line".into(), json!(range[0]));
    all.insert("call".into(), place_json(analysis, trace.called, named));
    all.insert("arguments".into(), json!(trace.arguments));
    all.insert("jaxpr".into(), json!(trace.text));
    Value::Object(all)
}

fn graph(analysis: &Analysis, graph: &GraphFact, named: Named<'_>) -> Map<String, Value> {
    let mut all = Map::new();
    all.insert("constants".into(), atoms(&graph.constants));
    all.insert("inputs".into(), atoms(&graph.inputs));
    all.insert("outputs".into(), atoms(&graph.outputs));
    all.insert("equations".into(), graph.equations.iter().map(|e| equation(analysis, e, named)).collect());
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

fn equation(analysis: &Analysis, equation: &EquationFact, named: Named<'_>) -> Value {
    let params: Map<String, Value> = equation.params.iter().map(|(name, text)| (name.clone(), json!(text))).collect();
    let graphs: Vec<Value> = equation.graphs.iter().map(|g| Value::Object(graph(analysis, g, named))).collect();
    json!({
        "primitive": equation.primitive,
        "params": params,
        "inputs": atoms(&equation.inputs),
        "outputs": atoms(&equation.outputs),
        "source": place_json(analysis, equation.source, named),
        "within": equation.source.and_then(|at| within(analysis, at)).map(|code| code.qualname.to_string()),
        "bytes": bytes(equation),
        "jaxprs": graphs,
    })
}

/// The function whose text is around a place.
pub fn within(analysis: &Analysis, (file, span): (usize, Span)) -> Option<&Code> {
    let is_function = |code: &&Code| matches!(code.kind, CodeKind::Function | CodeKind::Lambda);
    let codes = analysis.files[file].module.codes.iter().filter(is_function);
    codes.filter(|c| c.span.start <= span.start && span.end <= c.span.end).min_by_key(|c| c.span.end - c.span.start)
}

/// What an equation reads and writes, in bytes; `None` where a size is not known.
pub fn bytes(equation: &EquationFact) -> Option<u64> {
    equation.inputs.iter().chain(&equation.outputs).map(|atom| atom.aval.bytes()).sum()
}
