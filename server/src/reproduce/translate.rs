//! Tracebacks of runs of reproducers, with the places of the program that they come from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{Map, digests};

/// A traceback in which each frame of a reproducer is one of the program; what comes from no reproducer stays as it is.
pub fn traceback(text: &str) -> String {
    let mut maps = HashMap::new();
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(frame) = notebook_frame(line)
            && let Some((file, number, code)) = source(&mut maps, &frame)
        {
            out.push_str(&format!("File {file}:{number}{}\n", frame.rest));
            while lines.peek().is_some_and(|line| is_quoted(line)) {
                lines.next();
            }
            if let Some(code) = code {
                out.push_str(&format!("----> {number} {code}\n"));
            }
            continue;
        }
        let place = frame(line).and_then(|frame| Some((source(&mut maps, &frame)?, frame)));
        let Some(((file, number, code), frame)) = place else {
            out.push_str(line);
            out.push('\n');
            continue;
        };
        let indent = &line[..line.len() - line.trim_start().len()];
        out.push_str(&format!("{indent}File \"{file}\", line {number}{}\n", frame.rest));
        // The line of the reproducer, with what marks a part of it, gives way to the line of the program.
        let is_deeper = |line: &&str| line.starts_with(indent) && line[indent.len()..].starts_with("  ");
        while lines.peek().is_some_and(is_deeper) {
            lines.next();
        }
        if let Some(code) = code {
            out.push_str(&format!("{indent}  {code}\n"));
        }
    }
    out
}

/// A frame as Python prints it: `File "x.py", line 3, in f`.
struct Frame<'a> {
    path: PathBuf,
    line: usize,
    rest: &'a str,
}

fn frame(line: &str) -> Option<Frame<'_>> {
    let (path, rest) = line.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some(Frame { path: path.into(), line: rest[..end].parse().ok()?, rest: &rest[end..] })
}

/// A frame as notebooks print it: `File ~/x.py:3, in f(x)`.
fn notebook_frame(line: &str) -> Option<Frame<'_>> {
    let text = line.strip_prefix("File ").filter(|text| !text.starts_with('"'))?;
    let (before, after) = text.split_at(text.find(", in ").unwrap_or(text.len()));
    let (path, number) = before.rsplit_once(':')?;
    let home = || std::env::var_os("HOME").map(PathBuf::from);
    let path = match path.strip_prefix("~/") {
        Some(rest) => home()?.join(rest),
        None => path.into(),
    };
    Some(Frame { path, line: number.parse().ok()?, rest: after })
}

/// A line of a text as notebooks quote it, with its number: `---> 12 x = 3`.
fn is_quoted(line: &str) -> bool {
    let rest = line.trim_start().trim_start_matches('-').trim_start_matches('>').trim_start();
    let number = rest.split(' ').next().unwrap_or_default();
    !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
}

/// The map of a reproducer and its folder, where the reproducer is still as it was written.
fn map(path: &Path) -> Option<(Map, PathBuf)> {
    let text = std::fs::read(path.with_extension("map.json")).ok()?;
    let map: Map = serde_json::from_slice(&text).ok()?;
    let is_same = std::fs::read_to_string(path).is_ok_and(|text| digests(&text) == map.digests);
    is_same.then(|| (map, path.parent().unwrap_or(Path::new("")).to_owned()))
}

/// The file, the line and its text that a frame of a reproducer comes from.
fn source(maps: &mut HashMap<PathBuf, Option<(Map, PathBuf)>>, frame: &Frame) -> Option<(String, u32, Option<String>)> {
    let path = frame.path.clone();
    let (map, folder) = maps.entry(path.clone()).or_insert_with(|| map(&path)).as_ref()?;
    let line = map.lines.iter().find(|line| line.line == frame.line)?;
    let file = folder.join(map.sources.get(line.source)?);
    let file = file.canonicalize().unwrap_or(file);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let number = line.range[0];
    let code = text.lines().nth(number.checked_sub(1)? as usize).map(|line| line.trim().to_owned());
    Some((file.to_string_lossy().into_owned(), number, code.filter(|code| !code.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_python_prints_them() {
        let found = frame("  File \"/tmp/a b.py\", line 12, in f").expect("a frame");
        assert_eq!((&*found.path, found.line, found.rest), (Path::new("/tmp/a b.py"), 12, ", in f"));
        assert!(frame("    x = File").is_none());
    }

    #[test]
    fn frames_are_read_as_notebooks_print_them() {
        let found = notebook_frame("File /tmp/a.py:12, in f(x)").expect("a frame");
        assert_eq!((&*found.path, found.line, found.rest), (Path::new("/tmp/a.py"), 12, ", in f(x)"));
        let found = notebook_frame("File /tmp/a.py:7").expect("a frame");
        assert_eq!((found.line, found.rest), (7, ""));
        assert!(notebook_frame("File \"/tmp/a.py\", line 3").is_none());
        assert!(is_quoted("---> 12 x = 3") && is_quoted("      9 y") && !is_quoted("Cell In[1]") && !is_quoted(""));
    }

    #[test]
    fn what_comes_from_no_reproducer_stays() {
        let text = "Traceback (most recent call last):\n  File \"none.py\", line 1, in f\n    x\nTypeError: no\n";
        assert_eq!(traceback(text), text);
    }
}
