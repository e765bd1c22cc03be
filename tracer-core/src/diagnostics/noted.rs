//! Rules that say what one event tells: `index-out-of-bounds`, `x64-truncation`, `fixed-key`, `large-constant`.

use super::reading::{call, call_at, returned};
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::Analysis;
use crate::interp::Event;
use crate::module::{Const, Expr, ExprId, Module, Stmt, Symbol, Target};
use crate::python::Site;
use crate::text::Span;

/// What a rule says of an event.
struct Said {
    rule: &'static str,
    severity: Severity,
    site: Site,
    message: String,
    help: &'static str,
    related: Option<(Site, &'static str)>,
}

fn said(event: &Event) -> Option<Said> {
    Some(match event {
        Event::OutOfBounds { site, index, size, update: true } => Said {
            rule: "index-out-of-bounds",
            severity: Severity::Warning,
            site: *site,
            message: format!("index {index} is out of bounds for an axis of {size}: JAX leaves this update out and raises nothing"),
            help: "update within the axis, or say that it is meant: `x.at[i].set(y, mode=\"drop\")`",
            related: None,
        },
        Event::OutOfBounds { site, index, size, update: false } => Said {
            rule: "index-out-of-bounds",
            severity: Severity::Warning,
            site: *site,
            message: format!(
                "index {index} is out of bounds for an axis of {size}: JAX takes the nearest element and raises nothing"
            ),
            help: "index within the axis, or say what is meant: `x.at[i].get(mode=\"fill\", fill_value=0)`",
            related: None,
        },
        Event::Truncated { site, wanted, found } => Said {
            rule: "x64-truncation",
            severity: Severity::Warning,
            site: *site,
            message: format!("{wanted} is asked for, and {found} is made: types of 64 bits are off"),
            help: "ask for the type that you get, or turn them on with `jax.config.update(\"jax_enable_x64\", True)` at the start",
            related: None,
        },
        Event::FixedKey { site, call } => Said {
            rule: "fixed-key",
            severity: Severity::Warning,
            site: *site,
            message: "this random key is a constant of the compiled function: every call draws the same numbers".into(),
            help: "pass the key as an argument, and split it for each call",
            related: Some((*call, "this call draws the numbers of the first one again")),
        },
        Event::LargeConstant { site, name, bytes } => Said {
            rule: "large-constant",
            severity: Severity::Information,
            site: *site,
            message: format!("`{name}` becomes a constant of {} MB in the compiled function", bytes / 1_000_000),
            help: "pass it as an argument: a constant is copied into each compiled program, and makes compiling slow",
            related: None,
        },
        Event::Unsynced { site } => Said {
            rule: "unsynced-timing",
            severity: Severity::Information,
            site: *site,
            message: "the clock is read while what was called before may still run: calls of compiled functions return at once".into(),
            help: "call `jax.block_until_ready(result)` before reading the clock",
            related: None,
        },
        Event::CapturedKey { site, function } => Said {
            rule: "unmapped-key",
            severity: Severity::Warning,
            site: *site,
            message: format!("`{function}` gives the same numbers for all elements of the mapped axis: the key is from outside"),
            help: "split the key before, and map over the parts: `jax.vmap(f)(x, jax.random.split(key, len(x)))`",
            related: None,
        },
        Event::CachedTracer { function, call } => Said {
            rule: "cached-tracer",
            severity: Severity::Warning,
            site: *function,
            message: "the cache keeps a traced value of this function's after the trace that it belongs to: the next trace that asks for \
                      it raises `UnexpectedTracerError`"
                .into(),
            help: "compute it with NumPy, or call the function once outside of the traced one",
            related: Some((*call, "it is called while tracing here")),
        },
        Event::ZeroGradient { site } => Said {
            rule: "zero-gradient",
            severity: Severity::Warning,
            site: *site,
            message: "this gradient is zero everywhere: nothing differentiable leads from the arguments to the result".into(),
            help: "rounding, comparing, `argmax` and integers have no derivative: use a smooth function in their place, or pass \
                   gradients through with `jax.lax.stop_gradient` (`x + stop_gradient(round(x) - x)`)",
            related: None,
        },
        Event::Warned { site, category, message } => Said {
            rule: "library-warning",
            severity: Severity::Warning,
            site: *site,
            message: format!("{category}: {}", message.trim().lines().next().unwrap_or_default()),
            help: "the library says this when the program runs",
            related: None,
        },
        Event::Unrolled { site, rounds } => Said {
            rule: "unrolled-loop",
            severity: Severity::Information,
            site: *site,
            message: format!("the compiled function has {rounds} copies of this loop's body: tracing and compiling take as many times as long"),
            help: "write the loop as `jax.lax.fori_loop` or `jax.lax.scan`",
            related: None,
        },
        _ => return None,
    })
}

/// Fields of Equinox's modules that are static and annotated as arrays, and where `__init__` sets them.
fn static_arrays(module: &Module) -> Vec<Span> {
    let is_array = |annotation: ExprId| match module.expr(annotation) {
        Expr::Name(_, name) | Expr::Attribute(_, name) => name.contains("Array") || name.contains("ndarray"),
        _ => false,
    };
    let fields: Vec<(Symbol, Span)> = module
        .stmts
        .iter()
        .filter_map(|stmt| {
            let Stmt::AnnAssign { target: Target::Name(_, name, span), annotation, value: Some(value) } = stmt else {
                return None;
            };
            let of = call(module, *value)?;
            let is_static = of
                .argument_or(usize::MAX, "static")
                .is_some_and(|given| matches!(module.expr(given), Expr::Constant(Const::Bool(true))));
            (is_static && is_array(*annotation)).then_some((*name, *span))
        })
        .collect();
    let set = module.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Assign(targets, _) => targets.iter().find_map(|target| match target {
            Target::Attribute(_, name, span) if fields.iter().any(|(own, _)| own == name) => Some(*span),
            _ => None,
        }),
        _ => None,
    });
    let set: Vec<Span> = set.collect();
    fields.into_iter().map(|(_, span)| span).chain(set).collect()
}

/// The rules.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let range = |site: &Site| Some(Range { file: analysis.file_index(site.file)?, span: site.span });
    // What the program itself warns of is its own affair.
    let is_own = |at: Range| call_at(&analysis.files[at.file].module, at.span).is_some_and(|call| call.name == "warn");
    let mut found: Vec<Diagnostic> = Vec::new();
    for said in analysis.events.iter().filter_map(said) {
        let Some(mut at) = range(&said.site) else { continue };
        if said.rule == "cached-tracer" {
            // What it returns is what is kept.
            let module = &analysis.files[at.file].module;
            let code = module.codes.iter().find(|code| code.name_span == at.span);
            at.span = code.and_then(|code| returned(module, code)).map_or(at.span, |value| module.span(value));
        }
        if found.iter().any(|other| other.at == at && other.rule == said.rule)
            || said.rule == "library-warning" && is_own(at)
        {
            continue;
        }
        let related = said.related.and_then(|(site, text)| {
            let place = range(&site).filter(|place| *place != at)?;
            Some(Related { at: place, message: text.into() })
        });
        if said.rule == "library-warning" && said.message.contains("is being set as static") {
            for span in static_arrays(&analysis.files[at.file].module) {
                found.push(Diagnostic {
                    at: Range { file: at.file, span },
                    rule: said.rule,
                    severity: Severity::Hint,
                    message: "this field is static, and holds an array: let it be a leaf of the tree".into(),
                    help: None,
                    related: vec![Related { at, message: "the library warns here".into() }],
                    fixes: Vec::new(),
                });
            }
        }
        found.push(Diagnostic {
            at,
            rule: said.rule,
            severity: said.severity,
            message: said.message,
            help: Some(said.help.into()),
            related: related.into_iter().collect(),
            fixes: Vec::new(),
        });
    }
    found
}
