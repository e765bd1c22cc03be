//! Statements.

use super::super::prepare::Word;
use super::{Descent, Id};
use crate::syntax::{Field, Kind};

impl Descent<'_> {
    /// The logical lines that are indented so far.
    pub(super) fn statements(&mut self, parent: Id, column: usize) -> Option<()> {
        while let Some(line) = self.lines.get(self.line).filter(|line| line.column >= column) {
            if line.column > column || (line.opens && matches!(line.word, Word::Match | Word::Case)) {
                return None;
            }
            self.enter_line();
            match self.token {
                Kind::KwIf
                | Kind::KwFor
                | Kind::KwWhile
                | Kind::KwTry
                | Kind::KwWith
                | Kind::KwDef
                | Kind::KwClass
                | Kind::KwAsync
                | Kind::At => {
                    let statement = self.deeper(|this| this.compound(column))?;
                    self.put(parent, statement, Field::None);
                }
                _ => self.simple_statements(parent)?,
            }
        }
        Some(())
    }

    /// Begins to read the next logical line.
    fn enter_line(&mut self) {
        let line = &self.lines[self.line];
        self.line += 1;
        (self.end, self.limit) = (line.start, line.end);
        self.advance();
    }

    /// Begins to read the next logical line, where it begins so and belongs to a statement of this column.
    fn clause(&mut self, column: usize, word: Word) -> bool {
        let there = self.lines.get(self.line).is_some_and(|line| line.column == column && line.word == word);
        if there {
            self.enter_line();
        }
        there
    }

    /// Statements on one line.
    fn simple_statements(&mut self, parent: Id) -> Option<()> {
        loop {
            let statement = self.simple()?;
            self.put(parent, statement, Field::None);
            let more = self.skip(Kind::Semicolon);
            if self.token == Kind::Other {
                return Some(());
            }
            if !more {
                return None;
            }
        }
    }

    /// The colon of a header, and the statements behind it.
    fn suite(&mut self, column: usize) -> Option<Id> {
        self.expect(Kind::Colon)?;
        if self.token != Kind::Other {
            let block = self.open(Kind::Block);
            self.simple_statements(block)?;
            return Some(self.close(block));
        }
        let first = self.lines.get(self.line).filter(|line| line.column > column)?;
        let (start, inner) = (first.start, first.column);
        let block = self.make(Kind::Block, start, start);
        if let Some((body, rest)) = self.bodies.split_first()
            && body.0 == start
        {
            self.bodies = rest;
            let end = start + "pass".len();
            let pass = self.make(Kind::PassStatement, start, end);
            self.put(block, pass, Field::None);
            self.line += self.lines[self.line..].iter().take_while(|line| line.start < body.1).count();
            self.last = end;
        } else {
            self.statements(block, inner)?;
        }
        Some(self.close(block))
    }

    fn compound(&mut self, column: usize) -> Option<Id> {
        match self.token {
            Kind::KwIf => self.if_(column),
            Kind::KwWhile => {
                let node = self.open(Kind::WhileStatement);
                self.advance();
                let condition = self.named()?;
                self.put(node, condition, Field::Condition);
                self.loop_body(node, column)
            }
            Kind::KwTry => self.try_(column),
            Kind::KwClass => self.class(column),
            Kind::At => self.decorated(column),
            _ => {
                let node = self.open(Kind::Other);
                self.async_(node);
                match self.token {
                    Kind::KwFor => self.for_(node, column),
                    Kind::KwWith => self.with(node, column),
                    Kind::KwDef => self.function(node, column),
                    _ => None,
                }
            }
        }
    }

    fn if_(&mut self, column: usize) -> Option<Id> {
        let node = self.open(Kind::IfStatement);
        self.branch(node, column)?;
        while self.clause(column, Word::Elif) {
            let clause = self.open(Kind::ElifClause);
            self.branch(clause, column)?;
            self.put(node, clause, Field::Alternative);
        }
        self.else_(node, column)?;
        Some(self.close(node))
    }

    /// A condition and what it decides about.
    fn branch(&mut self, node: Id, column: usize) -> Option<()> {
        self.advance();
        let condition = self.named()?;
        self.put(node, condition, Field::Condition);
        let block = self.suite(column)?;
        self.put(node, block, Field::Consequence);
        self.close(node);
        Some(())
    }

    fn else_(&mut self, node: Id, column: usize) -> Option<()> {
        if self.clause(column, Word::Else) {
            let clause = self.open(Kind::ElseClause);
            self.advance();
            let block = self.suite(column)?;
            self.put(clause, block, Field::Body);
            self.close(clause);
            self.put(node, clause, Field::Alternative);
        }
        Some(())
    }

    fn loop_body(&mut self, node: Id, column: usize) -> Option<Id> {
        let block = self.suite(column)?;
        self.put(node, block, Field::Body);
        self.else_(node, column)?;
        Some(self.close(node))
    }

    fn for_(&mut self, node: Id, column: usize) -> Option<Id> {
        self.made[node as usize].kind = Kind::ForStatement;
        self.advance();
        let left = self.targets()?;
        self.put(node, left, Field::Left);
        self.expect(Kind::In)?;
        let right = self.expressions()?;
        self.put(node, right, Field::Right);
        self.loop_body(node, column)
    }

    fn try_(&mut self, column: usize) -> Option<Id> {
        let node = self.open(Kind::TryStatement);
        self.advance();
        let block = self.suite(column)?;
        self.put(node, block, Field::Body);
        while self.clause(column, Word::Except) {
            let clause = self.open(Kind::ExceptClause);
            self.advance();
            if self.token != Kind::Colon {
                let value = self.expression()?;
                let value = self.named_as(value, Self::identifier)?;
                self.put(clause, value, Field::Value);
            }
            let block = self.suite(column)?;
            self.put(clause, block, Field::None);
            self.close(clause);
            self.put(node, clause, Field::None);
        }
        self.else_(node, column)?;
        if self.clause(column, Word::Finally) {
            let clause = self.open(Kind::FinallyClause);
            self.advance();
            let block = self.suite(column)?;
            self.put(clause, block, Field::None);
            self.close(clause);
            self.put(node, clause, Field::None);
        }
        Some(self.close(node))
    }

    /// A value, with the name that it is given behind `as`.
    fn named_as(&mut self, value: Id, name: impl FnOnce(&mut Self) -> Option<Id>) -> Option<Id> {
        if !self.skip(Kind::KwAs) {
            return Some(value);
        }
        let node = self.wrap(Kind::AsPattern, value, Field::None);
        let target = self.open(Kind::AsPatternTarget);
        let name = name(self)?;
        self.put(target, name, Field::None);
        self.close(target);
        self.put(node, target, Field::Alias);
        Some(self.close(node))
    }

    fn with(&mut self, node: Id, column: usize) -> Option<Id> {
        self.made[node as usize].kind = Kind::WithStatement;
        self.advance();
        if self.token == Kind::OpenParen {
            return None;
        }
        let clause = self.open(Kind::WithClause);
        loop {
            let value = self.expression()?;
            let value = self.named_as(value, |this| {
                let target = this.expression()?;
                (this.is_target(target) && this.kind(target) != Kind::ListSplat).then_some(target)
            })?;
            let item = self.wrap(Kind::WithItem, value, Field::Value);
            self.close(item);
            self.put(clause, item, Field::None);
            if !self.skip(Kind::Comma) {
                break;
            }
        }
        self.close(clause);
        self.put(node, clause, Field::None);
        let block = self.suite(column)?;
        self.put(node, block, Field::Body);
        Some(self.close(node))
    }

    fn function(&mut self, node: Id, column: usize) -> Option<Id> {
        self.made[node as usize].kind = Kind::FunctionDefinition;
        self.advance();
        let name = self.identifier()?;
        self.put(node, name, Field::Name);
        let parameters = self.open(Kind::Parameters);
        self.expect(Kind::OpenParen)?;
        self.parameters(parameters, Kind::CloseParen)?;
        self.advance();
        self.close(parameters);
        self.put(node, parameters, Field::Parameters);
        if self.skip(Kind::Arrow) {
            let returns = self.annotation()?;
            self.put(node, returns, Field::ReturnType);
        }
        let block = self.suite(column)?;
        self.put(node, block, Field::Body);
        Some(self.close(node))
    }

    fn class(&mut self, column: usize) -> Option<Id> {
        let node = self.open(Kind::ClassDefinition);
        self.advance();
        let name = self.identifier()?;
        self.put(node, name, Field::Name);
        if self.token == Kind::OpenParen {
            let arguments = self.arguments()?;
            if self.kind(arguments) != Kind::ArgumentList {
                return None;
            }
            self.put(node, arguments, Field::Superclasses);
        }
        let block = self.suite(column)?;
        self.put(node, block, Field::Body);
        Some(self.close(node))
    }

    fn decorated(&mut self, column: usize) -> Option<Id> {
        let node = self.open(Kind::DecoratedDefinition);
        while self.token == Kind::At {
            let decorator = self.open(Kind::Decorator);
            self.advance();
            let value = self.named()?;
            self.put(decorator, value, Field::None);
            self.close(decorator);
            self.put(node, decorator, Field::None);
            let next = self.lines.get(self.line).filter(|line| line.column == column);
            if self.token != Kind::Other || next.is_none() {
                return None;
            }
            self.enter_line();
        }
        let definition = match self.token {
            Kind::KwClass => self.class(column)?,
            _ => {
                let function = self.open(Kind::Other);
                self.async_(function);
                if self.token != Kind::KwDef {
                    return None;
                }
                self.function(function, column)?
            }
        };
        self.put(node, definition, Field::Definition);
        Some(self.close(node))
    }

    fn simple(&mut self) -> Option<Id> {
        match self.token {
            Kind::KwPass => self.word(Kind::PassStatement),
            Kind::KwBreak => self.word(Kind::BreakStatement),
            Kind::KwContinue => self.word(Kind::ContinueStatement),
            Kind::KwReturn => {
                let node = self.open(Kind::ReturnStatement);
                self.advance();
                if !self.ends_list() {
                    let value = self.expressions()?;
                    self.put(node, value, Field::None);
                }
                Some(self.close(node))
            }
            Kind::KwRaise => {
                let node = self.open(Kind::RaiseStatement);
                self.advance();
                if !self.ends_list() {
                    let value = self.expression()?;
                    self.put(node, value, Field::None);
                    if self.skip(Kind::KwFrom) {
                        let cause = self.expression()?;
                        self.put(node, cause, Field::Cause);
                    }
                }
                Some(self.close(node))
            }
            Kind::KwAssert => {
                let node = self.open(Kind::AssertStatement);
                self.advance();
                let test = self.expression()?;
                self.put(node, test, Field::None);
                if self.skip(Kind::Comma) {
                    let message = self.expression()?;
                    self.put(node, message, Field::None);
                }
                Some(self.close(node))
            }
            Kind::KwDel => {
                let node = self.open(Kind::DeleteStatement);
                self.advance();
                let targets = self.expressions()?;
                if !self.is_target(targets) || self.has_star(targets) {
                    return None;
                }
                self.put(node, targets, Field::None);
                Some(self.close(node))
            }
            Kind::KwGlobal => self.declaration(Kind::GlobalStatement),
            Kind::KwNonlocal => self.declaration(Kind::NonlocalStatement),
            Kind::KwImport => {
                let node = self.open(Kind::ImportStatement);
                self.advance();
                self.import_names(node, Kind::Other)?;
                Some(self.close(node))
            }
            Kind::KwFrom => self.import_from(),
            _ => self.expression_statement(),
        }
    }

    fn word(&mut self, kind: Kind) -> Option<Id> {
        let node = self.leaf();
        self.made[node as usize].kind = kind;
        Some(node)
    }

    fn has_star(&self, id: Id) -> bool {
        let node = &self.made[id as usize];
        let mut child = node.first;
        while child != super::NONE {
            if self.has_star(child) {
                return true;
            }
            child = self.made[child as usize].next;
        }
        node.kind == Kind::ListSplat
    }

    fn declaration(&mut self, kind: Kind) -> Option<Id> {
        let node = self.open(kind);
        self.advance();
        loop {
            let name = self.identifier()?;
            self.put(node, name, Field::None);
            if !self.skip(Kind::Comma) {
                return Some(self.close(node));
            }
        }
    }

    /// The names of an import, up to a token that may follow a comma; at the end of a line none may.
    fn import_names(&mut self, node: Id, until: Kind) -> Option<()> {
        loop {
            let dotted = self.dotted_name()?;
            let name = if self.skip(Kind::KwAs) {
                let aliased = self.wrap(Kind::AliasedImport, dotted, Field::Name);
                let alias = self.identifier()?;
                self.put(aliased, alias, Field::Alias);
                self.close(aliased)
            } else {
                dotted
            };
            self.put(node, name, Field::Name);
            if !self.skip(Kind::Comma) || (until != Kind::Other && self.token == until) {
                return Some(());
            }
        }
    }

    fn dotted_name(&mut self) -> Option<Id> {
        let first = self.identifier()?;
        let node = self.wrap(Kind::DottedName, first, Field::None);
        while self.skip(Kind::Dot) {
            let name = self.identifier()?;
            self.put(node, name, Field::None);
        }
        Some(self.close(node))
    }

    fn import_from(&mut self) -> Option<Id> {
        let node = self.open(Kind::ImportFromStatement);
        self.advance();
        if matches!(self.token, Kind::Dot | Kind::Ellipsis) {
            let source = self.open(Kind::RelativeImport);
            let prefix = self.open(Kind::ImportPrefix);
            while matches!(self.token, Kind::Dot | Kind::Ellipsis) {
                self.advance();
            }
            self.close(prefix);
            self.put(source, prefix, Field::None);
            if self.token == Kind::Identifier {
                let name = self.dotted_name()?;
                self.put(source, name, Field::None);
            }
            self.close(source);
            self.put(node, source, Field::ModuleName);
        } else {
            let future = &self.src[self.start..self.end] == b"__future__";
            let name = self.dotted_name()?;
            if future {
                self.made[node as usize].kind = Kind::FutureImportStatement;
            } else {
                self.put(node, name, Field::ModuleName);
            }
        }
        self.expect(Kind::KwImport)?;
        match self.token {
            Kind::Star => {
                let star = self.word(Kind::WildcardImport)?;
                self.put(node, star, Field::None);
            }
            Kind::OpenParen => {
                self.advance();
                self.import_names(node, Kind::CloseParen)?;
                self.expect(Kind::CloseParen)?;
            }
            _ => self.import_names(node, Kind::Other)?,
        }
        Some(self.close(node))
    }

    fn expression_statement(&mut self) -> Option<Id> {
        if self.token == Kind::KwYield {
            let value = self.yield_()?;
            let node = self.wrap(Kind::ExpressionStatement, value, Field::None);
            return Some(self.close(node));
        }
        let first = self.item()?;
        let mut left = first;
        let alone = self.token != Kind::Comma;
        let node = if alone {
            left
        } else {
            left = self.wrap(Kind::PatternList, first, Field::None);
            while self.token == Kind::Comma {
                let comma = self.leaf();
                self.put(left, comma, Field::None);
                if self.ends_list() {
                    break;
                }
                let item = self.item()?;
                self.put(left, item, Field::None);
            }
            self.close(left)
        };
        let simple = alone && matches!(self.kind(left), Kind::Identifier | Kind::Attribute | Kind::Subscript);
        let value = match self.token {
            Kind::Equal => self.assignment(node)?,
            Kind::Colon if simple && self.is_target(left) => {
                self.advance();
                let assignment = self.wrap(Kind::Assignment, left, Field::Left);
                let annotation = self.annotation()?;
                self.put(assignment, annotation, Field::Type);
                if self.skip(Kind::Equal) {
                    let value = self.right_side()?;
                    self.put(assignment, value, Field::Right);
                }
                self.close(assignment)
            }
            Kind::PlusEq
            | Kind::MinusEq
            | Kind::StarEq
            | Kind::SlashEq
            | Kind::AtEq
            | Kind::SlashSlashEq
            | Kind::PercentEq
            | Kind::StarStarEq
            | Kind::GtGtEq
            | Kind::LtLtEq
            | Kind::AmpEq
            | Kind::CaretEq
            | Kind::BarEq
                if simple && self.is_target(left) =>
            {
                let assignment = self.wrap(Kind::AugmentedAssignment, left, Field::Left);
                let operator = self.leaf();
                self.put(assignment, operator, Field::Operator);
                let value = self.right_side()?;
                self.put(assignment, value, Field::Right);
                self.close(assignment)
            }
            // Several expressions are the statement's own children.
            _ if !alone => {
                self.made[node as usize].kind = Kind::ExpressionStatement;
                return Some(node);
            }
            _ if self.kind(left) == Kind::ListSplat => return None,
            _ => left,
        };
        let statement = self.wrap(Kind::ExpressionStatement, value, Field::None);
        Some(self.close(statement))
    }

    /// `=` and what follows it.
    fn assignment(&mut self, left: Id) -> Option<Id> {
        if !self.is_left_side(left) {
            return None;
        }
        self.deeper(|this| {
            let node = this.wrap(Kind::Assignment, left, Field::Left);
            this.advance();
            let mut value = this.right_side()?;
            if this.token == Kind::Equal {
                value = this.assignment(value)?;
            }
            this.put(node, value, Field::Right);
            Some(this.close(node))
        })
    }

    /// Whether several values can be assigned to an expression.
    fn is_left_side(&self, id: Id) -> bool {
        let node = &self.made[id as usize];
        if node.kind != Kind::PatternList {
            return node.kind != Kind::ListSplat && self.is_target(id);
        }
        let mut child = node.first;
        while child != super::NONE {
            if self.kind(child) != Kind::Comma && !self.is_target(child) {
                return false;
            }
            child = self.made[child as usize].next;
        }
        true
    }

    fn right_side(&mut self) -> Option<Id> {
        match self.token {
            Kind::KwYield => self.yield_(),
            _ => self.expressions(),
        }
    }
}
