//! Comprehensions and generator expressions, and the walrus that escapes them.

use super::Lowerer;
use super::scope::flag;
use crate::module::{Body, Clause, CodeKind, Collect, Comprehension, Expr, ExprId, Place, Symbol};
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

impl<'a> Lowerer<'a> {
    pub(super) fn comprehension(&mut self, node: NodeId) -> ExprId {
        let tree = self.tree;
        let span = self.span(node);
        let body = self.child(node, Field::Body);
        let first = tree.child_of_kind(node, Kind::ForInClause);
        let iter = match first {
            Some(first) => self.clause_iter(first),
            None => self.error(span),
        };
        let (kind, name) = match self.kind(node) {
            Kind::ListComprehension => (CodeKind::Comprehension, "<listcomp>"),
            Kind::SetComprehension => (CodeKind::Comprehension, "<setcomp>"),
            Kind::DictionaryComprehension => (CodeKind::Comprehension, "<dictcomp>"),
            _ => (CodeKind::GeneratorExp, "<genexpr>"),
        };
        let code = self.open_code(kind, name, span, span);
        self.iterator_param(span);
        // Clauses first: they bind what the element reads.
        let mut clauses: Vec<Clause> = Vec::new();
        for child in tree.named(node) {
            match self.kind(child) {
                Kind::ForInClause => {
                    let iter = (Some(child) != first).then(|| self.clause_iter(child));
                    let target = match self.child(child, Field::Left) {
                        Some(left) => self.target(left),
                        None => crate::module::Target::Error(self.span(child)),
                    };
                    let is_async = self.has_token(child, Kind::KwAsync);
                    if is_async {
                        self.code().is_async = true;
                    }
                    clauses.push(Clause { target, iter, conditions: Vec::new(), is_async });
                }
                Kind::IfClause => {
                    let condition = self.expr_or_error(tree.named(child).next(), child);
                    if let Some(clause) = clauses.last_mut() {
                        clause.conditions.push(condition);
                    }
                }
                _ => {}
            }
        }
        let collect = match (self.kind(node), body) {
            (Kind::DictionaryComprehension, Some(pair)) => {
                let key = self.child(pair, Field::Key);
                let key = self.expr_or_error(key, pair);
                let value = self.child(pair, Field::Value);
                Collect::Dict(key, self.expr_or_error(value, pair))
            }
            (kind, body) => {
                let element = self.expr_or_error(body, node);
                match kind {
                    Kind::ListComprehension => Collect::List(element),
                    Kind::SetComprehension => Collect::Set(element),
                    Kind::DictionaryComprehension => Collect::Dict(element, element),
                    _ => Collect::Generator(element),
                }
            }
        };
        self.close_body(Body::Comprehension(Box::new(Comprehension { collect, clauses })));
        self.push(Expr::Comprehension(code, iter), span)
    }

    /// The iterable of a clause; several without parentheses are a tuple (Python 2).
    fn clause_iter(&mut self, clause: NodeId) -> ExprId {
        let tree = self.tree;
        let mut iters = tree.children_in(clause, Field::Right).filter(|child| tree.kind(*child).is_named());
        let (first, second) = (iters.next(), iters.next());
        if let Some(second) = second {
            self.note(self.span(second), "invalid syntax");
        }
        self.expr_or_error(first, clause)
    }

    /// Binds the name of a walrus: in a comprehension, in the scope around it.
    pub(super) fn bind_walrus(&mut self, name: Symbol, span: Span) -> Place {
        let is_comprehension = |kind| matches!(kind, CodeKind::Comprehension | CodeKind::GeneratorExp);
        if !is_comprehension(self.scopes.kind(self.scope)) {
            return self.bind_name(name);
        }
        let mut outer = self.scope;
        while is_comprehension(self.scopes.kind(outer)) {
            if self.scopes.flags(outer, name) & flag::BOUND != 0 {
                let message = format!("assignment expression cannot rebind comprehension iteration variable '{name}'");
                self.note(span, message);
            }
            let Some(parent) = self.scopes.parent(outer) else {
                break;
            };
            outer = parent;
        }
        let how = match self.scopes.kind(outer) {
            CodeKind::Module => flag::GLOBAL,
            CodeKind::Class => {
                self.note(span, "assignment expression within a comprehension cannot be used in a class body");
                flag::BOUND
            }
            _ if self.scopes.flags(outer, name) & flag::GLOBAL != 0 => flag::GLOBAL,
            _ => flag::NONLOCAL,
        };
        self.scopes.mention(outer, name, flag::BOUND);
        self.scopes.mention(self.scope, name, how)
    }
}
