//! Whether somebody reads the value that a fix binds a name to. An array that is changed in place is often changed for somebody
//! else: for the caller, for the object whose attribute it is, for the list that holds it. A name of its own helps none of them, and
//! an error that is told would become one that is not.

use super::{Found, definitions};
use crate::diagnostics::argument_mutation::{MOST_CALLERS, read_afterwards};
use crate::diagnostics::reading::{arrays, calls, statements, traced, within};
use crate::diagnostics::{origins, reading};
use crate::module::{Code, CodeKind, Const, Expr, ExprId, Place, Stmt, Symbol, Target};
use crate::text::Span;

/// What the new array has to be bound to, as the text of targets: `x`, `self.b`, `self.b = b`.
pub(super) fn targets(found: &Found<'_>, array: ExprId, statement: Span) -> Option<String> {
    match found.module.expr(array) {
        Expr::Name(place, name) => of_name(found, *place, *name, statement),
        Expr::Attribute(..) | Expr::Subscript(..) => {
            is_settable(found, array, statement).then(|| found.text(array).to_owned())
        }
        _ => None,
    }
}

fn of_name(found: &Found<'_>, place: Place, name: Symbol, statement: Span) -> Option<String> {
    let scope = scope(found, statement);
    if !is_own(found, scope, place, name) {
        return None;
    }
    let is_read = is_read(found, scope, name, statement);
    let own = || is_read.then(|| name.to_string());
    match origins::bound(found.module, name, statement) {
        // The last value is that of an attribute, or of a container: who reads that has to see the change.
        Some((_, Some(value))) => match found.module.expr(value) {
            Expr::Attribute(object, _) | Expr::Subscript(object, _) if arrays(found.facts, *object).is_none() => {
                if is_settable(found, value, statement) {
                    let outer = found.text(value);
                    Some(if is_read { format!("{outer} = {name}") } else { outer.to_owned() })
                } else {
                    // What is traced cannot be kept there: the function computes with an array of its own.
                    own().filter(|_| is_traced(found, statement))
                }
            }
            _ => own(),
        },
        Some((binding, None)) => own().filter(|_| !is_held(found, binding, name)),
        None => own().filter(|_| is_given_back(found, scope, name)),
    }
}

/// The function around a range, comprehensions and lambdas with their parameters among them; none in the module's own body.
fn scope<'a>(found: &Found<'a>, span: Span) -> Option<&'a Code> {
    let around = found.module.codes.iter().skip(1).filter(|code| within(span, code.span));
    around.min_by_key(|code| code.span.end - code.span.start)
}

/// Whether binding the name binds the variable that is read: in a function, one of the module's is another.
fn is_own(found: &Found<'_>, scope: Option<&Code>, place: Place, name: Symbol) -> bool {
    let says = |word: &str| {
        let all = found.module.stmts.iter().zip(&found.module.stmt_spans);
        all.filter(|(stmt, span)| matches!(stmt, Stmt::Pass) && scope.is_some_and(|code| within(**span, code.span)))
            .filter_map(|(_, span)| found.text_at(*span).strip_prefix(word))
            .any(|names| names.split(',').any(|own| own.trim() == name.as_str()))
    };
    match (place, scope) {
        (Place::Global(_), None) => true,
        (Place::Global(_), Some(_)) => says("global "),
        (Place::Local(_), Some(code)) => code.kind == CodeKind::Function,
        (Place::Cell(at), Some(code)) => {
            code.kind == CodeKind::Function && ((at as usize) < code.cells.len() || says("nonlocal "))
        }
        _ => false,
    }
}

/// Whether the name is read behind a statement, or before it in the next round of a loop.
fn is_read(found: &Found<'_>, code: Option<&Code>, name: Symbol, statement: Span) -> bool {
    let module = found.module;
    let outer = code.map(|code| code.span);
    let spans = || module.stmts.iter().zip(&module.stmt_spans);
    // `x[1] = v` gives nobody what stands in `x[0]`.
    let bases: Vec<Span> = spans()
        .filter_map(|(stmt, _)| match stmt {
            Stmt::Assign(targets, _) => match &targets[..] {
                [Target::Subscript(array, ..)] => Some(module.span(*array)),
                _ => None,
            },
            Stmt::AugAssign { target: Target::Subscript(array, ..), .. } => Some(module.span(*array)),
            _ => None,
        })
        .collect();
    let parent = |span: Span| {
        let around = module.stmt_spans.iter().filter(|own| within(span, **own) && span != **own);
        around.copied().min_by_key(|own| own.end - own.start)
    };
    let mut binding: Vec<Span> = Vec::new();
    let body = match code {
        Some(code) => code,
        None => module.code(crate::module::MODULE_CODE),
    };
    origins::bindings(module, body, name, &mut |span, _| binding.push(span));
    // The statement behind in the same block that binds it anew ends what the new value is read by.
    let own_parent = parent(statement);
    let until = binding.iter().filter_map(|span| {
        let whole = found.statement(*span)?.1;
        (whole.start >= statement.end && parent(whole) == own_parent).then_some(whole.end)
    });
    let until = until.min();
    let is_again = |read: Span| {
        spans().any(|(stmt, own)| {
            matches!(stmt, Stmt::For { .. } | Stmt::While { .. })
                && within(statement, *own)
                && within(read, *own)
                && !binding.iter().any(|span| within(*span, *own))
        })
    };
    module.exprs.iter().zip(&module.expr_spans).any(|(expr, read)| {
        let is_it = matches!(expr, Expr::Name(_, own) if *own == name)
            && outer.is_none_or(|outer| within(*read, outer))
            && !within(*read, statement)
            && !bases.contains(read);
        let is_inner = || scope(found, *read).map(|code| code.span) != outer;
        let is_behind = || read.start >= statement.end && until.is_none_or(|until| read.end <= until);
        is_it && (is_inner() || is_behind() || is_again(*read))
    }) || spans().any(|(stmt, span)| match stmt {
        // `x += 1` reads it as well.
        Stmt::AugAssign { target: Target::Name(_, own, _), .. } => {
            *own == name && span.start >= statement.end && outer.is_none_or(|outer| within(*span, outer))
        }
        _ => false,
    })
}

/// Whether a loop's name stands for what a container holds that is read behind the loop.
fn is_held(found: &Found<'_>, binding: Span, name: Symbol) -> bool {
    let module = found.module;
    let has = |target: &Target| match target {
        Target::Name(_, own, span) => *own == name && *span == binding,
        Target::Tuple(_, span) => within(binding, *span),
        _ => false,
    };
    module.stmts.iter().zip(&module.stmt_spans).any(|(stmt, span)| match stmt {
        Stmt::For { target, iter, .. } if has(target) => {
            let own = module.span(*iter);
            let names = || module.exprs.iter().zip(&module.expr_spans);
            let roots: Vec<(Symbol, bool)> = names()
                .enumerate()
                .filter(|(_, (_, root))| within(**root, own))
                .filter_map(|(at, (expr, _))| match expr {
                    Expr::Name(_, name) => Some((*name, arrays(found.facts, ExprId(at as u32)).is_some())),
                    _ => None,
                })
                .collect();
            names().any(|(expr, read)| match expr {
                Expr::Name(_, name) => read.start >= span.end && roots.contains(&(*name, false)),
                _ => false,
            })
        }
        _ => false,
    })
}

/// Whether what is computed of a parameter reaches who calls the function, or nobody who calls it reads the array again.
fn is_given_back(found: &Found<'_>, code: Option<&Code>, name: Symbol) -> bool {
    let module = found.module;
    let Some(code) = code else { return true };
    let Some(place) = code.params.names.iter().position(|param| param.name == name) else { return true };
    let gives = code.is_generator
        || statements(module, code).into_iter().any(|id| matches!(module.stmt(id), Stmt::Return(Some(_))));
    let own = || calls(module).filter(|call| call.name == code.name.as_str());
    let ignored = module.stmts.iter().any(|stmt| match stmt {
        Stmt::Expr(value) => reading::call(module, *value).is_some_and(|call| call.name == code.name.as_str()),
        _ => false,
    });
    let is_held = || {
        own().any(|call| {
            let place = place - usize::from(call.receiver.is_some() && place > 0);
            let given = call.argument_or(place, name.as_str());
            given.is_some_and(|given| matches!(module.expr(given), Expr::Attribute(..) | Expr::Subscript(..)))
        })
    };
    let is_lost = || is_held() || read_afterwards(module, code.name, name, place, MOST_CALLERS).is_some();
    gives && !ignored || !is_lost()
}

/// Whether a statement computes with traced values.
fn is_traced(found: &Found<'_>, statement: Span) -> bool {
    let all = found.module.expr_spans.iter().enumerate().filter(|(_, span)| within(**span, statement));
    all.into_iter().any(|(at, _)| traced(found.facts, ExprId(at as u32)).is_some())
}

/// Whether `o.x` or `d["x"]` can be bound to another array: the object can be changed, and keeps no tracer of a trace.
pub(super) fn is_settable(found: &Found<'_>, at: ExprId, statement: Span) -> bool {
    let module = found.module;
    if is_traced(found, statement) && traced(found.facts, at).is_none() {
        return false;
    }
    match module.expr(at) {
        Expr::Attribute(object, _) => arrays(found.facts, *object).is_none() && !is_frozen(found, *object, statement),
        Expr::Subscript(container, index) => {
            let is_fixed = match module.expr(*index) {
                Expr::Constant(Const::Str(_) | Const::Int(_)) => true,
                // An index that is bound in between would be another.
                Expr::Name(..) => within(module.span(at), statement),
                _ => false,
            };
            // The text says that it is a list or a dict: a tuple or an array takes no item.
            let made = match module.expr(*container) {
                Expr::Name(_, name) => origins::bound_once(module, *name, module.span(at)),
                _ => None,
            };
            let is_container = made.is_some_and(|made| matches!(module.expr(made), Expr::List(_) | Expr::Dict(_)));
            is_fixed && is_container
        }
        _ => false,
    }
}

/// Whether an object is one of a class that lets nothing be set.
fn is_frozen(found: &Found<'_>, object: ExprId, statement: Span) -> bool {
    let module = found.module;
    let Expr::Name(_, name) = module.expr(object) else { return false };
    let method = definitions::around(found, statement);
    let is_self = method.is_some_and(|method| method.params.names.first().is_some_and(|param| param.name == *name));
    let around = module.stmts.iter().zip(&module.stmt_spans).filter_map(|(stmt, span)| match stmt {
        Stmt::ClassDef(def) if within(statement, *span) => Some((def, span.end - span.start)),
        _ => None,
    });
    let Some((class, _)) = around.min_by_key(|(_, size)| *size).filter(|_| is_self) else { return false };
    let bases = class.args.iter().filter_map(|arg| match arg {
        crate::module::Arg::Positional(base) => Some(found.text(*base)),
        _ => None,
    });
    let mut bases = bases.filter(|base| !base.starts_with("nnx."));
    let frozen = |decorator: &ExprId| {
        let text = found.text(*decorator);
        text.contains("frozen=True") || text.starts_with("struct.dataclass") || text.starts_with("flax.struct")
    };
    bases.any(|base| base.ends_with("Module") || base.ends_with("NamedTuple") || base.ends_with("PyTreeNode"))
        || class.decorators.iter().any(frozen)
}
