//! The words that logical lines begin with.

use super::bytes::name_end;

/// The keyword that a logical line begins with, as far as it matters for its shape.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub(in crate::syntax) enum Word {
    #[default]
    None,
    At,
    If,
    Elif,
    Else,
    For,
    While,
    Try,
    Except,
    Finally,
    With,
    Def,
    Class,
    Match,
    Case,
    Import,
    From,
    Return,
}

impl Word {
    /// The word at an offset; `async` is looked through.
    pub(super) fn at(src: &[u8], start: usize) -> Word {
        let mut at = start;
        loop {
            return match &src[at..name_end(src, at)] {
                b"if" => Word::If,
                b"elif" => Word::Elif,
                b"else" => Word::Else,
                b"for" => Word::For,
                b"while" => Word::While,
                b"try" => Word::Try,
                b"except" => Word::Except,
                b"finally" => Word::Finally,
                b"with" => Word::With,
                b"def" => Word::Def,
                b"class" => Word::Class,
                b"match" => Word::Match,
                b"case" => Word::Case,
                b"import" => Word::Import,
                b"from" => Word::From,
                b"return" => Word::Return,
                b"async" => {
                    at += "async".len();
                    at += src[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
                    if at >= src.len() {
                        return Word::None;
                    }
                    continue;
                }
                b"" if src[at] == b'@' => Word::At,
                _ => Word::None,
            };
        }
    }

    /// Whether a line that begins so has to have a colon and a body.
    pub(super) fn is_header(self) -> bool {
        !matches!(self, Word::None | Word::At | Word::Match | Word::Case | Word::Import | Word::From | Word::Return)
    }

    /// What CPython calls the block that such a line opens.
    pub(super) fn block_name(self) -> Option<&'static str> {
        Some(match self {
            Word::If => "'if' statement",
            Word::Elif => "'elif' statement",
            Word::Else => "'else' statement",
            Word::For => "'for' statement",
            Word::While => "'while' statement",
            Word::Try => "'try' statement",
            Word::Except => "'except' statement",
            Word::Finally => "'finally' statement",
            Word::With => "'with' statement",
            Word::Def => "function definition",
            Word::Class => "class definition",
            Word::Match => "'match' statement",
            Word::Case => "'case' statement",
            _ => return None,
        })
    }

    /// Whether such a line may come after one that begins with `last`, in the same block.
    pub(super) fn may_follow(self, last: Word) -> bool {
        match self {
            Word::Elif => matches!(last, Word::If | Word::Elif),
            Word::Else => {
                matches!(last, Word::If | Word::Elif | Word::For | Word::While | Word::Except)
            }
            Word::Except => matches!(last, Word::Try | Word::Except),
            Word::Finally => matches!(last, Word::Try | Word::Except | Word::Else),
            _ => true,
        }
    }
}
