//! Expressions.

use super::{Descent, Id};
use crate::syntax::{Field, Kind};

impl Descent<'_> {
    /// An expression that is not starred and names nothing.
    pub(super) fn expression(&mut self) -> Option<Id> {
        self.deeper(|this| {
            if this.token == Kind::KwLambda {
                return this.lambda();
            }
            let value = this.disjunction()?;
            if this.token != Kind::KwIf {
                return Some(value);
            }
            this.advance();
            let node = this.wrap(Kind::ConditionalExpression, value, Field::None);
            let test = this.disjunction()?;
            this.put(node, test, Field::None);
            this.expect(Kind::KwElse)?;
            let other = this.expression()?;
            this.put(node, other, Field::None);
            Some(this.close(node))
        })
    }

    /// An expression that may give what it is a name (`:=`).
    pub(super) fn named(&mut self) -> Option<Id> {
        if self.token == Kind::Identifier && self.behind() == *b":=" {
            let name = self.leaf();
            let node = self.wrap(Kind::NamedExpression, name, Field::Name);
            self.expect(Kind::Walrus)?;
            let value = self.expression()?;
            self.put(node, value, Field::Value);
            return Some(self.close(node));
        }
        self.expression()
    }

    /// An expression, or a starred one.
    fn element(&mut self) -> Option<Id> {
        match self.token {
            Kind::Star => self.starred(),
            _ => self.named(),
        }
    }

    /// `*x` between brackets.
    fn starred(&mut self) -> Option<Id> {
        let node = self.open(Kind::ListSplat);
        self.advance();
        let value = self.expression()?;
        self.put(node, value, Field::None);
        Some(self.close(node))
    }

    /// `*x` without brackets around. The tree has the star around the first name alone, as the generated parser does.
    fn bare_starred(&mut self) -> Option<Id> {
        let node = self.open(Kind::ListSplat);
        self.advance();
        let whole = match self.token {
            Kind::Identifier => {
                let name = self.leaf();
                self.put(node, name, Field::None);
                self.close(node);
                self.links(node)?
            }
            _ => {
                let value = self.binary(0)?;
                self.put(node, value, Field::None);
                self.close(node)
            }
        };
        matches!(self.token, Kind::Comma | Kind::Equal | Kind::Other).then_some(whole)
    }

    /// Expressions with commas between them, or one alone.
    pub(super) fn expressions(&mut self) -> Option<Id> {
        let first = self.item()?;
        if self.token != Kind::Comma {
            return (self.kind(first) != Kind::ListSplat).then_some(first);
        }
        let node = self.wrap(Kind::ExpressionList, first, Field::None);
        while self.skip(Kind::Comma) && !self.ends_list() {
            let item = self.item()?;
            self.put(node, item, Field::None);
        }
        Some(self.close(node))
    }

    /// One of several expressions without brackets around them.
    pub(super) fn item(&mut self) -> Option<Id> {
        let item = match self.token {
            Kind::Star => self.bare_starred()?,
            _ => self.expression()?,
        };
        (self.token != Kind::Walrus || self.in_string).then_some(item)
    }

    /// Whether no other expression can follow a comma.
    pub(super) fn ends_list(&self) -> bool {
        matches!(
            self.token,
            Kind::Other | Kind::Semicolon | Kind::Equal | Kind::Colon | Kind::CloseParen | Kind::CloseBrace
        )
    }

    /// `a or b`: what may stand before `if`, and behind `in`.
    pub(super) fn disjunction(&mut self) -> Option<Id> {
        let mut left = self.conjunction()?;
        while self.token == Kind::Or {
            left = self.operation(Kind::BooleanOperator, left, Self::conjunction)?;
        }
        Some(left)
    }

    fn conjunction(&mut self) -> Option<Id> {
        let mut left = self.inversion()?;
        while self.token == Kind::And {
            left = self.operation(Kind::BooleanOperator, left, Self::inversion)?;
        }
        Some(left)
    }

    /// The operator that comes next, with what stands on both sides.
    fn operation(&mut self, kind: Kind, left: Id, right: impl FnOnce(&mut Self) -> Option<Id>) -> Option<Id> {
        let node = self.wrap(kind, left, Field::Left);
        let operator = self.leaf();
        self.put(node, operator, Field::Operator);
        let right = right(self)?;
        self.put(node, right, Field::Right);
        Some(self.close(node))
    }

    fn inversion(&mut self) -> Option<Id> {
        if self.token != Kind::Not {
            return self.comparison();
        }
        self.deeper(|this| {
            let node = this.open(Kind::NotOperator);
            this.advance();
            let argument = this.inversion()?;
            this.put(node, argument, Field::Argument);
            Some(this.close(node))
        })
    }

    fn comparison(&mut self) -> Option<Id> {
        let first = self.binary(0)?;
        if !is_comparison(self.token) {
            return Some(first);
        }
        let node = self.wrap(Kind::ComparisonOperator, first, Field::None);
        while is_comparison(self.token) {
            let operator = self.leaf();
            let (kind, second) = (self.kind(operator), self.token);
            match (kind, second) {
                (Kind::Not, Kind::In) => self.made[operator as usize].kind = Kind::NotIn,
                (Kind::Is, Kind::Not) => self.made[operator as usize].kind = Kind::IsNot,
                (Kind::Not, _) => return None,
                _ => {}
            }
            if self.kind(operator) != kind {
                self.advance();
                self.close(operator);
            }
            self.put(node, operator, Field::Operators);
            let operand = self.binary(0)?;
            self.put(node, operand, Field::None);
        }
        Some(self.close(node))
    }

    /// Operations that bind at least so strongly.
    pub(super) fn binary(&mut self, least: u8) -> Option<Id> {
        let mut left = self.unary()?;
        loop {
            let strength = match self.token {
                Kind::Bar => 1,
                Kind::Caret => 2,
                Kind::Amp => 3,
                Kind::LtLt | Kind::GtGt => 4,
                Kind::Plus | Kind::Minus => 5,
                Kind::Star | Kind::At | Kind::Slash | Kind::Percent | Kind::SlashSlash => 6,
                _ => return Some(left),
            };
            if strength < least {
                return Some(left);
            }
            left = self.operation(Kind::BinaryOperator, left, |this| this.binary(strength + 1))?;
        }
    }

    fn unary(&mut self) -> Option<Id> {
        if !matches!(self.token, Kind::Plus | Kind::Minus | Kind::Tilde) {
            return self.power();
        }
        self.deeper(|this| {
            let node = this.open(Kind::UnaryOperator);
            let operator = this.leaf();
            this.put(node, operator, Field::Operator);
            let argument = this.unary()?;
            this.put(node, argument, Field::Argument);
            Some(this.close(node))
        })
    }

    fn power(&mut self) -> Option<Id> {
        let base = if self.token == Kind::KwAwait {
            let node = self.open(Kind::Await);
            self.advance();
            let operand = self.primary()?;
            self.put(node, operand, Field::None);
            self.close(node)
        } else {
            self.primary()?
        };
        match self.token {
            Kind::StarStar => self.deeper(|this| this.operation(Kind::BinaryOperator, base, Self::unary)),
            _ => Some(base),
        }
    }

    fn primary(&mut self) -> Option<Id> {
        let atom = self.atom()?;
        self.links(atom)
    }

    /// Attributes, calls and subscripts of a value.
    fn links(&mut self, mut value: Id) -> Option<Id> {
        loop {
            value = match self.token {
                Kind::Dot => {
                    self.advance();
                    let node = self.wrap(Kind::Attribute, value, Field::Object);
                    let name = self.identifier()?;
                    self.put(node, name, Field::Attribute);
                    self.close(node)
                }
                Kind::OpenParen => {
                    let node = self.wrap(Kind::Call, value, Field::Function);
                    let arguments = self.deeper(Self::arguments)?;
                    self.put(node, arguments, Field::Arguments);
                    self.close(node)
                }
                Kind::OpenBracket => {
                    let node = self.wrap(Kind::Subscript, value, Field::Value);
                    self.deeper(|this| this.index(node))?;
                    self.close(node)
                }
                _ => return Some(value),
            };
        }
    }

    pub(super) fn identifier(&mut self) -> Option<Id> {
        (self.token == Kind::Identifier).then(|| self.leaf())
    }

    fn atom(&mut self) -> Option<Id> {
        match self.token {
            Kind::Identifier | Kind::Integer | Kind::Float | Kind::True | Kind::False | Kind::None | Kind::Ellipsis => {
                Some(self.leaf())
            }
            Kind::StringStart => self.strings(),
            Kind::OpenParen => self.deeper(Self::parenthesized),
            Kind::OpenBracket => self.deeper(Self::list),
            Kind::OpenBrace => self.deeper(Self::braces),
            _ => None,
        }
    }

    fn parenthesized(&mut self) -> Option<Id> {
        let node = self.open(Kind::Tuple);
        self.advance();
        if self.skip(Kind::CloseParen) {
            return Some(self.close(node));
        }
        if self.token == Kind::KwYield {
            let value = self.yield_()?;
            self.put(node, value, Field::None);
            self.expect(Kind::CloseParen)?;
            self.made[node as usize].kind = Kind::ParenthesizedExpression;
            return Some(self.close(node));
        }
        let first = self.element()?;
        let starred = self.src[self.made[first as usize].start as usize] == b'*';
        let kind = match self.token {
            Kind::KwFor | Kind::KwAsync if !starred => Kind::GeneratorExpression,
            Kind::CloseParen if !starred => Kind::ParenthesizedExpression,
            _ => Kind::Tuple,
        };
        self.made[node as usize].kind = kind;
        self.rest(node, first, Kind::CloseParen)
    }

    fn list(&mut self) -> Option<Id> {
        let node = self.open(Kind::List);
        self.advance();
        if self.skip(Kind::CloseBracket) {
            return Some(self.close(node));
        }
        let first = self.element()?;
        if matches!(self.token, Kind::KwFor | Kind::KwAsync) {
            self.made[node as usize].kind = Kind::ListComprehension;
        }
        self.rest(node, first, Kind::CloseBracket)
    }

    /// What follows the first element in brackets.
    fn rest(&mut self, node: Id, first: Id, close: Kind) -> Option<Id> {
        if matches!(self.token, Kind::KwFor | Kind::KwAsync) {
            if self.kind(first) == Kind::ListSplat {
                return None;
            }
            self.put(node, first, Field::Body);
            self.clauses(node)?;
        } else {
            self.put(node, first, Field::None);
            while self.skip(Kind::Comma) && self.token != close {
                let item = self.element()?;
                self.put(node, item, Field::None);
            }
        }
        self.expect(close)?;
        Some(self.close(node))
    }

    fn braces(&mut self) -> Option<Id> {
        let node = self.open(Kind::Dictionary);
        self.advance();
        if self.skip(Kind::CloseBrace) {
            return Some(self.close(node));
        }
        if self.token != Kind::StarStar {
            let first = self.element()?;
            if self.token != Kind::Colon {
                let comprehension = matches!(self.token, Kind::KwFor | Kind::KwAsync);
                self.made[node as usize].kind = if comprehension { Kind::SetComprehension } else { Kind::Set };
                return self.rest(node, first, Kind::CloseBrace);
            }
            let pair = self.pair(first)?;
            if matches!(self.token, Kind::KwFor | Kind::KwAsync) {
                self.made[node as usize].kind = Kind::DictionaryComprehension;
                return self.rest(node, pair, Kind::CloseBrace);
            }
            self.put(node, pair, Field::None);
            if self.token != Kind::CloseBrace {
                self.expect(Kind::Comma)?;
            }
        }
        while self.token != Kind::CloseBrace {
            let item = match self.token {
                Kind::StarStar => self.double_starred()?,
                _ => {
                    let key = self.expression()?;
                    self.pair(key)?
                }
            };
            self.put(node, item, Field::None);
            if self.token != Kind::CloseBrace {
                self.expect(Kind::Comma)?;
            }
        }
        self.advance();
        Some(self.close(node))
    }

    fn pair(&mut self, key: Id) -> Option<Id> {
        if matches!(self.kind(key), Kind::NamedExpression | Kind::ListSplat) {
            return None;
        }
        self.expect(Kind::Colon)?;
        let node = self.wrap(Kind::Pair, key, Field::Key);
        let value = self.expression()?;
        self.put(node, value, Field::Value);
        Some(self.close(node))
    }

    fn double_starred(&mut self) -> Option<Id> {
        let node = self.open(Kind::DictionarySplat);
        self.advance();
        let value = self.expression()?;
        self.put(node, value, Field::None);
        Some(self.close(node))
    }

    /// `for x in y if z` and the like.
    fn clauses(&mut self, node: Id) -> Option<()> {
        loop {
            match self.token {
                Kind::KwFor | Kind::KwAsync => {
                    let clause = self.open(Kind::ForInClause);
                    self.async_(clause);
                    self.expect(Kind::KwFor)?;
                    let left = self.targets()?;
                    self.put(clause, left, Field::Left);
                    self.expect(Kind::In)?;
                    let right = self.disjunction()?;
                    self.put(clause, right, Field::Right);
                    self.close(clause);
                    self.put(node, clause, Field::None);
                }
                Kind::KwIf => {
                    let clause = self.open(Kind::IfClause);
                    self.advance();
                    let condition = self.disjunction()?;
                    self.put(clause, condition, Field::None);
                    self.close(clause);
                    self.put(node, clause, Field::None);
                }
                _ => return Some(()),
            }
        }
    }

    /// `async`, where it stands.
    pub(super) fn async_(&mut self, node: Id) {
        if self.token == Kind::KwAsync {
            let word = self.leaf();
            self.put(node, word, Field::None);
        }
    }

    /// The arguments of a call, with their parentheses.
    pub(super) fn arguments(&mut self) -> Option<Id> {
        let node = self.open(Kind::ArgumentList);
        self.expect(Kind::OpenParen)?;
        let mut count = 0;
        while self.token != Kind::CloseParen {
            let argument = match self.token {
                Kind::Star => self.starred()?,
                Kind::StarStar => self.double_starred()?,
                Kind::Identifier => match self.behind() {
                    [b'=', second] if second != b'=' => {
                        let name = self.leaf();
                        let argument = self.wrap(Kind::KeywordArgument, name, Field::Name);
                        self.expect(Kind::Equal)?;
                        let value = self.expression()?;
                        self.put(argument, value, Field::Value);
                        self.close(argument)
                    }
                    _ => self.named()?,
                },
                _ => self.named()?,
            };
            count += 1;
            if matches!(self.token, Kind::KwFor | Kind::KwAsync) {
                // A generator has to be the only argument.
                if count > 1 || matches!(self.kind(argument), Kind::KeywordArgument | Kind::DictionarySplat) {
                    return None;
                }
                self.made[node as usize].kind = Kind::GeneratorExpression;
                self.put(node, argument, Field::Body);
                self.clauses(node)?;
                break;
            }
            self.put(node, argument, Field::None);
            if self.token != Kind::CloseParen {
                self.expect(Kind::Comma)?;
            }
        }
        self.expect(Kind::CloseParen)?;
        Some(self.close(node))
    }

    /// What stands in the brackets of a subscript.
    fn index(&mut self, node: Id) -> Option<()> {
        self.advance();
        loop {
            let item = match self.token {
                // The generated parser is given a plus for it.
                Kind::Star => {
                    let item = self.open(Kind::UnaryOperator);
                    let star = self.leaf();
                    self.made[star as usize].kind = Kind::Plus;
                    self.put(item, star, Field::Operator);
                    let value = self.unary()?;
                    self.put(item, value, Field::Argument);
                    self.close(item)
                }
                Kind::Colon => {
                    let slice = self.open(Kind::Slice);
                    self.slice(slice)?
                }
                _ => {
                    let value = self.named()?;
                    match self.token {
                        Kind::Colon if self.kind(value) != Kind::NamedExpression => {
                            let slice = self.wrap(Kind::Slice, value, Field::None);
                            self.slice(slice)?
                        }
                        _ => value,
                    }
                }
            };
            self.put(node, item, Field::Subscript);
            if self.token == Kind::Comma {
                let comma = self.leaf();
                self.put(node, comma, Field::None);
                if !self.skip(Kind::CloseBracket) {
                    continue;
                }
                return Some(());
            }
            return self.expect(Kind::CloseBracket);
        }
    }

    /// What follows the first colon of a slice.
    fn slice(&mut self, node: Id) -> Option<Id> {
        for _ in 0..2 {
            if self.token != Kind::Colon {
                break;
            }
            let colon = self.leaf();
            self.put(node, colon, Field::None);
            if !matches!(self.token, Kind::Colon | Kind::Comma | Kind::CloseBracket) {
                let value = self.expression()?;
                self.put(node, value, Field::None);
            }
        }
        Some(self.close(node))
    }

    fn lambda(&mut self) -> Option<Id> {
        let node = self.open(Kind::Lambda);
        self.advance();
        if self.token != Kind::Colon {
            let parameters = self.open(Kind::LambdaParameters);
            self.parameters(parameters, Kind::Colon)?;
            self.close(parameters);
            self.put(node, parameters, Field::Parameters);
        }
        self.expect(Kind::Colon)?;
        let body = self.expression()?;
        self.put(node, body, Field::Body);
        Some(self.close(node))
    }

    /// Parameters up to a token; those of a `lambda` have no types.
    pub(super) fn parameters(&mut self, node: Id, until: Kind) -> Option<()> {
        let typed = until == Kind::CloseParen;
        while self.token != until {
            let parameter = match self.token {
                Kind::Identifier => {
                    let name = self.leaf();
                    let annotated = typed && self.token == Kind::Colon;
                    let mut parameter = name;
                    if annotated {
                        self.advance();
                        parameter = self.wrap(Kind::TypedParameter, name, Field::None);
                        let annotation = self.annotation()?;
                        self.put(parameter, annotation, Field::Type);
                        self.close(parameter);
                    }
                    if self.skip(Kind::Equal) {
                        if annotated {
                            self.made[parameter as usize].kind = Kind::TypedDefaultParameter;
                            self.made[name as usize].field = Field::Name;
                        } else {
                            parameter = self.wrap(Kind::DefaultParameter, name, Field::Name);
                        }
                        let value = self.expression()?;
                        self.put(parameter, value, Field::Value);
                        self.close(parameter);
                    }
                    parameter
                }
                Kind::Star if matches!(self.behind()[0], b',' | b')' | b':') => {
                    let separator = self.leaf();
                    self.made[separator as usize].kind = Kind::KeywordSeparator;
                    separator
                }
                Kind::Star | Kind::StarStar => {
                    let kind = match self.token {
                        Kind::Star => Kind::ListSplatPattern,
                        _ => Kind::DictionarySplatPattern,
                    };
                    let starred = self.open(kind);
                    self.advance();
                    let name = self.identifier()?;
                    self.put(starred, name, Field::None);
                    self.close(starred);
                    if typed && self.skip(Kind::Colon) {
                        let parameter = self.wrap(Kind::TypedParameter, starred, Field::None);
                        let annotation = self.annotation()?;
                        self.put(parameter, annotation, Field::Type);
                        self.close(parameter)
                    } else {
                        starred
                    }
                }
                Kind::Slash => {
                    let separator = self.leaf();
                    self.made[separator as usize].kind = Kind::PositionalSeparator;
                    separator
                }
                _ => return None,
            };
            self.put(node, parameter, Field::None);
            if self.token != until {
                self.expect(Kind::Comma)?;
            }
        }
        Some(())
    }

    /// An annotation.
    pub(super) fn annotation(&mut self) -> Option<Id> {
        let node = self.open(Kind::Type);
        let value = self.expression()?;
        self.put(node, value, Field::None);
        Some(self.close(node))
    }

    pub(super) fn yield_(&mut self) -> Option<Id> {
        let node = self.open(Kind::Yield);
        self.advance();
        if self.token == Kind::KwFrom {
            let from = self.leaf();
            self.put(node, from, Field::None);
            let value = self.expression()?;
            self.put(node, value, Field::None);
        } else if !self.ends_list() {
            let value = self.expressions()?;
            self.put(node, value, Field::None);
        }
        Some(self.close(node))
    }

    /// What a loop binds, up to `in`.
    pub(super) fn targets(&mut self) -> Option<Id> {
        let first = self.target()?;
        if self.token != Kind::Comma {
            return (self.kind(first) != Kind::ListSplat).then_some(first);
        }
        let node = self.wrap(Kind::PatternList, first, Field::None);
        while self.skip(Kind::Comma) && self.token != Kind::In {
            let item = self.target()?;
            self.put(node, item, Field::None);
        }
        Some(self.close(node))
    }

    fn target(&mut self) -> Option<Id> {
        let target = if self.token == Kind::Star {
            let node = self.open(Kind::ListSplat);
            self.advance();
            let name = self.identifier()?;
            self.put(node, name, Field::None);
            self.close(node)
        } else {
            self.primary()?
        };
        self.is_target(target).then_some(target)
    }

    /// Whether a value can be assigned to an expression.
    pub(super) fn is_target(&self, id: Id) -> bool {
        let node = &self.made[id as usize];
        match node.kind {
            Kind::Identifier => true,
            Kind::Attribute | Kind::Subscript => self.src[node.start as usize] != b'*',
            Kind::Tuple
            | Kind::List
            | Kind::ParenthesizedExpression
            | Kind::ExpressionList
            | Kind::PatternList
            | Kind::ListSplat => {
                let mut child = node.first;
                while child != super::NONE {
                    if !self.is_target(child) {
                        return false;
                    }
                    child = self.made[child as usize].next;
                }
                true
            }
            _ => false,
        }
    }
}

fn is_comparison(token: Kind) -> bool {
    matches!(
        token,
        Kind::Lt | Kind::LtEq | Kind::EqEq | Kind::NotEq | Kind::GtEq | Kind::Gt | Kind::In | Kind::Is | Kind::Not
    )
}
