//! What is known of the long text that was looked into last: who goes through one letter by letter asks the same of all of it each time.

use std::cell::RefCell;
use std::rc::Rc;

/// Shorter texts are looked through each time.
const LONG: usize = 1 << 8;

/// The long text that was looked into last.
#[derive(Default)]
pub struct LongTexts(RefCell<Option<Known>>);

struct Known {
    text: Rc<str>,
    /// Its characters, where one takes more than a byte.
    chars: Option<Rc<[char]>>,
}

impl LongTexts {
    /// The characters of a text; `None` where each is a byte.
    pub fn chars(&self, text: &Rc<str>) -> Option<Rc<[char]>> {
        let of = |text: &str| (!text.is_ascii()).then(|| text.chars().collect::<Rc<[char]>>());
        if text.len() < LONG {
            return of(text);
        }
        let mut last = self.0.borrow_mut();
        match &*last {
            Some(known) if Rc::ptr_eq(&known.text, text) => known.chars.clone(),
            _ => {
                let chars = of(text);
                *last = Some(Known { text: text.clone(), chars: chars.clone() });
                chars
            }
        }
    }

    /// Whether nothing of a text has to be looked through.
    pub fn knows(&self, text: &Rc<str>) -> bool {
        text.len() < LONG || self.0.borrow().as_ref().is_some_and(|known| Rc::ptr_eq(&known.text, text))
    }

    /// Whether each character of a text is a byte.
    pub fn is_ascii(&self, text: &Rc<str>) -> bool {
        if text.len() < LONG {
            return text.is_ascii();
        }
        self.chars(text).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_those_of_the_text_that_is_asked_for() {
        let texts = LongTexts::default();
        let (plain, other): (Rc<str>, Rc<str>) = ("a".repeat(1000).into(), "é".repeat(1000).into());
        for _ in 0..2 {
            assert!(texts.is_ascii(&plain) && texts.chars(&plain).is_none());
            assert_eq!(texts.chars(&other).map(|chars| chars.len()), Some(1000));
        }
        assert_eq!(texts.chars(&"né".into()).as_deref(), Some(&['n', 'é'][..]));
    }
}
