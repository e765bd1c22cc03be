//! Statements.

use super::expr::augmented_op;
use super::params::Written;
use super::scope::flag;
use super::{Lowerer, literal};
use crate::module::{
    Alias, Arg, Body, Case, ClassDef, CodeKind, Expr, ExprId, FunctionDef, Handler, Stmt, StmtId,
    Symbol, Target, WithItem,
};
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

impl<'a> Lowerer<'a> {
    /// Lowers the statements of a block (or of the file).
    pub(super) fn block(&mut self, node: NodeId) -> Vec<StmtId> {
        let tree = self.tree;
        let mut out = Vec::new();
        for child in tree.all_children(node) {
            let kind = self.kind(child);
            if kind.is_named() {
                let docstring = out.is_empty()
                    && kind == Kind::ExpressionStatement
                    && tree.named(child).all(|value| {
                        matches!(tree.kind(value), Kind::String | Kind::ConcatenatedString)
                    });
                self.future_allowed &= docstring || kind == Kind::FutureImportStatement;
                self.stmt(child, &mut out);
            }
        }
        out
    }

    /// The block that a clause ends in.
    fn suite(&mut self, node: NodeId, field: Field) -> Vec<StmtId> {
        let body = self
            .child(node, field)
            .or_else(|| self.tree.child_of_kind(node, Kind::Block));
        match body {
            Some(body) => self.block(body),
            None => Vec::new(),
        }
    }

    /// A range that starts where `node` does and ends where the last of its statements does, with
    /// the semicolon behind it.
    fn until(&self, node: NodeId, last: Option<&StmtId>) -> Span {
        let span = self.span(node);
        let end = last.map_or(span.end, |last| self.module.stmt_spans[last.index()].end);
        let rest = self.text.as_bytes().get(end as usize..).unwrap_or(&[]);
        let blanks = rest
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
        let semicolon = rest.get(blanks) == Some(&b';');
        Span {
            start: span.start,
            end: if semicolon {
                end + blanks as u32 + 1
            } else {
                end
            },
        }
    }

    fn stmt(&mut self, node: NodeId, out: &mut Vec<StmtId>) {
        let span = self.span(node);
        if self
            .deeper(span, |this| this.stmt_inside(node, out))
            .is_none()
        {
            let error = self.push_stmt(Stmt::Error, span);
            out.push(error);
        }
    }

    fn stmt_inside(&mut self, node: NodeId, out: &mut Vec<StmtId>) {
        let tree = self.tree;
        let span = self.span(node);
        let first = || tree.named(node).next();
        let stmt = match self.kind(node) {
            Kind::ExpressionStatement => self.expression_statement(node),
            Kind::ReturnStatement => {
                match self.scopes.kind(self.scope) {
                    CodeKind::Function => {}
                    _ => self.note(span, "'return' outside function"),
                }
                Stmt::Return(first().map(|value| self.value(value)))
            }
            Kind::IfStatement => {
                let id = self.if_statement(node);
                out.push(id);
                return;
            }
            Kind::ForStatement => {
                let iter = self.child(node, Field::Right);
                let iter = self.expr_or_error(iter, node);
                let target = match self.child(node, Field::Left) {
                    Some(left) => self.target(left),
                    None => Target::Error(span),
                };
                let is_async = self.has_token(node, Kind::KwAsync);
                if is_async {
                    self.note_async(span, "async for");
                }
                self.loops += 1;
                let body = self.suite(node, Field::Body);
                self.loops -= 1;
                let orelse = self.else_body(node);
                let span = self.until(node, orelse.last().or(body.last()));
                out.push(self.push_stmt(
                    Stmt::For {
                        target,
                        iter,
                        body,
                        orelse,
                        is_async,
                    },
                    span,
                ));
                return;
            }
            Kind::WhileStatement => {
                let test = self.child(node, Field::Condition);
                let test = self.expr_or_error(test, node);
                self.loops += 1;
                let body = self.suite(node, Field::Body);
                self.loops -= 1;
                let orelse = self.else_body(node);
                let span = self.until(node, orelse.last().or(body.last()));
                out.push(self.push_stmt(Stmt::While { test, body, orelse }, span));
                return;
            }
            Kind::WithStatement => {
                let is_async = self.has_token(node, Kind::KwAsync);
                if is_async {
                    self.note_async(span, "async with");
                }
                let items = self.with_items(node);
                let body = self.suite(node, Field::Body);
                let span = self.until(node, body.last());
                out.push(self.push_stmt(
                    Stmt::With {
                        items,
                        body,
                        is_async,
                    },
                    span,
                ));
                return;
            }
            Kind::TryStatement => {
                let id = self.try_statement(node);
                out.push(id);
                return;
            }
            Kind::MatchStatement => {
                let id = self.match_statement(node);
                out.push(id);
                return;
            }
            Kind::FunctionDefinition => {
                self.function(node, Box::default(), out);
                return;
            }
            Kind::ClassDefinition => {
                self.class(node, Box::default(), out);
                return;
            }
            Kind::DecoratedDefinition => {
                self.decorated(node, out);
                return;
            }
            Kind::ImportStatement => {
                self.note_trailing_comma(node);
                let names = tree
                    .children_in(node, Field::Name)
                    .filter(|name| !self.is_missing(*name))
                    .collect::<Vec<_>>()
                    .into_iter()
                    .filter(|name| !self.is_missing(*name))
                    .collect::<Vec<_>>()
                    .into_iter()
                    .map(|name| self.import_alias(name))
                    .collect();
                Stmt::Import(names)
            }
            Kind::ImportFromStatement => self.import_from(node),
            Kind::FutureImportStatement => self.future_import(node),
            Kind::AssertStatement => {
                let mut parts = tree.named(node);
                let (test, message) = (parts.next(), parts.next());
                let test = self.expr_or_error(test, node);
                Stmt::Assert(test, message.map(|message| self.expr(message)))
            }
            Kind::DeleteStatement => self.delete(node),
            Kind::RaiseStatement => {
                let cause = self.child(node, Field::Cause);
                let exception = first().filter(|exception| Some(*exception) != cause);
                let exception = exception.map(|exception| self.expr(exception));
                Stmt::Raise(exception, cause.map(|cause| self.expr(cause)))
            }
            Kind::PassStatement => Stmt::Pass,
            Kind::BreakStatement => {
                if self.loops == 0 {
                    self.note(span, "'break' outside loop");
                }
                Stmt::Break
            }
            Kind::ContinueStatement => {
                if self.loops == 0 {
                    self.note(span, "'continue' not properly in loop");
                }
                Stmt::Continue
            }
            Kind::GlobalStatement | Kind::NonlocalStatement => {
                self.global(node);
                Stmt::Pass
            }
            Kind::TypeAliasStatement => self.type_alias(node),
            Kind::PrintStatement => {
                let message = "Missing parentheses in call to 'print'. Did you mean print(...)?";
                self.note(span, message);
                let parts = tree.named(node).map(|part| self.expr(part)).collect();
                Stmt::Expr(self.unknown(parts, span))
            }
            Kind::ExecStatement => {
                self.note(
                    span,
                    "Missing parentheses in call to 'exec'. Did you mean exec(...)?",
                );
                Stmt::Error
            }
            _ => Stmt::Error,
        };
        out.push(self.push_stmt(stmt, span));
    }

    fn expression_statement(&mut self, node: NodeId) -> Stmt {
        let tree = self.tree;
        let Some(first) = tree.named(node).next() else {
            return Stmt::Error;
        };
        match self.kind(first) {
            Kind::Assignment => self.assignment(first),
            Kind::AugmentedAssignment => self.augmented(first),
            _ if self.has_token(node, Kind::Comma) => {
                let items = tree.named(node).map(|item| self.expr(item)).collect();
                let tuple = self.push(Expr::Tuple(items), self.span(node));
                Stmt::Expr(tuple)
            }
            _ => Stmt::Expr(self.value(first)),
        }
    }

    /// An expression that cannot be starred.
    fn value(&mut self, node: NodeId) -> ExprId {
        let value = self.expr(node);
        if matches!(self.module.expr(value), Expr::Starred(_)) {
            self.note(self.span(node), "can't use starred expression here");
        }
        value
    }

    fn note_async(&mut self, span: Span, what: &str) {
        if !self.code().is_async {
            self.note(span, format!("'{what}' outside async function"));
        }
    }

    fn note_trailing_comma(&mut self, node: NodeId) {
        let last = self.tree.children(node).last();
        if let Some(comma) = last.filter(|last| self.kind(*last) == Kind::Comma) {
            let message = "trailing comma not allowed without surrounding parentheses";
            self.note(self.span(comma), message);
        }
    }

    fn assignment(&mut self, node: NodeId) -> Stmt {
        if let Some(annotation) = self.child(node, Field::Type) {
            let left = self.child(node, Field::Left);
            let simple = left.is_some_and(|left| self.kind(left) == Kind::Identifier);
            let value = self.child(node, Field::Right).map(|right| self.expr(right));
            let annotation = self.annotation(annotation);
            let target = match left {
                // `(x): int` declares nothing.
                Some(left) if !simple && value.is_none() => self.unbound_target(left),
                Some(left) => self.target(left),
                None => Target::Error(self.span(node)),
            };
            if simple {
                self.mark_annotated(&target);
            }
            return Stmt::AnnAssign {
                target,
                annotation,
                value,
            };
        }
        let mut lefts: Vec<NodeId> = Vec::new();
        let mut at = node;
        let value = loop {
            lefts.extend(self.child(at, Field::Left));
            match self.child(at, Field::Right) {
                Some(right)
                    if self.kind(right) == Kind::Assignment
                        && self.child(right, Field::Type).is_none() =>
                {
                    at = right;
                }
                Some(right)
                    if matches!(
                        self.kind(right),
                        Kind::Assignment | Kind::AugmentedAssignment
                    ) =>
                {
                    let span = self.span(right);
                    self.note(span, "invalid syntax");
                    break self.error(span);
                }
                Some(right) => break self.value(right),
                None => break self.expr_or_error(None, node),
            }
        };
        let targets: Box<[Target]> = lefts.into_iter().map(|left| self.target(left)).collect();
        for target in &targets {
            if let Target::Starred(_, span) = target {
                self.note(
                    *span,
                    "starred assignment target must be in a list or tuple",
                );
            }
        }
        Stmt::Assign(targets, value)
    }

    fn augmented(&mut self, node: NodeId) -> Stmt {
        let value = self.child(node, Field::Right);
        let value = self.expr_or_error(value, node);
        let op = self
            .child(node, Field::Operator)
            .and_then(|op| augmented_op(self.kind(op)));
        let (Some(left), Some(op)) = (self.child(node, Field::Left), op) else {
            return Stmt::Error;
        };
        let target = self.target(left);
        match &target {
            Target::Tuple(_, span) | Target::Starred(_, span) => {
                self.note(
                    *span,
                    "'tuple' is an illegal expression for augmented assignment",
                );
            }
            _ => self.mark_read(&target),
        }
        Stmt::AugAssign { target, op, value }
    }

    fn delete(&mut self, node: NodeId) -> Stmt {
        let tree = self.tree;
        let Some(first) = tree.named(node).next() else {
            return Stmt::Error;
        };
        let outer = std::mem::replace(&mut self.verb, "delete");
        let targets = if self.kind(first) == Kind::ExpressionList {
            tree.named(first).map(|item| self.target(item)).collect()
        } else {
            Box::new([self.target(first)]) as Box<[Target]>
        };
        self.verb = outer;
        Stmt::Delete(targets)
    }

    fn global(&mut self, node: NodeId) {
        let tree = self.tree;
        let (how, word) = match self.kind(node) {
            Kind::GlobalStatement => (flag::GLOBAL, "global"),
            _ => (flag::NONLOCAL, "nonlocal"),
        };
        for name in tree.named(node) {
            if self.is_missing(name) {
                continue;
            }
            let span = self.span(name);
            let symbol = self.symbol(self.node_text(name));
            let flags = self.scopes.flags(self.scope, symbol);
            let complaint = if flags & flag::PARAM != 0 {
                Some(format!("name '{symbol}' is parameter and {word}"))
            } else if flags & flag::ANNOTATED != 0 {
                Some(format!("annotated name '{symbol}' can't be {word}"))
            } else if flags & flag::BOUND != 0 {
                Some(format!(
                    "name '{symbol}' is assigned to before {word} declaration"
                ))
            } else if flags & flag::USED != 0 {
                Some(format!(
                    "name '{symbol}' is used prior to {word} declaration"
                ))
            } else if (flags | how) & (flag::GLOBAL | flag::NONLOCAL)
                == flag::GLOBAL | flag::NONLOCAL
            {
                Some(format!("name '{symbol}' is nonlocal and global"))
            } else {
                None
            };
            if let Some(complaint) = complaint {
                self.note(span, complaint);
            }
            if how == flag::NONLOCAL && self.scopes.kind(self.scope) == CodeKind::Module {
                self.note(span, "nonlocal declaration not allowed at module level");
                continue;
            }
            self.scopes.mention(self.scope, symbol, how);
            if how == flag::NONLOCAL {
                self.nonlocals.push((self.scope, symbol, span));
            }
        }
    }

    // ---- compound statements ----

    fn else_body(&mut self, node: NodeId) -> Vec<StmtId> {
        match self.tree.child_of_kind(node, Kind::ElseClause) {
            Some(clause) => self.suite(clause, Field::Body),
            None => Vec::new(),
        }
    }

    fn if_statement(&mut self, node: NodeId) -> StmtId {
        let tree = self.tree;
        let mut branches: Vec<(NodeId, ExprId, Vec<StmtId>)> = Vec::new();
        let mut orelse = Vec::new();
        let clauses = tree.children_in(node, Field::Alternative);
        for clause in std::iter::once(node).chain(clauses) {
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

    fn with_items(&mut self, node: NodeId) -> Vec<WithItem> {
        let tree = self.tree;
        let Some(clause) = tree.child_of_kind(node, Kind::WithClause) else {
            return Vec::new();
        };
        let values: Vec<NodeId> = tree
            .named(clause)
            .filter(|item| tree.kind(*item) == Kind::WithItem)
            .filter_map(|item| self.child(item, Field::Value))
            .collect();
        let parentheses =
            [Kind::OpenParen, Kind::CloseParen].map(|token| tree.child_of_kind(clause, token));
        // `with (a := b, c):` is one item, a tuple.
        if let [Some(open), Some(close)] = parentheses
            && let [_, _, ..] = values.as_slice()
            && values
                .iter()
                .any(|value| self.kind(*value) == Kind::NamedExpression)
        {
            let span = Span {
                start: self.span(open).start,
                end: self.span(close).end,
            };
            let items = values.iter().map(|value| self.expr(*value)).collect();
            let context = self.push(Expr::Tuple(items), span);
            return vec![WithItem {
                context,
                target: None,
            }];
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
                return elements
                    .into_iter()
                    .map(|element| self.with_item(element))
                    .collect();
            }
        }
        // `with (a as b):` has its parentheses around the item.
        values
            .into_iter()
            .map(|value| match (self.kind(value), tree.named(value).next()) {
                (Kind::ParenthesizedExpression, Some(inner))
                    if self.kind(inner) == Kind::AsPattern =>
                {
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
            let target = self
                .child(value, Field::Alias)
                .map(|alias| self.target(alias));
            return WithItem { context, target };
        }
        WithItem {
            context: self.expr(value),
            target: None,
        }
    }

    fn try_statement(&mut self, node: NodeId) -> StmtId {
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
        let last = finalbody
            .last()
            .or(orelse.last())
            .or(last_handler)
            .or(body.last());
        let span = self.until(node, last);
        self.push_stmt(
            Stmt::Try {
                body,
                handlers,
                orelse,
                finalbody,
                is_star,
            },
            span,
        )
    }

    fn handler(&mut self, clause: NodeId) -> Handler {
        let tree = self.tree;
        let mut values = tree
            .children_in(clause, Field::Value)
            .filter(|value| tree.kind(*value).is_named());
        let (value, second) = (values.next(), values.next());
        if second.is_some() {
            self.note(
                self.span(clause),
                "multiple exception types must be parenthesized",
            );
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
        Handler {
            class,
            name,
            body,
            span,
        }
    }

    fn match_statement(&mut self, node: NodeId) -> StmtId {
        let tree = self.tree;
        let subjects: Vec<NodeId> = tree.children_in(node, Field::Subject).collect();
        let comma = tree
            .all_children(node)
            .filter(|child| tree.kind(*child) == Kind::Comma)
            .last();
        let subject = match subjects.as_slice() {
            [only]
                if comma.is_none()
                    && !matches!(tree.kind(*only), Kind::ListSplat | Kind::ListSplatPattern) =>
            {
                self.expr(*only)
            }
            [] => self.expr_or_error(None, node),
            [first, .., last] | [first @ last] => {
                let end = comma
                    .map_or(0, |comma| self.span(comma).end)
                    .max(self.span(*last).end);
                let span = Span {
                    start: self.span(*first).start,
                    end,
                };
                let items = subjects.iter().map(|subject| self.expr(*subject)).collect();
                self.push(Expr::Tuple(items), span)
            }
        };
        let mut cases = Vec::new();
        if let Some(block) = tree.child_of_kind(node, Kind::Block) {
            for clause in tree
                .named(block)
                .filter(|clause| tree.kind(*clause) == Kind::CaseClause)
            {
                let pattern = self.case_patterns(clause);
                let guard = self
                    .child(clause, Field::Guard)
                    .and_then(|guard| tree.named(guard).next());
                let guard = guard.map(|guard| self.expr(guard));
                let body = self.suite(clause, Field::Consequence);
                cases.push(Case {
                    pattern,
                    guard,
                    body,
                });
            }
        }
        let span = self.until(node, cases.last().and_then(|case: &Case| case.body.last()));
        self.push_stmt(Stmt::Match(subject, cases), span)
    }

    // ---- definitions ----

    fn decorated(&mut self, node: NodeId, out: &mut Vec<StmtId>) {
        let tree = self.tree;
        let decorators: Box<[ExprId]> = tree
            .named(node)
            .filter(|child| tree.kind(*child) == Kind::Decorator)
            .map(|decorator| self.expr_or_error(tree.named(decorator).next(), decorator))
            .collect();
        match self.child(node, Field::Definition) {
            Some(definition) if self.kind(definition) == Kind::ClassDefinition => {
                self.class(definition, decorators, out);
            }
            Some(definition) => self.function(definition, decorators, out),
            None => {
                let error = self.push_stmt(Stmt::Error, self.span(node));
                out.push(error);
            }
        }
    }

    fn function(&mut self, node: NodeId, decorators: Box<[ExprId]>, out: &mut Vec<StmtId>) {
        let span = self.span(node);
        let Some(name_node) = self.child(node, Field::Name) else {
            let error = self.push_stmt(Stmt::Error, span);
            out.push(error);
            return;
        };
        let (place, _) = self.bind(name_node);
        let name = self.plain_symbol(self.node_text(name_node));
        let opened = self.open_type_parameters(self.child(node, Field::TypeParameters), out);
        let Written { params, defaults } = self.parameters(self.child(node, Field::Parameters));
        let returns = self
            .child(node, Field::ReturnType)
            .map(|returns| self.annotation(returns));
        let name_span = self.span(name_node);
        let code = self.open_code(CodeKind::Function, name.as_str(), span, name_span);
        self.code().is_async = self.has_token(node, Kind::KwAsync);
        self.enter_params(params);
        let loops = std::mem::take(&mut self.loops);
        let body = self.suite(node, Field::Body);
        self.loops = loops;
        let span = self.until(node, body.last());
        self.code().span = span;
        self.close_body(Body::Block(body));
        self.close_type_parameters(opened);
        let def = FunctionDef {
            code,
            decorators,
            defaults,
            returns,
            place,
            name,
        };
        let stmt = self.push_stmt(Stmt::FunctionDef(Box::new(def)), span);
        out.push(stmt);
    }

    fn class(&mut self, node: NodeId, decorators: Box<[ExprId]>, out: &mut Vec<StmtId>) {
        let span = self.span(node);
        let Some(name_node) = self.child(node, Field::Name) else {
            let error = self.push_stmt(Stmt::Error, span);
            out.push(error);
            return;
        };
        let (place, _) = self.bind(name_node);
        let text = self.node_text(name_node);
        let name = self.plain_symbol(text);
        let opened = self.open_type_parameters(self.child(node, Field::TypeParameters), out);
        let args: Box<[Arg]> = match self.child(node, Field::Superclasses) {
            Some(superclasses) => self.arguments(superclasses),
            None => Box::default(),
        };
        let name_span = self.span(name_node);
        let code = self.open_code(CodeKind::Class, name.as_str(), span, name_span);
        let outer_class = self.class_name.replace(text);
        let loops = std::mem::take(&mut self.loops);
        let body = self.suite(node, Field::Body);
        self.loops = loops;
        self.class_name = outer_class;
        let span = self.until(node, body.last());
        self.code().span = span;
        self.close_body(Body::Block(body));
        self.close_type_parameters(opened);
        let def = ClassDef {
            code,
            decorators,
            args,
            place,
            name,
        };
        let stmt = self.push_stmt(Stmt::ClassDef(Box::new(def)), span);
        out.push(stmt);
    }

    /// `type X = …`: binds the name to something unknown (the alias is evaluated lazily, if ever).
    fn type_alias(&mut self, node: NodeId) -> Stmt {
        let tree = self.tree;
        let span = self.span(node);
        let right = self.child(node, Field::Right);
        let Some(left) = self
            .child(node, Field::Left)
            .and_then(|left| tree.named(left).next())
        else {
            return Stmt::Error;
        };
        let name = match self.kind(left) {
            Kind::Identifier => left,
            Kind::GenericType => tree.named(left).next().unwrap_or(left),
            _ => {
                self.note(span, "invalid syntax");
                return Stmt::Error;
            }
        };
        let target = self.target(name);
        let value = self.error(right.map_or(span, |right| self.span(right)));
        Stmt::Assign(Box::new([target]), value)
    }

    // ---- imports ----

    fn dotted_symbol(&self, node: NodeId) -> Symbol {
        let text = self.node_text(node);
        if text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.')
        {
            return Symbol::from(text);
        }
        let names: Vec<String> = self
            .tree
            .named(node)
            .map(|name| literal::nfkc(self.node_text(name)))
            .collect();
        Symbol::from(&names.join("."))
    }

    fn import_alias(&mut self, node: NodeId) -> Alias {
        let span = self.span(node);
        let (dotted, asname) = self.alias_parts(node);
        let name = self.dotted_symbol(dotted);
        let (place, asname) = match asname {
            Some(asname) => {
                let (place, symbol) = self.bind(asname);
                (place, Some(symbol))
            }
            None => {
                let first = name.as_str().split('.').next().unwrap_or("");
                let symbol = self.symbol(first);
                (self.bind_name(symbol), None)
            }
        };
        Alias {
            name,
            asname,
            place,
            span,
        }
    }

    fn from_alias(&mut self, node: NodeId) -> Alias {
        let span = self.span(node);
        let (dotted, asname) = self.alias_parts(node);
        let name = self.dotted_symbol(dotted);
        if name.as_str().contains('.') {
            self.note(self.span(dotted), "invalid syntax");
        }
        let (place, asname) = match asname {
            Some(asname) => {
                let (place, symbol) = self.bind(asname);
                (place, Some(symbol))
            }
            None => {
                let symbol = self.symbol(name.as_str());
                (self.bind_name(symbol), None)
            }
        };
        Alias {
            name,
            asname,
            place,
            span,
        }
    }

    fn alias_parts(&self, node: NodeId) -> (NodeId, Option<NodeId>) {
        if self.kind(node) == Kind::AliasedImport {
            (
                self.child(node, Field::Name).unwrap_or(node),
                self.child(node, Field::Alias),
            )
        } else {
            (node, None)
        }
    }

    fn import_from(&mut self, node: NodeId) -> Stmt {
        let tree = self.tree;
        self.note_trailing_comma(node);
        let mut level = 0;
        let mut module = Symbol::from("");
        if let Some(source) = self.child(node, Field::ModuleName) {
            let dotted = if self.kind(source) == Kind::RelativeImport {
                if let Some(prefix) = tree.child_of_kind(source, Kind::ImportPrefix) {
                    level = self
                        .node_text(prefix)
                        .bytes()
                        .filter(|b| *b == b'.')
                        .count() as u32;
                }
                tree.child_of_kind(source, Kind::DottedName)
            } else {
                Some(source)
            };
            if let Some(dotted) = dotted {
                module = self.dotted_symbol(dotted);
            }
        }
        if tree.child_of_kind(node, Kind::WildcardImport).is_some() {
            if self.scopes.kind(self.scope) != CodeKind::Module {
                self.note(self.span(node), "import * only allowed at module level");
            }
            return Stmt::ImportStar { module, level };
        }
        let names = tree
            .children_in(node, Field::Name)
            .filter(|name| !self.is_missing(*name))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|name| self.from_alias(name))
            .collect();
        Stmt::ImportFrom {
            module,
            level,
            names,
        }
    }

    fn future_import(&mut self, node: NodeId) -> Stmt {
        let tree = self.tree;
        let names: Box<[Alias]> = tree
            .children_in(node, Field::Name)
            .filter(|name| !self.is_missing(*name))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|name| self.from_alias(name))
            .collect();
        for alias in &names {
            match alias.name.as_str() {
                "annotations" => self.module.future_annotations = true,
                "nested_scopes" | "generators" | "division" | "absolute_import"
                | "with_statement" | "print_function" | "unicode_literals" | "barry_as_FLUFL"
                | "generator_stop" => {}
                "braces" => self.note(alias.span, "not a chance"),
                name => self.note(alias.span, format!("future feature {name} is not defined")),
            }
        }
        if !self.future_allowed {
            let message = "from __future__ imports must occur at the beginning of the file";
            self.note(self.span(node), message);
        }
        Stmt::ImportFrom {
            module: Symbol::from("__future__"),
            level: 0,
            names,
        }
    }
}
