//! The commands of the command line: one file each.

pub mod bench;
pub mod check;
pub mod clean;
pub mod environment;
pub mod eval;
pub mod kept;
pub mod manual;
pub mod output;
pub mod places;
pub mod program;
pub mod record;
pub mod report;
pub mod repro;
pub mod rule;
pub mod trace;
pub mod values;

use clap::ValueEnum;

/// How results are printed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: stable and documented.
    Json,
}

/// Exit codes of the command line.
pub mod exit {
    /// Nothing was found.
    pub const CLEAN: u8 = 0;
    /// Diagnostics at or above the failing level.
    pub const FOUND: u8 = 1;
    /// Wrong usage, or a file that cannot be read.
    pub const FAILED: u8 = 2;
}

/// When output is coloured.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
