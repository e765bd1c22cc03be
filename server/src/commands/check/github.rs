//! `--format github`: commands of a GitHub workflow, which shows them as annotations of the changed lines.

use tracer_core::diagnostics::Severity;

use super::found::Found;
use super::{Shown, Writer};
use crate::commands::output;

/// A command per finding, as it is found.
pub struct GitHub;

impl Writer for GitHub {
    fn found(&mut self, shown: &Shown<'_>) {
        output::line(command(shown.found));
    }
    fn end(&mut self, _: bool) {}
}

/// `::error file=p.py,line=6,endLine=6,col=12,endColumn=17,title=shape-mismatch::message`
fn command(found: &Found) -> String {
    let name = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "notice",
    };
    if let Some(cell) = found.at.cell {
        // A notebook is shown as the JSON that it is: its lines are not those of the cell.
        let (file, title) = (property(&found.at.file), property(found.rule));
        let advice = format!("cell {cell}, line {}: {}", found.at.range[0], found.advice());
        return format!("::{name} file={file},title={title}::{}", data(&advice));
    }
    let [line, _, end_line, _] = found.at.range;
    let [column, end_column] = found.at.units.map(|column| column + 1);
    // Columns are refused where the lines differ.
    let columns = match line == end_line {
        true => format!(",col={column},endColumn={end_column}"),
        false => String::new(),
    };
    let (file, title) = (property(&found.at.file), property(found.rule));
    format!("::{name} file={file},line={line},endLine={end_line}{columns},title={title}::{}", data(&found.advice()))
}

/// A message: a command ends with its line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property: what separates properties cannot stand in it either.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::found::Place;
    use super::*;

    #[test]
    fn commands_hold_any_text() {
        let at = Place { file: "a,b:c.py".into(), cell: None, range: [3, 5, 3, 9], units: [4, 8] };
        let mut found = Found {
            at,
            rule: "exception",
            severity: Severity::Error,
            message: "100%: a,\nb".into(),
            help: None,
            related: Vec::new(),
            fixes: Vec::new(),
            line: String::new(),
        };
        let expected = "::error file=a%2Cb%3Ac.py,line=3,endLine=3,col=5,endColumn=9,title=exception::100%25: a,%0Ab";
        assert_eq!(command(&found), expected);
        (found.at.range[2], found.severity) = (4, Severity::Hint);
        assert_eq!(command(&found), "::notice file=a%2Cb%3Ac.py,line=3,endLine=4,title=exception::100%25: a,%0Ab");
        found.at.cell = Some(2);
        assert_eq!(command(&found), "::notice file=a%2Cb%3Ac.py,title=exception::cell 2, line 3: 100%25: a,%0Ab");
    }
}
