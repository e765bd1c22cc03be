//! What is left of a logical line that the grammar cannot read: a simpler one that binds the same names.

use super::lexer::{Class, Read, Token};
use super::{Degree, Prepare, Word};

impl<'a> Prepare<'a> {
    /// Replaces the line that was just read, and returns where the next begins.
    pub(super) fn degrade(&mut self, line: &Read, degree: Degree) -> usize {
        let tokens = std::mem::take(&mut self.tokens);
        self.inserts.retain(|(at, _)| (*at as usize) < line.start);
        for at in line.start..line.end {
            self.out[at] = b' ';
        }
        if degree == Degree::Nothing {
            let is_header = line.word.is_header() || line.opens;
            self.insert(line.start, if is_header { "if _:" } else { "_" });
        } else {
            self.keep_bindings(line, &tokens);
        }
        line.next
    }

    fn keep(&mut self, token: &Token) {
        self.out[token.start..token.end].copy_from_slice(&self.src[token.start..token.end]);
    }

    fn text(&self, token: &Token) -> &'a str {
        self.text.get(token.start..token.end).unwrap_or("")
    }

    fn is_name(&self, token: &Token) -> bool {
        token.class == Class::Operand && self.src[token.start].is_ascii_alphabetic() || self.src[token.start] == b'_'
    }

    fn keep_bindings(&mut self, line: &Read, tokens: &[Token]) {
        let Some(first) = tokens.first() else { return };
        let end = line.end;
        match line.word {
            Word::Def => {
                let names = self.after(tokens, "def");
                let Some((name, rest)) = names else {
                    return self.insert(line.start, "if _:");
                };
                self.insert(line.start, "def ");
                self.keep(name);
                self.insert(name.end, "(");
                let mut previous: Option<&Token> = None;
                for token in rest {
                    let before = previous.map_or("(", |previous| &self.text[previous.start..previous.end]);
                    if token.depth == 1 && self.is_name(token) && matches!(before, "(" | "," | "*" | "**") {
                        self.keep(token);
                        match previous.filter(|_| before.starts_with('*')) {
                            Some(star) => {
                                self.keep(star);
                                self.insert(token.end, ",");
                            }
                            None => self.insert(token.end, "=_,"),
                        }
                    }
                    previous = Some(token);
                }
                self.insert(end, "):");
            }
            Word::Class => {
                let Some((name, _)) = self.after(tokens, "class") else {
                    return self.insert(line.start, "if _:");
                };
                self.insert(line.start, "class ");
                self.keep(name);
                self.insert(end, ":");
            }
            Word::For => {
                let names: Vec<Token> = match self.after(tokens, "for") {
                    Some((name, rest)) => std::iter::once(name)
                        .chain(rest.iter().take_while(|token| self.text(token) != "in"))
                        .filter(|token| self.is_name(token))
                        .copied()
                        .collect(),
                    None => Vec::new(),
                };
                self.insert(line.start, "for _, ");
                for name in &names {
                    self.keep(name);
                    self.insert(name.end, ",");
                }
                self.insert(end, " in _:");
            }
            Word::With | Word::Except => {
                let word = if line.word == Word::With { "with _" } else { "except _" };
                self.insert(line.start, word);
                let names: Vec<Token> = tokens
                    .windows(2)
                    .filter(|pair| self.text(&pair[0]) == "as" && self.is_name(&pair[1]))
                    .map(|pair| pair[1])
                    .collect();
                for (i, name) in names.iter().enumerate() {
                    if line.word == Word::Except && i > 0 {
                        break;
                    }
                    self.insert(name.start, if i == 0 { " as " } else { ", _ as " });
                    self.keep(name);
                }
                self.insert(end, ":");
            }
            Word::If | Word::Elif | Word::While | Word::Else | Word::Try | Word::Finally => {
                self.keep(first);
                let takes = !matches!(line.word, Word::Else | Word::Try | Word::Finally);
                self.insert(first.end, if takes { " _:" } else { ":" });
            }
            Word::Match | Word::Case if line.opens => self.insert(line.start, "case _:"),
            Word::Import | Word::From => {
                let Some((name, rest)) = self.after(tokens, "import") else {
                    return self.insert(line.start, "_");
                };
                let all: Vec<Token> = std::iter::once(name).chain(rest).copied().collect();
                for (i, token) in all.iter().enumerate() {
                    let next = all.get(i + 1).map_or("", |next| self.text(next));
                    let before = i.checked_sub(1).map_or("", |before| self.text(&all[before]));
                    if self.is_name(token) && next != "as" && before != "." {
                        self.keep(token);
                        self.insert(token.end, "=");
                    }
                }
                self.insert(end, "_");
            }
            Word::Return => {
                self.keep(first);
                self.insert(first.end, " _");
            }
            _ => self.keep_targets(line, tokens),
        }
    }

    /// The first name behind a keyword, and what follows it.
    fn after<'t>(&self, tokens: &'t [Token], word: &str) -> Option<(&'t Token, &'t [Token])> {
        let at = tokens.iter().position(|token| self.text(token) == word)?;
        let name = tokens.get(at + 1).filter(|name| self.is_name(name))?;
        Some((name, &tokens[at + 2..]))
    }

    /// `a, b = c = …` keeps its names.
    fn keep_targets(&mut self, line: &Read, tokens: &[Token]) {
        let is_target =
            |token: &&Token| token.depth == 0 && (self.is_name(token) || matches!(self.text(token), "," | "=" | ":"));
        let head = tokens.iter().take_while(is_target).count();
        let head = &tokens[..head];
        let colon = head.iter().position(|token| self.text(token) == ":");
        let kept = colon.or_else(|| head.iter().rposition(|token| self.text(token) == "="));
        let head: Vec<Token> = head[..kept.map_or(0, |kept| kept + 1)].to_vec();
        let mut operand = false;
        for token in &head {
            if self.is_name(token) == operand {
                // Not a list of names after all.
                for token in &head {
                    self.blank(token.start, token.end);
                }
                return self.insert(line.start, "_");
            }
            operand = self.is_name(token);
            self.keep(token);
            if self.text(token) == ":" {
                self.out[token.start] = b'=';
            }
        }
        self.insert(line.end, "_");
    }
}
