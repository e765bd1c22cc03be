//! The codes of a module, of which those of a stored module are decoded when somebody first asks for them: who executes a
//! `def` of a library asks for what its [`Head`] says, and most of the functions are never called.

use std::ops::Index;
use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Body, Code, CodeKind, Params, Symbol};
use crate::text::Span;

/// What is asked of a code before it runs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its kind.
    pub kind: CodeKind,
    /// The number of its parameters, where they are positional ones alone and a call runs the body at once.
    pub plain_arity: Option<u32>,
    /// Whether it captures variables.
    pub captures: bool,
    /// The number of its body, where that comes later.
    pub later: Option<u32>,
}

/// Reads a stored code.
pub type DecodeCode = fn(&[u8]) -> Option<Code>;

/// The codes of a module, by number.
#[derive(Clone, Debug, Default)]
pub struct Codes {
    made: Vec<OnceLock<Box<Code>>>,
    /// Where the heads of stored codes begin.
    at: u32,
    stored: Option<Stored>,
}

/// Codes that are in the bytes of a store.
#[derive(Copy, Clone, Debug)]
struct Stored {
    heads: &'static [[u8; HEAD]],
    bytes: &'static [u8],
    decode: DecodeCode,
}

/// Where the code begins; its plain arity and the number of its body, counted from one; its kind, and whether it captures.
const HEAD: usize = 14;

const KINDS: [CodeKind; 6] = {
    use CodeKind::*;
    [Module, Function, Lambda, Class, Comprehension, GeneratorExp]
};

impl Head {
    /// That of a code.
    pub fn of(code: &Code) -> Head {
        let params = &code.params;
        let plain = params.positional as usize == params.names.len() && !code.is_generator && !code.is_async;
        Head {
            kind: code.kind,
            plain_arity: plain.then_some(params.positional),
            captures: !code.frees.is_empty(),
            later: match code.body {
                Body::Later(at) => Some(at),
                _ => None,
            },
        }
    }

    fn write(self, start: u32, bytes: &mut Vec<u8>) {
        let counted = |number: Option<u32>| number.map_or(0, |number| number + 1);
        let numbers = [start, counted(self.plain_arity), counted(self.later)];
        bytes.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend([self.kind as u8, u8::from(self.captures)]);
    }

    fn read(bytes: &[u8; HEAD]) -> Head {
        let counted = |at: usize| number(bytes, at).checked_sub(1);
        let kind = KINDS[usize::from(bytes[12]) % KINDS.len()];
        Head { kind, plain_arity: counted(4), captures: bytes[13] != 0, later: counted(8) }
    }
}

fn number(bytes: &[u8; HEAD], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

impl Codes {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.made.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }
    /// All of them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Code> + ExactSizeIterator + Clone {
        (0..self.len()).map(|at| &self[at])
    }
    /// What is asked of one before it runs.
    #[inline]
    pub fn head(&self, at: usize) -> Head {
        match &self.stored {
            Some(stored) => Head::read(&stored.heads[at]),
            None => Head::of(&self[at]),
        }
    }
    /// The number of its body, where that comes later.
    #[inline]
    pub fn later(&self, at: usize) -> Option<u32> {
        match &self.stored {
            Some(stored) => number(&stored.heads[at], 8).checked_sub(1),
            None => match self[at].body {
                Body::Later(at) => Some(at),
                _ => None,
            },
        }
    }
    #[cold]
    fn make(&self, at: usize) -> &Code {
        self.made[at].get_or_init(|| {
            let code = self.stored.and_then(|stored| {
                let start = number(stored.heads.get(at)?, 0) as usize;
                (stored.decode)(stored.bytes.get(start..)?)
            });
            Box::new(code.unwrap_or_else(Code::unreadable))
        })
    }

    /// Writes every code and then the heads behind the bytes that there are, of which it keeps where they are.
    pub(super) fn store(&mut self, bytes: &mut Vec<u8>, mut write: impl FnMut(&Code, &mut Vec<u8>)) {
        let mut heads = Vec::new();
        for code in self.iter() {
            Head::of(code).write(bytes.len() as u32, &mut heads);
            write(code, bytes);
        }
        self.at = bytes.len() as u32;
        bytes.extend(heads);
        self.made = vec![OnceLock::new(); self.len()];
    }

    /// Says where the bytes are.
    pub(super) fn stored_in(&mut self, bytes: &'static [u8], decode: DecodeCode) {
        if self.made.first().is_some_and(|first| first.get().is_none())
            && let Some(heads) = bytes.get(self.at as usize..)
            && let Some(heads) = heads.as_chunks().0.get(..self.len())
        {
            self.stored = Some(Stored { heads, bytes, decode });
        }
    }
}

impl Index<usize> for Codes {
    type Output = Code;
    #[inline]
    fn index(&self, at: usize) -> &Code {
        match self.made[at].get() {
            Some(code) => code,
            None => self.make(at),
        }
    }
}

impl From<Vec<Code>> for Codes {
    fn from(codes: Vec<Code>) -> Codes {
        let made = codes.into_iter().map(|code| OnceLock::from(Box::new(code))).collect();
        Codes { made, ..Codes::default() }
    }
}

/// Where they are, and how many; and all of them, where they are not stored.
impl Serialize for Codes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let made: Vec<&Code> = self.made.iter().filter_map(OnceLock::get).map(|code| &**code).collect();
        (self.at, (self.len() - made.len()) as u32, made).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Codes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Codes, D::Error> {
        let (at, count, made) = <(u32, u32, Vec<Code>)>::deserialize(deserializer)?;
        let mut codes = Codes { at, ..Codes::from(made) };
        codes.made.resize_with(codes.len() + count as usize, OnceLock::new);
        Ok(codes)
    }
}

impl Code {
    /// A code with a name, which does nothing.
    pub(crate) fn new(kind: CodeKind, name: Symbol, qualname: Symbol, span: Span, name_span: Span) -> Code {
        Code {
            kind,
            name,
            qualname,
            params: Params::default(),
            locals: Vec::new(),
            cells: Vec::new(),
            frees: Vec::new(),
            cell_params: Vec::new(),
            body: Body::Block(Vec::new()),
            is_generator: false,
            is_async: false,
            answers: false,
            handles: false,
            class_cell: None,
            span,
            name_span,
            docstring: None,
        }
    }
    /// A code of which nothing is known.
    fn unreadable() -> Code {
        Code::new(CodeKind::Function, Symbol::default(), Symbol::default(), Span::default(), Span::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::lower_outline;

    #[test]
    fn stored_codes_are_made_when_asked_for() {
        let text = "\
class A:
    def method(self, x, *rest):
        total = [x + y for y in rest]
        return total, 'so that it is long enough to wait'
    def other(self):
        return __class__
def plain(x, y): return lambda: x
async def waits(): pass
";
        let written = |code: &Code, bytes: &mut Vec<u8>| bytes.extend(postcard::to_stdvec(code).unwrap());
        let here = lower_outline(&text.into()).codes;
        let (mut codes, mut bytes) = (here.clone(), b"something else".to_vec());
        codes.store(&mut bytes, written);
        let again = || postcard::from_bytes::<Codes>(&postcard::to_stdvec(&codes).unwrap()).unwrap();
        let mut back = again();
        back.stored_in(bytes.leak(), |bytes| postcard::from_bytes(bytes).ok());
        assert_eq!(back.len(), here.len());
        for at in 0..here.len() {
            assert_eq!((back.head(at), back.later(at)), (here.head(at), here.later(at)));
            assert!(back.made[at].get().is_none());
            assert_eq!(format!("{:?}", back[at]), format!("{:?}", here[at]));
        }
        let heads: Vec<Head> = here.iter().map(Head::of).collect();
        assert_eq!(heads.iter().filter_map(|head| head.plain_arity).collect::<Vec<_>>(), [0, 0, 1, 2, 0]);
        assert!(
            heads.iter().filter(|head| head.captures).count() == 2 && heads.iter().any(|head| head.later.is_some())
        );
        // Of what is not there nothing is known.
        let mut lost = again();
        lost.stored_in(&[], |_| None);
        assert_eq!(lost[1].name, "");
    }
}
