//! The direct parts of expressions, statements, targets, patterns and codes, in source order, for whoever walks a module
//! without running it.

use super::{
    Arg, Body, Code, CodeId, Collect, Defaults, Expr, ExprId, FStringPart, Pattern, Place, Stmt, StmtId, Symbol, Target,
};

/// A direct part of something.
#[derive(Copy, Clone, Debug)]
pub enum Part<'a> {
    /// An expression.
    Expr(ExprId),
    /// A statement.
    Stmt(StmtId),
    /// A code: its parts run in a scope of their own.
    Code(CodeId),
    /// A target.
    Target(&'a Target),
    /// A pattern.
    Pattern(&'a Pattern),
    /// A name that is bound without being a target or an expression: of an import, a definition, a handler, a pattern.
    Bound(Place, Symbol),
}

/// What is done with each part.
type Visit<'v> = &'v mut dyn FnMut(Part<'_>);

fn exprs(ids: impl IntoIterator<Item = ExprId>, visit: Visit) {
    for id in ids {
        visit(Part::Expr(id));
    }
}

fn stmts(ids: &[StmtId], visit: Visit) {
    for id in ids {
        visit(Part::Stmt(*id));
    }
}

fn arguments(args: &[Arg], visit: Visit) {
    for arg in args {
        match arg {
            Arg::Positional(id) | Arg::Star(id) | Arg::Keyword(_, id) | Arg::DoubleStar(id) => visit(Part::Expr(*id)),
        }
    }
}

fn bound(name: &Option<(Place, Symbol)>, visit: Visit) {
    if let Some((place, symbol)) = name {
        visit(Part::Bound(*place, *symbol));
    }
}

fn format(parts: &[FStringPart], visit: Visit) {
    for part in parts {
        if let FStringPart::Value { value, spec, .. } = part {
            visit(Part::Expr(*value));
            format(spec, visit);
        }
    }
}

impl Defaults {
    /// Visits the default values.
    pub fn parts(&self, visit: Visit) {
        exprs(self.positional.iter().copied(), visit);
        exprs(self.keyword_only.iter().copied().flatten(), visit);
    }
}

impl Code {
    /// Visits what runs in the scope of this code. Annotations and defaults of parameters do not, but the annotations are
    /// only found here: see [`Code::annotations`]. A body that comes later is not visited.
    pub fn parts(&self, visit: Visit) {
        match &self.body {
            Body::Block(block) => stmts(block, visit),
            Body::Expr(value) => visit(Part::Expr(*value)),
            Body::Later(_) => {}
            Body::Comprehension(comprehension) => {
                for clause in &comprehension.clauses {
                    exprs(clause.iter, visit);
                    visit(Part::Target(&clause.target));
                    exprs(clause.conditions.iter().copied(), visit);
                }
                match comprehension.collect {
                    Collect::List(value) | Collect::Set(value) | Collect::Generator(value) => visit(Part::Expr(value)),
                    Collect::Dict(key, value) => exprs([key, value], visit),
                }
            }
        }
    }

    /// The annotations of the parameters, which belong to the enclosing scope.
    pub fn annotations(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.params.names.iter().filter_map(|param| param.annotation)
    }
}

impl Expr {
    /// Visits the direct parts.
    pub fn parts(&self, visit: Visit) {
        match self {
            Expr::Constant(_) | Expr::Name(..) | Expr::Error => {}
            Expr::Attribute(value, _)
            | Expr::Unary(_, value)
            | Expr::Walrus(_, _, value)
            | Expr::Starred(value)
            | Expr::YieldFrom(value)
            | Expr::Await(value) => visit(Part::Expr(*value)),
            Expr::Subscript(left, right) | Expr::Binary(_, left, right) => exprs([*left, *right], visit),
            Expr::Slice(lower, upper, step) => exprs([*lower, *upper, *step].into_iter().flatten(), visit),
            Expr::Call(function, args) => {
                visit(Part::Expr(*function));
                arguments(args, visit);
            }
            Expr::And(items) | Expr::Or(items) | Expr::Tuple(items) | Expr::List(items) | Expr::Set(items) => {
                exprs(items.iter().copied(), visit);
            }
            Expr::Compare(first, rest) => {
                visit(Part::Expr(*first));
                exprs(rest.iter().map(|(_, value)| *value), visit);
            }
            Expr::IfExp { test, body, orelse } => exprs([*body, *test, *orelse], visit),
            Expr::Lambda(code, defaults) => {
                defaults.parts(visit);
                visit(Part::Code(*code));
            }
            Expr::Dict(items) => {
                for (key, value) in items {
                    exprs(key.iter().copied().chain([*value]), visit);
                }
            }
            Expr::Comprehension(code, iter) => {
                visit(Part::Expr(*iter));
                visit(Part::Code(*code));
            }
            Expr::FString(parts) => format(parts, visit),
            Expr::Yield(value) => exprs(*value, visit),
        }
    }
}

impl Target {
    /// Visits the direct parts; a name has none.
    pub fn parts(&self, visit: Visit) {
        match self {
            Target::Name(..) | Target::Error(_) => {}
            Target::Attribute(value, ..) => visit(Part::Expr(*value)),
            Target::Subscript(value, index, _) => exprs([*value, *index], visit),
            Target::Tuple(items, _) => items.iter().for_each(|item| visit(Part::Target(item))),
            Target::Starred(item, _) => visit(Part::Target(item)),
        }
    }
}

impl Pattern {
    /// Visits the direct parts.
    pub fn parts(&self, visit: Visit) {
        match self {
            Pattern::Value(value) => visit(Part::Expr(*value)),
            Pattern::Singleton(_) => {}
            Pattern::Capture(name) | Pattern::Star(name) => bound(name, visit),
            Pattern::Sequence(items) | Pattern::Or(items) => items.iter().for_each(|item| visit(Part::Pattern(item))),
            Pattern::Mapping { items, rest } => {
                for (key, item) in items {
                    visit(Part::Expr(*key));
                    visit(Part::Pattern(item));
                }
                bound(rest, visit);
            }
            Pattern::Class { class, positional, keyword } => {
                visit(Part::Expr(*class));
                positional.iter().for_each(|item| visit(Part::Pattern(item)));
                keyword.iter().for_each(|(_, item)| visit(Part::Pattern(item)));
            }
            Pattern::As(item, (place, symbol)) => {
                visit(Part::Pattern(item));
                visit(Part::Bound(*place, *symbol));
            }
        }
    }
}

impl Stmt {
    /// Visits the direct parts. The annotations of a function's parameters are found at its [`Code`].
    pub fn parts(&self, visit: Visit) {
        match self {
            Stmt::Pass | Stmt::Break | Stmt::Continue | Stmt::Error | Stmt::ImportStar { .. } => {}
            Stmt::Expr(value) => visit(Part::Expr(*value)),
            Stmt::Assign(targets, value) => {
                targets.iter().for_each(|target| visit(Part::Target(target)));
                visit(Part::Expr(*value));
            }
            Stmt::AugAssign { target, value, .. } => {
                visit(Part::Target(target));
                visit(Part::Expr(*value));
            }
            Stmt::AnnAssign { target, annotation, value } => {
                visit(Part::Target(target));
                visit(Part::Expr(*annotation));
                exprs(*value, visit);
            }
            Stmt::For { target, iter, body, orelse, .. } => {
                visit(Part::Target(target));
                visit(Part::Expr(*iter));
                stmts(body, visit);
                stmts(orelse, visit);
            }
            Stmt::While { test, body, orelse } | Stmt::If { test, body, orelse } => {
                visit(Part::Expr(*test));
                stmts(body, visit);
                stmts(orelse, visit);
            }
            Stmt::With { items, body, .. } => {
                for item in items {
                    visit(Part::Expr(item.context));
                    item.target.iter().for_each(|target| visit(Part::Target(target)));
                }
                stmts(body, visit);
            }
            Stmt::Try { body, handlers, orelse, finalbody, .. } => {
                stmts(body, visit);
                for handler in handlers {
                    exprs(handler.class, visit);
                    bound(&handler.name, visit);
                    stmts(&handler.body, visit);
                }
                stmts(orelse, visit);
                stmts(finalbody, visit);
            }
            Stmt::Raise(exception, cause) => exprs(exception.iter().chain(cause).copied(), visit),
            Stmt::Return(value) => exprs(*value, visit),
            Stmt::Assert(test, message) => exprs([*test].into_iter().chain(*message), visit),
            Stmt::Delete(targets) => targets.iter().for_each(|target| visit(Part::Target(target))),
            Stmt::Import(names) | Stmt::ImportFrom { names, .. } => {
                names.iter().for_each(|alias| visit(Part::Bound(alias.place, alias.asname.unwrap_or(alias.name))));
            }
            Stmt::FunctionDef(def) => {
                exprs(def.decorators.iter().copied(), visit);
                def.defaults.parts(visit);
                exprs(def.returns, visit);
                visit(Part::Code(def.code));
                visit(Part::Bound(def.place, def.name));
            }
            Stmt::ClassDef(def) => {
                exprs(def.decorators.iter().copied(), visit);
                arguments(&def.args, visit);
                visit(Part::Code(def.code));
                visit(Part::Bound(def.place, def.name));
            }
            Stmt::Match(subject, cases) => {
                visit(Part::Expr(*subject));
                for case in cases {
                    visit(Part::Pattern(&case.pattern));
                    exprs(case.guard, visit);
                    stmts(&case.body, visit);
                }
            }
        }
    }
}
