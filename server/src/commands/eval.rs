//! `jitlens eval FILE[::FUNCTION]`: traced functions on numbers.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use tracer_core::analysis::{Evaluation, Wanted};

use super::{Format, exit, output, program};
use crate::evaluated::{self, OPERATIONS};

/// Arguments of `jitlens eval`.
#[derive(Args)]
pub struct Arguments {
    /// A file, run as a script, and a function of it (`Model.loss` for a method): all traced functions without.
    #[arg(value_name = "FILE[::FUNCTION]")]
    target: String,
    /// Name the first operation that makes an infinity or a NaN of finite numbers.
    #[arg(long)]
    first_nonfinite: bool,
    /// Scalar operations that the computation may take.
    #[arg(long, value_name = "N", default_value_t = OPERATIONS)]
    operations: u64,
    /// Run it so many times more, and tell how long the fastest run took.
    #[arg(long, value_name = "N", default_value_t = 0)]
    repeat: u32,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let (file, function) = program::target(&arguments.target);
    let evaluation = Some(Evaluation { fuel: arguments.operations, repeat: arguments.repeat });
    let wanted = Wanted { graphs: true, function: function.map(str::to_owned), evaluation, ..Wanted::default() };
    let analysis = match program::Runs::default().analyze_for(&file, wanted) {
        Ok(analysis) => analysis,
        Err(message) => return failed(&message),
    };
    if let (Err(why), Some(_)) = (crate::graphs::of(&analysis, function), function) {
        return failed(&why);
    }
    let facts = &analysis.evaluated;
    match arguments.format {
        Format::Json => {
            let rows: Vec<Value> = facts.iter().map(|fact| evaluated::json(&analysis, fact)).collect();
            output::line(json!({"version": 1, "evaluated": rows}));
        }
        Format::Text if arguments.first_nonfinite => {
            let found: Vec<String> = facts.iter().filter_map(|fact| evaluated::nonfinite(&analysis, fact)).collect();
            output::page(&found.join("\n"));
        }
        Format::Text => {
            let texts: Vec<String> = facts.iter().map(|fact| evaluated::text(&analysis, fact)).collect();
            output::page(&texts.join("\n"));
        }
    }
    let found = arguments.first_nonfinite && facts.iter().any(|fact| fact.nonfinite.is_some());
    ExitCode::from(if found { exit::FOUND } else { exit::CLEAN })
}

fn failed(message: &str) -> ExitCode {
    output::complain(message);
    ExitCode::from(exit::FAILED)
}
