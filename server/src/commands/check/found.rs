//! Findings as the formats write them: plain data that outlives the run.

use std::cell::OnceCell;
use std::rc::Rc;

use tracer_core::diagnostics::{Diagnostic, Range, Severity};

use crate::commands::places::{self, Places};
use crate::commands::report::Report;

/// A range of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file as it is printed.
    pub file: Rc<str>,
    /// The number of the cell, in a notebook.
    pub cell: Option<u32>,
    /// `[line, column, end line, end column]`: lines from 1, of a notebook in the cell; columns in UTF-8 bytes from 0.
    pub range: [u32; 4],
    /// Its two columns in UTF-16 units, from 0.
    pub units: [u32; 2],
}

impl Place {
    /// The file, and the cell of a notebook.
    pub fn name(&self) -> String {
        places::named(&self.file, self.cell)
    }
}

/// A change of texts that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    /// What it does.
    pub title: String,
    /// What is replaced, and by what.
    pub edits: Vec<(Place, String)>,
}

/// Something found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Found {
    /// Where.
    pub at: Place,
    /// The rule's name.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Places that explain it.
    pub related: Vec<(Place, String)>,
    /// Changes that mend it.
    pub fixes: Vec<Fix>,
    /// The text of its first line, without blank space around it.
    pub line: String,
}

impl Found {
    /// The message, and what to do.
    pub fn advice(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\n\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }
}

/// The files of a run, as findings name them.
pub struct Files<'a> {
    /// What the run found.
    pub report: &'a Report,
    names: Vec<OnceCell<(Rc<str>, Places)>>,
}

impl<'a> Files<'a> {
    /// Those of a run.
    pub fn new(report: &'a Report) -> Files<'a> {
        Files { report, names: report.files.iter().map(|_| OnceCell::new()).collect() }
    }
    /// A diagnostic as a finding.
    pub fn found(&self, diagnostic: &Diagnostic) -> Found {
        let edit = |(at, text): &(Range, String)| (self.place(*at), text.clone());
        let at = self.place(diagnostic.at);
        let (_, places) = self.name(diagnostic.at.file);
        let text = &self.report.files[diagnostic.at.file].text;
        let line = places.text(text, diagnostic.at.span.start).trim().to_owned();
        Found {
            at,
            line,
            rule: diagnostic.rule,
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            related: diagnostic.related.iter().map(|r| (self.place(r.at), r.message.clone())).collect(),
            fixes: diagnostic
                .fixes
                .iter()
                .map(|fix| Fix { title: fix.title.clone(), edits: fix.edits.iter().map(edit).collect() })
                .collect(),
        }
    }
    fn place(&self, at: Range) -> Place {
        let source = &self.report.files[at.file];
        let (file, places) = self.name(at.file);
        let (cell, units) = (places.cell(at.span.start), places.units(&source.text, at.span));
        Place { file: file.clone(), cell, range: places.range(at.span), units }
    }
    fn name(&self, file: usize) -> &(Rc<str>, Places) {
        let source = &self.report.files[file];
        self.names[file].get_or_init(|| {
            let places = Places::new(&source.path, &source.text);
            (places.file().into(), places)
        })
    }
}
