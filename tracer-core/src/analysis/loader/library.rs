//! Files of libraries: what is kept of them from run to run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use memchr::{memmem, memrchr};

/// Files that are kept at most.
const MOST_FILES: usize = 4096;
/// A file that was changed so short a time before it was read may be changed again without a trace.
const SETTLED: Duration = Duration::from_secs(2);

/// What tells one state of a file from another.
#[derive(Clone, PartialEq)]
struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
}

/// What the beginnings of lines tell of a text.
pub(super) struct Header {
    /// What may be modules that it imports, as absolute names.
    pub(super) imports: Vec<String>,
    /// Whether it changes more than itself when it is run.
    pub(super) loud: bool,
}

static TEXTS: Mutex<Option<HashMap<PathBuf, (Stamp, Arc<str>)>>> = Mutex::new(None);
/// Headers by the package and the address of the text, which is held.
type Headers = HashMap<(String, usize), (Arc<str>, Arc<Header>)>;
static HEADERS: Mutex<Option<Headers>> = Mutex::new(None);

/// The text of a file: what was read before, where the file has not changed since.
pub(super) fn read(path: &Path) -> Option<Arc<str>> {
    let meta = std::fs::metadata(path).ok()?;
    let stamp = Stamp { len: meta.len(), modified: meta.modified().ok() };
    if let Some((kept, text)) = lock(&TEXTS).get_or_insert_default().get(path)
        && *kept == stamp
    {
        return Some(text.clone());
    }
    let text = super::read(path, &meta)?;
    let settled = stamp.modified.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > SETTLED);
    let mut texts = lock(&TEXTS);
    let texts = texts.get_or_insert_default();
    if settled && texts.len() < MOST_FILES {
        texts.insert(path.to_owned(), (stamp, text.clone()));
    } else {
        texts.remove(path);
    }
    Some(text)
}

/// The header of a text of a package.
pub(super) fn header(text: &Arc<str>, package: &str) -> Arc<Header> {
    let key = (package.to_owned(), text.as_ptr() as usize);
    if let Some((_, header)) = lock(&HEADERS).get_or_insert_default().get(&key) {
        return header.clone();
    }
    let header = Arc::new(Header { imports: imports(text, package), loud: is_loud(text) });
    let mut headers = lock(&HEADERS);
    let headers = headers.get_or_insert_default();
    if headers.len() >= MOST_FILES {
        headers.clear();
    }
    headers.insert(key, (text.clone(), header.clone()));
    header
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a library's text has in it that changes more than itself when it is run.
const LOUD: &[&str] = &["config.update", "jax.config.", "sys.modules", "monkeypatch", "register_backend"];

/// The modules that a text may import where it begins lines with it, and what might be modules in them, as absolute names.
pub fn imports(text: &str, package: &str) -> Vec<String> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    // All lines before this place have been seen.
    let mut seen = 0;
    for at in memmem::find_iter(bytes, "import") {
        if at < seen {
            continue;
        }
        let begin = beginning(bytes, at);
        let mut lines = text[begin..].lines();
        let Some(line) = lines.next() else { break };
        seen = begin + line.len();
        let code = line.trim_start_matches([' ', ',']);
        if !code.starts_with("import") && !code.starts_with("from") {
            continue;
        }
        let mut words = line.split([' ', ',']).filter(|word| !word.is_empty());
        match words.next() {
            Some("import") => found.extend(words.filter(|word| *word != "as").map(str::to_owned)),
            Some("from") => {
                let Some(from) = words.next() else { continue };
                let level = from.len() - from.trim_start_matches('.').len();
                let mut base: Vec<&str> = package.split('.').filter(|_| level > 0).collect();
                base.truncate((base.len() + 1).saturating_sub(level));
                base.extend(from[level..].split('.').filter(|part| !part.is_empty()));
                let base = base.join(".");
                let mut members = line.to_owned();
                while members.contains('(') && !members.contains(')') || members.ends_with('\\') {
                    let Some(more) = lines.next() else { break };
                    seen += 1 + more.len();
                    members.truncate(members.trim_end_matches('\\').len());
                    members.push(' ');
                    members.push_str(more);
                }
                let members = members.split_once(" import ").map_or("", |(_, members)| members);
                let name = |c: char| !(c.is_alphanumeric() || c == '_');
                found.extend(members.split(name).filter(|m| !m.is_empty()).map(|member| format!("{base}.{member}")));
                found.push(base);
            }
            _ => {}
        }
    }
    found
}

/// Where the line begins that a place is in, with the lines that it continues.
fn beginning(text: &[u8], at: usize) -> usize {
    let begin = memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
    match text[..begin].ends_with(b"\\\n") {
        true => beginning(text, begin - 1),
        false => begin,
    }
}

/// Whether a text changes more than itself when it is run, outside of its functions.
fn is_loud(text: &str) -> bool {
    if !LOUD.iter().any(|word| memmem::find(text.as_bytes(), word.as_bytes()).is_some()) {
        return false;
    }
    // How far the header of the function that a line is in is indented.
    let mut function: Option<usize> = None;
    text.lines().any(|line| {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if code.is_empty() || code.starts_with(['#', ')']) {
            return false;
        }
        if function.is_some_and(|function| indent <= function) {
            function = None;
        }
        if function.is_none() && (code.starts_with("def ") || code.starts_with("async def ")) {
            function = Some(indent);
        }
        function.is_none() && LOUD.iter().any(|word| code.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_imports_is_absolute() {
        let text = "import a.b as c, d\nfrom . import e\nfrom .f import g as h\nfrom ..i.j import (\n    k,\n    l,\n)\nx = 1\nfrom m \\\n    import n, \\\n    o\n";
        let found = imports(text, "p.q");
        for name in ["a.b", "d", "p.q", "p.q.e", "p.q.f", "p.q.f.g", "p.i.j", "p.i.j.k", "p.i.j.l", "m.n", "m.o"] {
            assert!(found.iter().any(|one| one == name), "{name} is not in {found:?}");
        }
    }

    #[test]
    fn a_text_is_loud_where_it_changes_settings_while_it_is_imported() {
        let inside = "class A:\n  def f(\n      x,\n  ):\n    jax.config.update('jax_enable_x64', True)\n\ny = 1\n";
        assert!(!is_loud(inside));
        assert!(is_loud("def f():\n  pass\nif f():\n  jax.config.update('jax_enable_x64', True)\n"));
    }
}
