//! Compound statements but definitions.

use super::{Lowerer, MAX_CHAIN};
use crate::module::{Case, Expr, ExprId, Handler, Stmt, StmtId, WithItem};
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

impl<'a> Lowerer<'a> {
    pub(super) fn else_body(&mut self, node: NodeId) -> Vec<StmtId> {
        match self.tree.child_of_kind(node, Kind::ElseClause) {
            Some(clause) => self.suite(clause, Field::Body),
            None => Vec::new(),
        }
    }

    pub(super) fn if_statement(&mut self, node: NodeId) -> StmtId {
        let tree = self.tree;
        let mut branches: Vec<(NodeId, ExprId, Vec<StmtId>)> = Vec::new();
        let mut orelse = Vec::new();
        let clauses = tree.children_in(node, Field::Alternative);
        for clause in std::iter::once(node).chain(clauses) {
            if branches.len() >= MAX_CHAIN {
                self.note(self.span(clause), "too many statically nested blocks");
                break;
            }
            if self.kind(clause) == Kind::ElseClause {
                orelse = self.suite(clause, Field::Body);
                continue;
            }
            let test = self.child(clause, Field::Condition);
            let test = self.expr_or_error(test, clause);
            let body = self.suite(clause, Field::Consequence);
            branches.push((clause, test, body));
        }
        // `elif` is an `if` inside the `else` before it.
        let mut made = None;
        for (clause, test, body) in branches.into_iter().rev() {
            let span = self.until(clause, orelse.last().or(body.last()));
            let id = self.push_stmt(Stmt::If { test, body, orelse }, span);
            orelse = vec![id];
            made = Some(id);
        }
        match made {
            Some(id) => id,
            None => self.push_stmt(Stmt::Error, self.span(node)),
        }
    }

    pub(super) fn with_items(&mut self, node: NodeId) -> Vec<WithItem> {
        let tree = self.tree;
        let Some(clause) = tree.child_of_kind(node, Kind::WithClause) else {
            return Vec::new();
        };
        let values: Vec<NodeId> = tree
            .named(clause)
            .filter(|item| tree.kind(*item) == Kind::WithItem)
            .filter_map(|item| self.child(item, Field::Value))
            .collect();
        let parentheses = [Kind::OpenParen, Kind::CloseParen].map(|token| tree.child_of_kind(clause, token));
        // `with (a := b, c):` is one item, a tuple.
        if let [Some(open), Some(close)] = parentheses
            && let [_, _, ..] = values.as_slice()
            && values.iter().any(|value| self.kind(*value) == Kind::NamedExpression)
        {
            let span = Span { start: self.span(open).start, end: self.span(close).end };
            let items = values.iter().map(|value| self.expr(*value)).collect();
            let context = self.push(Expr::Tuple(items), span);
            return vec![WithItem { context, target: None }];
        }
        // `with (a, b):` is two items, not a tuple, unless an element could not stand alone.
        if let [only] = values.as_slice()
            && tree.kind(*only) == Kind::Tuple
            && !self.has_token(clause, Kind::OpenParen)
        {
            let elements: Vec<NodeId> = tree.named(*only).collect();
            let stands_alone = |element: &NodeId| {
                !matches!(
                    tree.kind(*element),
                    Kind::NamedExpression | Kind::ListSplat | Kind::ListSplatPattern | Kind::Yield
                )
            };
            if !elements.is_empty() && elements.iter().all(stands_alone) {
                return elements.into_iter().map(|element| self.with_item(element)).collect();
            }
        }
        // `with (a as b):` has its parentheses around the item.
        values
            .into_iter()
            .map(|value| match (self.kind(value), tree.named(value).next()) {
                (Kind::ParenthesizedExpression, Some(inner)) if self.kind(inner) == Kind::AsPattern => {
                    self.with_item(inner)
                }
                _ => self.with_item(value),
            })
            .collect()
    }

    fn with_item(&mut self, value: NodeId) -> WithItem {
        if self.kind(value) == Kind::AsPattern {
            let context = self.tree.named(value).next();
            let context = self.expr_or_error(context, value);
            let target = self.child(value, Field::Alias).map(|alias| self.target(alias));
            return WithItem { context, target };
        }
        WithItem { context: self.expr(value), target: None }
    }

    pub(super) fn try_statement(&mut self, node: NodeId) -> StmtId {
        let tree = self.tree;
        let body = self.suite(node, Field::Body);
        let mut handlers: Vec<Handler> = Vec::new();
        let mut is_star = false;
        let mut has_finally = false;
        let mut orelse = Vec::new();
        let mut finalbody = Vec::new();
        for clause in tree.named(node) {
            match self.kind(clause) {
                Kind::ExceptClause => {
                    if handlers.last().is_some_and(|last| last.class.is_none()) {
                        self.note(self.span(clause), "default 'except:' must be last");
                    }
                    let star = self.has_token(clause, Kind::Star);
                    if is_star != star && !handlers.is_empty() {
                        let message = "cannot have both 'except' and 'except*' on the same 'try'";
                        self.note(self.span(clause), message);
                    }
                    is_star |= star;
                    let handler = self.handler(clause);
                    handlers.push(handler);
                }
                Kind::ElseClause => orelse = self.suite(clause, Field::Body),
                Kind::FinallyClause => {
                    has_finally = true;
                    finalbody = self.suite(clause, Field::Body);
                }
                _ => {}
            }
        }
        if handlers.is_empty() && !has_finally {
            let end = self.span(node).end;
            let message = "expected 'except' or 'finally' block";
            self.note(Span { start: end, end }, message);
        }
        let last_handler = handlers.last().and_then(|handler| handler.body.last());
        let last = finalbody.last().or(orelse.last()).or(last_handler).or(body.last());
        let span = self.until(node, last);
        if !handlers.is_empty() {
            self.code().handles = true;
        }
        self.push_stmt(Stmt::Try { body, handlers, orelse, finalbody, is_star }, span)
    }

    fn handler(&mut self, clause: NodeId) -> Handler {
        let tree = self.tree;
        let mut values = tree.children_in(clause, Field::Value).filter(|value| tree.kind(*value).is_named());
        let (value, second) = (values.next(), values.next());
        if second.is_some() {
            self.note(self.span(clause), "multiple exception types must be parenthesized");
        }
        let mut alias = self.child(clause, Field::Alias);
        let class = match value {
            Some(value) if self.kind(value) == Kind::AsPattern => {
                alias = self.child(value, Field::Alias);
                let class = tree.named(value).next();
                Some(self.expr_or_error(class, value))
            }
            Some(value) => Some(self.expr(value)),
            None => None,
        };
        let name = alias.and_then(|alias| {
            let name = match self.kind(alias) {
                Kind::AsPatternTarget => tree.named(alias).next()?,
                _ => alias,
            };
            (self.kind(name) == Kind::Identifier && !self.is_missing(name)).then(|| self.bind(name))
        });
        let body = self.suite(clause, Field::Body);
        let span = self.until(clause, body.last());
        Handler { class, name, body, span }
    }

    pub(super) fn match_statement(&mut self, node: NodeId) -> StmtId {
        let tree = self.tree;
        let subjects: Vec<NodeId> = tree.children_in(node, Field::Subject).collect();
        let comma = tree.all_children(node).filter(|child| tree.kind(*child) == Kind::Comma).last();
        let subject = match subjects.as_slice() {
            [only] if comma.is_none() && !matches!(tree.kind(*only), Kind::ListSplat | Kind::ListSplatPattern) => {
                self.expr(*only)
            }
            [] => self.expr_or_error(None, node),
            [first, .., last] | [first @ last] => {
                let end = comma.map_or(0, |comma| self.span(comma).end).max(self.span(*last).end);
                let span = Span { start: self.span(*first).start, end };
                let items = subjects.iter().map(|subject| self.expr(*subject)).collect();
                self.push(Expr::Tuple(items), span)
            }
        };
        let mut cases = Vec::new();
        if let Some(block) = tree.child_of_kind(node, Kind::Block) {
            for clause in tree.named(block).filter(|clause| tree.kind(*clause) == Kind::CaseClause) {
                let pattern = self.case_patterns(clause);
                let guard = self.child(clause, Field::Guard).and_then(|guard| tree.named(guard).next());
                let guard = guard.map(|guard| self.expr(guard));
                let body = self.suite(clause, Field::Consequence);
                cases.push(Case { pattern, guard, body });
            }
        }
        let span = self.until(node, cases.last().and_then(|case: &Case| case.body.last()));
        self.push_stmt(Stmt::Match(subject, cases), span)
    }
}
